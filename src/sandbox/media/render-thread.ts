import { parentPort } from 'node:worker_threads';
import type { Recipe } from './recipes.ts';
import type { Job, JobReply, JobRequest } from './renderer.ts';

/** Runs in a thread: does one job after the other arrives, several at a time where they wait. */
function serve(port: NonNullable<typeof parentPort>): void {
  port.on('message', ({ number, job }: JobRequest) => {
    work(job).then(
      (result) => {
        const reply: JobReply = { number, ...result };
        port.postMessage(reply, 'bytes' in result ? [result.bytes.buffer] : []);
      },
      (error: unknown) => {
        const reply: JobReply = { number, error: error instanceof Error ? error.message : String(error) };
        port.postMessage(reply);
      },
    );
  });
}

type Result =
  | Omit<Extract<JobReply, { bytes: unknown }>, 'number'>
  | Omit<Extract<JobReply, { facts: unknown }>, 'number'>;

async function work(job: Job): Promise<Result> {
  if (job.act === 'inspect') {
    const { inspectImage } = await import('./inspect-image.ts');
    return { facts: await inspectImage(job.bytes) };
  }
  // A copy of its own: it is handed over to the other thread.
  return { bytes: new Uint8Array(await render(job.recipe)) };
}

/** Each kind of medium brings in its own libraries when it is first made. */
async function render(recipe: Recipe): Promise<Uint8Array> {
  switch (recipe.kind) {
    case 'picture':
      return (await import('./picture.ts')).renderPicture(recipe);
    case 'repaint':
      return (await import('./repaint.ts')).renderRepaint(recipe);
    case 'animation':
      return (await import('./animation.ts')).renderAnimation(recipe);
    case 'song':
      return (await import('./song.ts')).renderSong(recipe);
    case 'song-video':
      return (await import('./song-video.ts')).renderSongVideo(recipe);
    case 'speech':
      return (await import('./speech.ts')).renderSpeech(recipe);
    default:
      return recipe satisfies never;
  }
}

if (parentPort) serve(parentPort);
