import { fromNames } from '../lib/members.ts';
import { dayMs } from '../lib/time.ts';
import type { GenerationSummary, GenerationKind, GenerationUsage } from './records.ts';

/** The token counts that are summed, as the gateway reported them. */
const tokenCounts = [
  'promptTokens',
  'completionTokens',
  'totalTokens',
  'cachedTokens',
  'reasoningTokens',
  'outputTokens',
] as const satisfies readonly (keyof GenerationUsage)[];

/** All counts that are summed per day. */
export const usageCounts = [
  'generations',
  'succeeded',
  'failed',
  'canceled',
  'unknown',
  'withUsage',
  ...tokenCounts,
] as const;

export type UsageCount = (typeof usageCounts)[number];
export type UsageCounts = Readonly<Record<UsageCount, number>>;

export type UsageDimension = 'DAY' | 'KIND' | 'MODEL' | 'COLLECTION';

export interface UsageQuery {
  /** First and last day (UTC), in days since the epoch. */
  readonly fromDay: number;
  readonly toDay: number;
  readonly kinds?: readonly GenerationKind[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly collection?: string | undefined;
  /** No dimension: one total. */
  readonly groupBy: readonly UsageDimension[];
  /** Maximum number of totals. */
  readonly limit: number;
}

/** Sums of one group. A dimension that is not grouped is undefined. */
export interface UsageTotal extends Readonly<Record<UsageCount, number | bigint>> {
  readonly day?: number | undefined;
  readonly kind?: GenerationKind | undefined;
  readonly model?: string | undefined;
  readonly collection?: string | undefined;
  /** Whether the group sums models or collections beyond the limits of a day. */
  readonly isOther: boolean;
}

export function dayOf(time: number): number {
  return Math.floor(time / dayMs);
}

/**
 * The counts that a generation adds to the sums of its day. A create that the gateway has not accepted is not visible and
 * adds nothing. Negative counts from a gateway add nothing.
 */
export function countsOf(
  generation: Pick<GenerationSummary, 'isVisible' | 'finishedAt' | 'status' | 'usage'> | undefined,
): UsageCounts {
  const isCounted = generation?.isVisible === true;
  const status = isCounted && generation.finishedAt !== undefined ? generation.status : undefined;
  const usage = isCounted ? generation.usage : undefined;
  return {
    generations: Number(isCounted),
    succeeded: Number(status === 'SUCCEEDED'),
    failed: Number(status === 'FAILED'),
    canceled: Number(status === 'CANCELED'),
    unknown: Number(status === 'UNKNOWN'),
    withUsage: Number(usage !== undefined),
    ...fromNames(tokenCounts, (count) => Math.max(0, usage?.[count] ?? 0)),
  };
}
