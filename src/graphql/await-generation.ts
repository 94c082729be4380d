import { RequestError } from '../errors.ts';
import { watchGenerations } from '../generations/watch-generations.ts';
import type { Generation } from '../store/records.ts';
import { isMatch } from '../store/store.ts';
import { builder } from './builder.ts';
import { type Context, requireCaller } from './context.ts';
import { GenerationFilterInput, withoutNulls } from './generations.ts';
import { GenerationRef } from './refs.ts';

const maxTimeoutSeconds = 300;

builder.queryField('awaitGeneration', (t) =>
  t.field({
    type: GenerationRef,
    nullable: true,
    description:
      'A generation once it is terminal, or as it is when the time is up: for clients without sockets. Its task is asked for meanwhile. Null when there is none of this caller.',
    args: {
      id: t.arg.id({ required: true, description: "The generation's id." }),
      timeoutSeconds: t.arg.int({
        defaultValue: 30,
        description: `How long to wait, in seconds: 0 to ${maxTimeoutSeconds}.`,
      }),
    },
    resolve: (_root, { id, timeoutSeconds }, context) => awaitGeneration(id, timeoutSeconds ?? 30, context),
  }),
);

builder.subscriptionField('generationChanged', (t) =>
  t.field({
    type: GenerationRef,
    description:
      "The caller's live feed: each generation when it is made and whenever it changes, in other tabs and devices too. Changes that wait for a slow reader become one. Never completes by itself.",
    args: {
      filter: t.arg({
        type: GenerationFilterInput,
        description: 'Which ones: each is judged as it is after the change. All when absent.',
      }),
    },
    subscribe(_root, { filter }, context) {
      const wanted = withoutNulls(filter ?? {});
      return watchOwn(context, (generation) => isMatch(generation, wanted));
    },
    resolve: (generation: Generation) => generation,
  }),
);

function watchOwn(context: Context, isWanted: (generation: Generation) => boolean) {
  const { store, bus } = context.engine;
  return watchGenerations({ store, bus, owner: requireCaller(context).owner, isWanted });
}

async function awaitGeneration(
  id: string,
  timeoutSeconds: number,
  context: Context,
): Promise<Generation | null> {
  if (timeoutSeconds < 0 || timeoutSeconds > maxTimeoutSeconds) {
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `timeoutSeconds is 0 to ${maxTimeoutSeconds}, received ${timeoutSeconds}.`,
    );
  }
  const { owner } = requireCaller(context);
  const { store, clock } = context.engine;
  const find = async () => (await store.findGenerations(owner, [id]))[0] ?? null;
  const changes = watchOwn(
    context,
    (generation) => generation.id === id && generation.finishedAt !== undefined,
  );
  // Subscribed before the first look, so that an end in between is not missed.
  const ended = changes.next();
  const cancel = clock.after(timeoutSeconds * 1000, () => void changes.return?.());
  let stopPolling: (() => Promise<void>) | undefined;
  try {
    const now = await find();
    if (!now || now.finishedAt !== undefined) return now;
    stopPolling = await keepPolling(now, context);
    await ended;
    return await find();
  } finally {
    cancel();
    await stopPolling?.();
    await changes.return?.();
  }
}

/** Keeps a generation's task being asked for, as a watcher would, until the returned function is called. */
async function keepPolling({ taskId }: Generation, context: Context): Promise<() => Promise<void>> {
  const caller = requireCaller(context);
  const { poller, tasks } = context.engine;
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
