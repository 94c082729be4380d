import { encodeMp3 } from './mp3.ts';
import type { SongRecipe, SongVideoRecipe } from './recipes.ts';
import { composeScene, drawScene } from './scene.ts';
import { composeSong, measureSong } from './song-score.ts';
import { songSampleRate, synthesize } from './synthesize.ts';
import { encodeVideo } from './video.ts';

const side = 360;
const maxFrames = 120;

/** A song as MP3. */
export function renderSong(recipe: SongRecipe): Promise<Uint8Array> {
  const { tempo, pitch } = recipe;
  const samples = synthesize(composeSong(recipe), { tempo, pitch, seconds: measureSong(recipe) });
  return encodeMp3(samples, songSampleRate);
}

/** A song with a slowly moving picture of its title, as MP4. */
export function renderSongVideo(
  { song, title }: SongVideoRecipe,
  soundtrack: Uint8Array,
): Promise<Uint8Array> {
  const seconds = measureSong(song);
  const framesPerSecond = Math.min(4, Math.max(1, Math.floor(maxFrames / seconds)));
  const scene = composeScene(title, song.seed);
  const size = { width: side, height: side };
  const frames = Array.from({ length: Math.ceil(seconds * framesPerSecond) }, (_, index) =>
    drawScene(scene, { ...size, caption: title, time: index / framesPerSecond / 20 }),
  );
  return encodeVideo({ frames, framesPerSecond, ...size, soundtrack });
}
