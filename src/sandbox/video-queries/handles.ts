import type { Token } from '../access/tokens.ts';
import type { Services } from '../http/routes.ts';
import { planFilm, toFilmSize } from '../media/film.ts';
import { perSandbox } from '../per-sandbox.ts';
import { findFaults, type Faults } from '../tasks/faults.ts';
import { createTaskList, type Task, type TaskList } from '../tasks/task-list.ts';

/** The two kinds of tasks that can be asked after, as they stand in the path. */
export type QueryKind = 'multi-image2video' | 'advanced-lip-sync';

export interface QueriedWork {
  /** The id that the caller knows the task by. */
  readonly handle: string;
  readonly videoId: string;
  /** Path of the video. */
  readonly video: string;
  readonly videoSeconds: number;
}

export type QueriedTask = Task<QueriedWork>;

export const getQueriedTasks = perSandbox(createTaskList<QueriedWork>);

const videoSeconds = 5;

/**
 * The task of a handle. Nothing here creates one: whatever is asked after was made elsewhere, and begins when its
 * caller first asks. Undefined for a handle that stands for nothing.
 */
export function findQueriedTask(
  services: Services,
  token: Token,
  { kind, handle }: { readonly kind: QueryKind; readonly handle: string },
): QueriedTask | undefined {
  if (handle.startsWith('missing')) return undefined;
  const tasks = getQueriedTasks(services);
  const id = `${token.key} ${kind} ${handle}`;
  return tasks.find(token, id) ?? begin(tasks, { services, token, id, kind, handle });
}

interface Begin {
  readonly services: Services;
  readonly token: Token;
  readonly id: string;
  readonly kind: QueryKind;
  readonly handle: string;
}

function begin(tasks: TaskList<QueriedWork>, { services, token, id, kind, handle }: Begin): QueriedTask {
  const { name, seconds } = splitHandle(handle);
  const film = planFilm({
    prompts: [`${kind} ${handle}`],
    seed: handle,
    // A face fills a picture that is upright.
    size: toFilmSize(kind === 'advanced-lip-sync' ? '9:16' : '16:9', 180),
    seconds: videoSeconds,
  });
  return tasks.add({
    id,
    token,
    faults: findHandleFaults(name),
    sizeBytes: id.length,
    ...(seconds !== undefined && { durationMs: seconds * 1000 }),
    work: { handle, videoId: `${handle}-video`, video: services.media.publish(film), videoSeconds },
  });
}

/** `demo-failed-30` takes 30 seconds and is otherwise `demo-failed`. */
function splitHandle(handle: string): { readonly name: string; readonly seconds: number | undefined } {
  const match = /^(.*)-(\d{1,3})$/.exec(handle);
  if (!match) return { name: handle, seconds: undefined };
  return { name: match[1] ?? '', seconds: Number(match[2]) };
}

/** `demo-contradict-late` asks for `fault:contradict-late`. */
function findHandleFaults(name: string): Faults {
  const parts = name.split('-');
  return findFaults(parts.slice(1).map((_, index) => `fault:${parts.slice(index + 1).join('-')}`));
}
