import {
  AuthenticationError,
  GatewayError,
  InvalidInputError,
  NotCancelableError,
  NotFoundError,
  QuotaError,
  RateLimitError,
} from '../errors.ts';
import type { Generation, GenerationKind } from '../store/records.ts';
import { cancelStream } from '../streams/end-stream.ts';
import type { StreamedKind } from '../streams/streamed-kind.ts';
import { cancelTask, isCancelableTask } from '../tasks/cancel-task.ts';
import { findTaskKind } from '../tasks/task-kinds.ts';
import { builder } from './builder.ts';
import { type Context, requireCaller } from './context.ts';
import { GenerationRef } from './refs.ts';

/** How generations of a kind that has no task are stopped. */
export interface Cancellation {
  /** Whether this one can be stopped while it runs. */
  applies(generation: Generation): boolean;
  /** Returns the generation as it is then. */
  cancel(generation: Generation, context: Context): Promise<Generation>;
}

const cancellations = new Map<GenerationKind, Cancellation>();

export function registerCancellation(kind: GenerationKind, cancellation: Cancellation): void {
  cancellations.set(kind, cancellation);
}

/** Lets generations of a streamed kind be cancelled, on whichever instance they run. */
export function registerStreamCancellation<State, Delta>(streamed: StreamedKind<State, Delta>): void {
  registerCancellation(streamed.kind, {
    applies: (generation) => streamed.isStreamed(generation),
    cancel: (generation, { engine }) => cancelStream(streamed, generation, engine),
  });
}

function findCancellation(generation: Generation): Cancellation | undefined {
  const cancellation = cancellations.get(generation.kind);
  return cancellation?.applies(generation) ? cancellation : undefined;
}

export async function isCancelable(generation: Generation, context: Context): Promise<boolean> {
  if (generation.finishedAt !== undefined) return false;
  if (generation.taskId === undefined) return findCancellation(generation) !== undefined;
  const task = await context.loaders.taskRecord.load(generation.taskId);
  return task !== undefined && isCancelableTask(task, context.engine.gateway);
}

const GenerationSelector = builder.inputType('GenerationSelector', {
  description: 'Names one generation of the caller.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "The generation's id." }),
    idempotencyKey: t.id({
      description: 'The `idempotencyKey` of the create that made it: for when the id never arrived.',
    }),
  }),
});

const CancelGenerationResult = builder.errorUnion('CancelGenerationResult', {
  description: 'The generation as it is after that, or why it was not stopped.',
  types: [
    GenerationRef,
    NotFoundError,
    NotCancelableError,
    InvalidInputError,
    AuthenticationError,
    QuotaError,
    RateLimitError,
    GatewayError,
  ],
  resolveType: () => 'Generation',
});

builder.mutationField('cancelGeneration', (t) =>
  t.field({
    type: CancelGenerationResult,
    description:
      'Stops work at the gateway. Chats and image streams stop at once, whoever watches. A task can be stopped where the gateway gave an address for that, on its own origin or one that the operator trusts; it stops as soon as the gateway does, so follow it. What ended first wins: a generation that is already terminal is returned as it is. What was produced by then is paid for.',
    args: { by: t.arg({ type: GenerationSelector, required: true, description: 'Which generation.' }) },
    resolve: async (_root, { by }, context) => cancelGeneration(await findSelected(by, context), context),
  }),
);

interface Selector {
  readonly id?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

async function findSelected({ id, idempotencyKey }: Selector, context: Context): Promise<Generation> {
  const { owner } = requireCaller(context);
  const { creations, store } = context.engine;
  const subjectId = id ?? (await creations.findByKey(owner, idempotencyKey ?? ''))?.subjectId;
  const [generation] = subjectId === undefined ? [] : await store.findGenerations(owner, [subjectId]);
  if (generation) return generation;
  throw new NotFoundError(
    id === undefined || id === null
      ? 'No generation was made with this key.'
      : 'There is no such generation.',
  );
}

async function cancelGeneration(generation: Generation, context: Context): Promise<Generation> {
  if (generation.finishedAt !== undefined) return generation;
  if (generation.taskId !== undefined) return cancelWork(generation, generation.taskId, context);
  const cancellation = findCancellation(generation);
  if (cancellation) return cancellation.cancel(generation, context);
  throw new NotCancelableError(
    findTaskKind(generation.kind)?.cancelMethod === undefined
      ? 'Work of this kind cannot be cancelled through this API.'
      : 'The gateway has not accepted this work yet; try again in a moment.',
  );
}

async function cancelWork(generation: Generation, taskId: string, context: Context): Promise<Generation> {
  const { requestId, engine } = context;
  const { tasks, gateway, store } = engine;
  const caller = requireCaller(context);
  const [task] = await store.findTasks(caller.owner, [taskId]);
  if (!task)
    throw new NotCancelableError('The record of this work is gone, and with it the address to cancel it.');
  await cancelTask({ gateway, tasks, caller, requestId }, task);
  const [now] = await store.findGenerations(caller.owner, [generation.id]);
  return now ?? generation;
}
