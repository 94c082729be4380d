import type { Creation, GenerationSummary } from '../store/records.ts';
import type { Graph } from './graph.ts';
import { type Context, requireCaller } from './context.ts';
import { shared } from './shared-descriptions.ts';

export interface Selector {
  readonly id?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

export function generationSelector({ builder }: Graph) {
  return builder.inputType('GenerationSelector', {
    description: 'Selects a generation of the caller.',
    isOneOf: true,
    fields: (t) => ({
      id: t.id({ description: shared.generationId }),
      idempotencyKey: t.id({
        description: 'The `idempotencyKey` of its create, until the key expires.',
      }),
    }),
  });
}

/**
 * The create that holds the selected key. It may still be in flight. Undefined for an id.
 * @throws RequestError UNAUTHENTICATED, also for an id
 */
export async function findSelectedCreate(
  { id, idempotencyKey }: Selector,
  context: Context,
): Promise<Creation | undefined> {
  const { owner } = requireCaller(context);
  if (typeof id === 'string') return undefined;
  return context.engine.creations.findByKey(owner, { source: 'client', value: idempotencyKey ?? '' });
}

/** The selected generation. By key, only if the gateway accepted its create, or if it has ended. */
export async function findSelected(by: Selector, context: Context): Promise<GenerationSummary | undefined> {
  const create = await findSelectedCreate(by, context);
  const id = by.id ?? create?.subjectId;
  const generation = id === undefined ? undefined : await context.loaders.generation.load(id);
  const isHidden = typeof by.idempotencyKey === 'string' && generation?.isVisible === false;
  return isHidden ? undefined : generation;
}
