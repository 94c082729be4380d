import { LRUCache } from 'lru-cache';
import { parentPort } from 'node:worker_threads';
import { serveThread } from '../../lib/thread.ts';
import type { Recipe, SongRecipe } from './recipes.ts';
import type { Job, JobReply } from './renderer.ts';

serveThread(parentPort, createWork(), (reply) => ('bytes' in reply ? [reply.bytes.buffer] : []));

/** Runs jobs as they arrive, several at a time. */
function createWork(): (job: Job) => Promise<JobReply> {
  // A player of a song often loads its video too.
  const songs = new LRUCache<string, Promise<Uint8Array>, SongRecipe>({
    max: 8,
    memoMethod: async (_key, _stale, { context }) => (await import('./song.ts')).renderSong(context),
  });
  const renderSong = (song: SongRecipe): Promise<Uint8Array> =>
    songs.memo(JSON.stringify(song), { context: song });
  return (job) => work(job, renderSong);
}

type RenderSong = (song: SongRecipe) => Promise<Uint8Array>;

async function work(job: Job, renderSong: RenderSong): Promise<JobReply> {
  if ('inspect' in job) {
    const { inspectImage } = await import('./picture.ts');
    return { facts: await inspectImage(job.inspect) };
  }
  // A copy, since its buffer is transferred.
  return { bytes: new Uint8Array(await render(job.render, renderSong)) };
}

/** Each kind of medium loads its libraries when it is first rendered. */
async function render(recipe: Recipe, renderSong: RenderSong): Promise<Uint8Array> {
  switch (recipe.kind) {
    case 'picture':
      return (await import('./picture.ts')).renderPicture(recipe);
    case 'repaint':
      return (await import('./repaint.ts')).renderRepaint(recipe);
    case 'animation':
      return (await import('./animation.ts')).renderAnimation(recipe);
    case 'song':
      return renderSong(recipe);
    case 'song-video':
      return (await import('./song.ts')).renderSongVideo(recipe, await renderSong(recipe.song));
    case 'speech':
      return (await import('./speech.ts')).renderSpeech(recipe);
    default:
      return recipe satisfies never;
  }
}
