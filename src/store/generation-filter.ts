import {
  conversationKind,
  type GenerationKind,
  type GenerationSummary,
  type ShownStatus,
} from './records.ts';
import { type CanRead, shownStatus } from './shown-status.ts';

export interface GenerationFilter {
  readonly kinds?: readonly GenerationKind[] | undefined;
  /** Statuses as clients see them. */
  readonly statuses?: readonly ShownStatus[] | undefined;
  readonly models?: readonly string[] | undefined;
  readonly collection?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  /** Only those that begin a conversation. With `statuses` or `models`, the cost depends on the number of generations. */
  readonly onlyFirstTurns?: boolean | undefined;
  /** Decides between SUBMITTED and the stored status of an unfinished task. @default all tasks can be read */
  readonly canRead?: CanRead | undefined;
}

/** Whether a generation matches the filter. */
export function isMatch(generation: GenerationSummary, filter: GenerationFilter): boolean {
  return (
    (!filter.kinds || filter.kinds.includes(generation.kind)) &&
    (!filter.statuses || filter.statuses.includes(shownStatus(generation, filter.canRead))) &&
    (!filter.models || (generation.model !== undefined && filter.models.includes(generation.model))) &&
    (filter.collection === undefined || filter.collection === generation.collection) &&
    (!filter.onlyFirstTurns || (generation.kind === conversationKind && generation.turn === undefined)) &&
    (filter.createdAfter === undefined || generation.createdAt > filter.createdAfter) &&
    (filter.createdBefore === undefined || generation.createdAt < filter.createdBefore)
  );
}
