import {
  AuthenticationError,
  ExpectedError,
  GatewayError,
  InvalidInputError,
  NotCancelableError,
  NotFoundError,
  QuotaError,
  RateLimitError,
  ServerKeyError,
} from '../errors.ts';
import type { Generation, LazyGeneration } from '../store/records.ts';
import { cancelTask, isCancelableTask } from '../tasks/cancel-task.ts';
import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { findStream } from './find-stream.ts';
import { generationSelector, readSelector, type Selector } from './generation-selector.ts';
import { generationRef } from './refs.ts';

type Kinds = Graph['kinds'];

export async function isCancelable(
  kinds: Kinds,
  generation: LazyGeneration,
  context: Context,
): Promise<boolean> {
  if (generation.finishedAt !== undefined) return false;
  if (generation.taskId === undefined) return (await findStream(kinds, generation, context)) !== undefined;
  const { loaders } = context;
  const shown = loaders.usesTasks ? loaders.task.shown(generation.taskId) : undefined;
  const task = shown ?? (await loaders.taskRecord.load(generation.taskId));
  return task !== undefined && isCancelableTask(task, context.engine);
}

function cancelGenerationResult({ builder, use }: Graph) {
  return builder.errorUnion('CancelGenerationResult', {
    description: 'The generation after the cancel, or an error.',
    types: [
      use(generationRef),
      NotFoundError,
      NotCancelableError,
      InvalidInputError,
      AuthenticationError,
      ServerKeyError,
      QuotaError,
      RateLimitError,
      GatewayError,
    ],
    resolveType: () => 'Generation',
  });
}

export function addCancelGeneration({ builder, kinds, use }: Graph): void {
  builder.mutationField('cancelGeneration', (t) =>
    t.field({
      type: use(cancelGenerationResult),
      nullable: true,
      description:
        'Stops a chat, an image stream, or a task with a trusted cancel URL. A chat in flight is selected by its key. A task may stop later: keep following it. The gateway charges for output up to the cancel.',
      args: {
        by: t.arg({ type: use(generationSelector), required: true }),
      },
      resolve: async (_root, { by }, context) =>
        cancelGeneration(kinds, await getSelected(by, context), context),
    }),
  );
}

async function getSelected(by: Selector, context: Context): Promise<Generation> {
  const { owner } = requireCaller(context);
  const { id } = await readSelector(by, context);
  const { store, streams, creations } = context.engine;
  const running = id === undefined ? undefined : streams.findRunning(owner, id);
  if (running) return running.generation;
  if (id !== undefined && creations.isClaiming(owner, id))
    throw new NotCancelableError(
      'This request is in flight, and cannot be canceled yet. Retry in a moment.',
      {
        retry: 'LATER',
      },
    );
  // The record itself, not the loader's: a cancel changes it.
  const [generation] = id === undefined ? [] : await store.findGenerations(owner, [id]);
  if (generation) return generation;
  if (typeof by.id === 'string') throw new NotFoundError('No generation has this id. Check the id.');
  // Another instance may be about to record a create with the key.
  const retry = id === undefined ? 'LATER' : undefined;
  throw new NotFoundError('No generation has this idempotency key. Check the key.', { retry });
}

async function cancelGeneration(
  kinds: Kinds,
  generation: Generation,
  context: Context,
): Promise<LazyGeneration> {
  if (generation.finishedAt !== undefined && !mayRun(generation)) return generation;
  if (generation.taskId !== undefined) return cancelGenerationTask(generation, generation.taskId, context);
  const stream = await findStream(kinds, generation, context);
  if (stream) return stream.cancel(generation, context.engine);
  if (generation.finishedAt !== undefined) return generation;
  const isPending = kinds.get(generation.kind)?.task?.cancelMethod !== undefined;
  throw isPending
    ? new NotCancelableError('The gateway has not accepted this request yet. Retry in a moment.', {
        generationId: generation.id,
        retry: 'LATER',
      })
    : new NotCancelableError('This kind of generation cannot be canceled through this API.', {
        generationId: generation.id,
      });
}

/** Whether a stream may still run although it has an end: another instance recorded that when its instance seemed dead. */
function mayRun({ status, error, taskId }: Generation): boolean {
  return (
    taskId === undefined && (status === 'UNKNOWN' || (status === 'FAILED' && error?.code === 'INTERRUPTED'))
  );
}

async function cancelGenerationTask(
  generation: Generation,
  taskId: string,
  context: Context,
): Promise<Generation> {
  const { requestId, engine } = context;
  const { tasks, taskKinds, gateway, store } = engine;
  const caller = requireCaller(context);
  const [task] = await store.findTasks(caller.owner, [taskId]);
  if (!task)
    throw new NotCancelableError('The record of this task was deleted, and its cancel URL with it.', {
      generationId: generation.id,
    });
  try {
    await cancelTask({ gateway, tasks, taskKinds, caller, requestId }, task);
  } catch (error) {
    // The error of the cancel request itself concerns no generation.
    if (error instanceof ExpectedError) error.generationId ??= generation.id;
    throw error;
  }
  context.loaders.forget(generation);
  const [now] = await store.findGenerations(caller.owner, [generation.id]);
  return now ?? generation;
}
