import { GatewayError, InvalidInputError, NotCancelableError, NotFoundError } from '../errors.ts';
import type { Generation, GenerationKind } from '../store/records.ts';
import { builder } from './builder.ts';
import { type Context, requireCaller } from './context.ts';
import { GenerationRef } from './refs.ts';

/** How a kind of generation is stopped. Returns the generation as it is then. */
type Cancel = (generation: Generation, context: Context) => Promise<Generation>;

const cancels = new Map<GenerationKind, Cancel>();

export function registerCancel(kind: GenerationKind, cancel: Cancel): void {
  cancels.set(kind, cancel);
}

export function isCancelable(generation: Generation): boolean {
  return generation.finishedAt === undefined && cancels.has(generation.kind);
}

const GenerationSelector = builder.inputType('GenerationSelector', {
  description: 'Names one generation.',
  isOneOf: true,
  fields: (t) => ({
    id: t.id({ description: "The generation's id." }),
    idempotencyKey: t.id({ description: 'The key that its create carried: for when the id never arrived.' }),
  }),
});

const CancelGenerationResult = builder.errorUnion('CancelGenerationResult', {
  description: 'The generation as it is now, or why it goes on.',
  types: [GenerationRef, NotFoundError, NotCancelableError, InvalidInputError, GatewayError],
  resolveType: () => 'Generation',
});

builder.mutationField('cancelGeneration', (t) =>
  t.field({
    type: CancelGenerationResult,
    description:
      'Stops work at the gateway: chats at once, whoever watches. What ended first wins: a generation that is already terminal is returned as it is. Tokens that were produced are paid for.',
    args: { by: t.arg({ type: GenerationSelector, required: true, description: 'Which one.' }) },
    resolve: async (_root, { by }, context) => cancelGeneration(await findSelected(by, context), context),
  }),
);

interface Selector {
  readonly id?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

async function findSelected({ id, idempotencyKey }: Selector, context: Context): Promise<Generation> {
  const { owner } = requireCaller(context);
  const { creations, store } = context.kernel;
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
  const cancel = cancels.get(generation.kind);
  if (!cancel) throw new NotCancelableError('Work of this kind cannot be cancelled through this API.');
  return cancel(generation, context);
}
