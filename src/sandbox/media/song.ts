import { LRUCache } from 'lru-cache';
import { encodeMp3 } from './mp3.ts';
import type { SongRecipe } from './recipes.ts';
import { composeSong, measureSong } from './song-score.ts';
import { songSampleRate, synthesize } from './synthesize.ts';

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
  return encodeMp3(samples, songSampleRate);
}
