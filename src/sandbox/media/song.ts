import { setImmediate as breathe } from 'node:timers/promises';
import { Mp3Encoder } from '@breezystack/lamejs';
import { LRUCache } from 'lru-cache';
import type { SongRecipe } from './recipes.ts';
import { composeSong, measureSong } from './song-score.ts';
import { songSampleRate, synthesize } from './synthesize.ts';

const kilobitsPerSecond = 64;
/** Samples in one frame of an MP3. */
const frameSize = 1152;

/** The last songs: whoever plays one is likely to look at its video, too. */
const recent = new LRUCache<string, Promise<Uint8Array>>({ max: 8 });

/** A song as MP3. */
export function renderSong(recipe: SongRecipe): Promise<Uint8Array> {
  const name = JSON.stringify(recipe);
  const known = recent.get(name) ?? playSong(recipe);
  recent.set(name, known);
  return known;
}

async function playSong(recipe: SongRecipe): Promise<Uint8Array> {
  const { tempo, pitch } = recipe;
  const samples = synthesize(composeSong(recipe), { tempo, pitch, seconds: measureSong(recipe) });
  return encodeMp3(samples);
}

async function encodeMp3(samples: Float32Array): Promise<Uint8Array> {
  const encoder = new Mp3Encoder(1, songSampleRate, kilobitsPerSecond);
  const chunks: Uint8Array[] = [];
  const blockSize = frameSize * 64;
  for (let from = 0; from < samples.length; from += blockSize) {
    const block = Int16Array.from(samples.subarray(from, from + blockSize), (sample) =>
      Math.round(sample * 32_767),
    );
    chunks.push(copy(encoder.encodeBuffer(block)));
    // Other jobs of the thread go on in between.
    await breathe();
  }
  chunks.push(copy(encoder.flush()));
  return Buffer.concat(chunks);
}

/** The encoder calls its bytes signed, and writes over them the next time. */
function copy(bytes: ArrayBufferView): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice();
}
