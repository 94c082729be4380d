import type { Creation, GenerationSummary } from '../store/records.ts';
import { maxLabelChars } from '../generations/label-issues.ts';
import { isLongerThan } from '../lib/text.ts';
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

export interface Selected {
  /** Undefined if no create holds the selected key. */
  readonly id?: string | undefined;
  /** The create that holds the selected key. It may still be in flight. Undefined for an id. */
  readonly create?: Creation | undefined;
}

/** @throws RequestError UNAUTHENTICATED, also for an id */
export async function readSelector({ id, idempotencyKey }: Selector, context: Context): Promise<Selected> {
  const { owner } = requireCaller(context);
  if (typeof id === 'string') return { id };
  const value = idempotencyKey ?? '';
  // No create has a longer key.
  if (isLongerThan(value, maxLabelChars)) return {};
  const create = await context.engine.creations.findByKey(owner, { source: 'client', value });
  return { id: create?.subjectId, create };
}

/** The selected generation. By key, only if the gateway accepted its create, or if it has ended. */
export async function findSelected(by: Selector, context: Context): Promise<GenerationSummary | undefined> {
  const { id, create } = await readSelector(by, context);
  const generation = id === undefined ? undefined : await context.loaders.generation.load(id);
  const isHidden = create !== undefined && generation?.isVisible === false;
  return isHidden ? undefined : generation;
}
