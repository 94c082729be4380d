import { RequestError } from '../errors.ts';
import type { GenerationSummary } from '../store/records.ts';
import { isGenerationTerminal } from '../store/shown-status.ts';
import type { Engine, Operation } from './engine.ts';

export const maxAwaitSeconds = 300;

type AwaitOperation = Operation<Pick<Engine, 'store' | 'generationWatch' | 'clock' | 'tasks' | 'poller'>>;

/**
 * Waits until a generation is terminal, the timeout elapses or the server drains, then returns its record, or null if that was
 * deleted. Polls its task meanwhile.
 * @throws RequestError when the timeout is out of range
 */
export async function awaitGeneration(
  id: string | undefined,
  timeoutSeconds: number,
  operation: AwaitOperation,
): Promise<GenerationSummary | null> {
  if (timeoutSeconds < 0 || timeoutSeconds > maxAwaitSeconds) {
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `timeoutSeconds must be 0 to ${maxAwaitSeconds}, received ${timeoutSeconds}.`,
    );
  }
  if (id === undefined) return null;
  const { owner } = operation.caller;
  const { store, generationWatch, clock, tasks } = operation.engine;
  const find = async () => (await store.findSummaries(owner, [id]))[0] ?? null;
  const changes = generationWatch.watch(
    { owner, id },
    ({ generation }) => !generation || isGenerationTerminal(generation, tasks.canRead),
  );
  // Subscribe before the first read, so that an end in between is not missed.
  const ended = changes.next();
  // A change may be unreadable before anything waits for it here, or after that has failed.
  ended.catch(() => {});
  const cancel = clock.after(timeoutSeconds * 1000, () => void changes.return?.());
  let stopPolling: (() => Promise<void>) | undefined;
  try {
    const now = await find();
    if (!now || isGenerationTerminal(now, tasks.canRead)) return now;
    stopPolling = await keepPolling(now, operation);
    await ended;
    return await find();
  } finally {
    cancel();
    await stopPolling?.();
    await changes.return?.();
  }
}

/** Polls a generation's task until the returned function is called. */
async function keepPolling(
  { taskId }: GenerationSummary,
  { engine, caller }: AwaitOperation,
): Promise<() => Promise<void>> {
  const { poller, tasks } = engine;
  const [task] = taskId === undefined ? [] : await tasks.find(caller.owner, [taskId]);
  if (!task || !('status' in task)) return async () => {};
  const watch = poller.watch(caller, [task]);
  const drained = (async () => {
    while (!(await watch.next()).done);
  })();
  return async () => {
    await watch.return?.();
    await drained;
  };
}
