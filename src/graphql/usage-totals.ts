import { RequestError } from '../errors.ts';
import { mapMembers } from '../lib/members.ts';
import { dayOf, type UsageCount, type UsageDimension, type UsageTotal } from '../store/usage.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import { type Context, requireCaller } from './context.ts';
import { generationKindEnum } from './generation.ts';
import { checkFilter, maxModels, withoutNulls } from './generations.ts';
import { shared } from './shared-descriptions.ts';

const maxDays = 366;
const defaultDays = 30;
/** More than the sums of any one day, so that a day can always be read. */
const maxTotals = 1000;

function usageDimensionEnum({ builder }: Graph) {
  return builder.enumType('UsageDimension', {
    description: 'Dimension by which `usageTotals` groups.',
    values: {
      DAY: { description: 'Day of the create, in UTC.' },
      KIND: { description: 'Kind of the generation.' },
      MODEL: { description: 'Requested model.' },
      COLLECTION: { description: 'Collection.' },
    },
  } as const);
}

function usageFilterInput({ builder, use }: Graph) {
  return builder.inputType('UsageFilter', {
    description: 'Matches every given field, and any value of a list.',
    fields: (t) => ({
      kinds: t.field({ type: [use(generationKindEnum)] }),
      models: t.stringList({ description: `Any of these models as sent, at most ${maxModels}.` }),
      collection: t.id({ description: shared.collection }),
      fromDay: t.field({
        type: 'Date',
        description: `First day of creation, in UTC. Default: ${defaultDays - 1} days before \`toDay\`.`,
      }),
      toDay: t.field({
        type: 'Date',
        description: `Last day of creation, in UTC, at most ${maxDays - 1} days after \`fromDay\`. Default: today.`,
      }),
    }),
  });
}

const countDescriptions: Readonly<Record<UsageCount, string>> = {
  generations:
    'Creates that the gateway accepted or may have. The four status counts exclude unfinished ones.',
  succeeded: 'Ended as SUCCEEDED.',
  failed: 'Ended as FAILED.',
  canceled: 'Ended as CANCELED.',
  unknown: 'Ended as UNKNOWN: the reply to the create was lost.',
  withUsage: 'Generations whose usage the gateway reported. Only these add tokens.',
  promptTokens: 'Prompt tokens.',
  completionTokens: 'Completion tokens, including reasoning.',
  totalTokens: 'All tokens.',
  cachedTokens: 'Prompt tokens from a cache.',
  reasoningTokens: 'Completion tokens for reasoning.',
  outputTokens: 'Usually also in `completionTokens`.',
};

function usageTotalRef({ builder, use, kinds }: Graph) {
  return builder.objectRef<UsageTotal>('UsageTotal').implement({
    description: 'Generations of one group, and their tokens as the gateway reported them, never estimated.',
    fields: (t) => ({
      day: t.expose('day', { type: 'Date', ...nullable('Null if not grouped by DAY.') }),
      kind: t.field({
        type: use(generationKindEnum),
        ...nullable('Null if not grouped by KIND.'),
        // The records may contain kinds that this program does not have.
        resolve: ({ kind }) => (kind !== undefined && kinds.has(kind) ? kind : null),
      }),
      model: t.exposeString(
        'model',
        nullable('Null if not grouped by MODEL, for generations without a model, and if `isOther`.'),
      ),
      collection: t.exposeID(
        'collection',
        nullable(
          'Null if not grouped by COLLECTION, for generations without a collection, and if `isOther`.',
        ),
      ),
      isOther: t.exposeBoolean('isOther', {
        description: 'Whether this sums several models or collections, beyond the 900 combinations of a day.',
      }),
      ...mapMembers(countDescriptions, (description, count) =>
        t.expose(count, { type: 'BigInt', description }),
      ),
    }),
  });
}

export function addUsageTotals({ builder, use }: Graph): void {
  builder.queryField('usageTotals', (t) =>
    t.field({
      type: [use(usageTotalRef)],
      nullable: true,
      description: `Sums of the caller's generations, sorted by day, kind, model and collection. Deleted and expired ones still count. LIMIT_EXCEEDED beyond ${maxTotals} groups.`,
      args: {
        filter: t.arg({
          type: use(usageFilterInput),
          description: `Default: the last ${defaultDays} days.`,
        }),
        groupBy: t.arg({
          type: [use(usageDimensionEnum)],
          defaultValue: [],
          description: 'One item per existing combination of these. Default: one total.',
        }),
      },
      resolve: (_root, { filter, groupBy }, context) =>
        sumUsage(context, withoutNulls(filter ?? {}), groupBy ?? []),
    }),
  );
}

interface Filter {
  readonly kinds?: readonly string[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly collection?: string | undefined;
  readonly fromDay?: number | undefined;
  readonly toDay?: number | undefined;
}

/** @throws RequestError LIMIT_EXCEEDED, BAD_REQUEST */
async function sumUsage(
  context: Context,
  filter: Filter,
  groupBy: readonly UsageDimension[],
): Promise<readonly UsageTotal[]> {
  const { owner } = requireCaller(context);
  const { store, clock } = context.engine;
  const toDay = filter.toDay ?? dayOf(clock.now());
  const fromDay = filter.fromDay ?? toDay - defaultDays + 1;
  checkFilter(filter);
  if (fromDay > toDay)
    throw new RequestError(
      'BAD_REQUEST',
      'filter.fromDay must not be after filter.toDay, by default today in UTC.',
    );
  const days = toDay - fromDay + 1;
  if (days > maxDays)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `filter.fromDay and filter.toDay may span at most ${maxDays} days, received ${days}. Request shorter ranges.`,
    );
  await context.loaders.waited();
  const totals = await store.sumUsage(owner, { ...filter, fromDay, toDay, groupBy, limit: maxTotals });
  if (totals) return totals;
  throw new RequestError(
    'LIMIT_EXCEEDED',
    `There are more than ${maxTotals} groups. Request fewer days, a stricter filter, or fewer dimensions in groupBy.`,
  );
}
