import { drawCaption } from './caption.ts';
import type { SongVideoRecipe } from './recipes.ts';
import { composeScene, drawScene, moveScene } from './scene.ts';
import { measureSong } from './song-score.ts';
import { renderSong } from './song.ts';
import { encodeVideo } from './video.ts';

const side = 360;
const maxFrames = 120;

/** A song with a picture for its title that slowly moves, as MP4. */
export async function renderSongVideo({ song, title }: SongVideoRecipe): Promise<Uint8Array> {
  const seconds = measureSong(song);
  const framesPerSecond = Math.min(4, Math.max(1, Math.floor(maxFrames / seconds)));
  const scene = composeScene(title, song.seed);
  const caption = drawCaption(title, side, side);
  const frames = Array.from({ length: Math.ceil(seconds * framesPerSecond) }, (_, index) =>
    Buffer.from(drawScene(moveScene(scene, index / framesPerSecond / 20), side, side, caption)),
  );
  return encodeVideo({
    frames,
    framesPerSecond,
    width: side,
    height: side,
    soundtrack: await renderSong(song),
  });
}
