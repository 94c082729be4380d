import type { GenerationFilter, GenerationOrder } from './documents.generated.ts';
import { type FeedEvent, type FeedItem, isBefore } from './feed-list.ts';

/** A generation as a feed sends it. A filter by a member that is not selected is not decided here. */
export interface ListedGeneration extends FeedItem {
  readonly kind?: string;
  readonly status?: string;
  readonly model?: string | null;
  readonly collection?: string | null;
  readonly firstTurn?: { readonly id: string } | null;
}

export type ListedEvent = FeedEvent<ListedGeneration>;
export type AppliedEvent = Exclude<ListedEvent, { readonly __typename: 'FeedReset' }>;
export type ChangeEvent = Extract<ListedEvent, { readonly __typename: 'GenerationChanged' }>;

/** Arguments of the field `generations`. */
export interface ListArguments {
  readonly filter?: GenerationFilter | null | undefined;
  readonly orderBy?: GenerationOrder | null | undefined;
  readonly last?: number | null | undefined;
}

/** Whether pages are read from the end of the list. They do not join those from its start, because items between may be missing. */
export function isFromEnd(list: ListArguments | null): boolean {
  return typeof list?.last === 'number';
}

/** Whether a list has the generation after this change. */
export function belongsTo({ filter }: ListArguments, { generation, matchesFilter }: ChangeEvent): boolean {
  const { kinds, statuses, models, collection, createdAfter, createdBefore, onlyFirstTurns } = filter ?? {};
  const isAmong = (
    wanted: readonly string[] | null | undefined,
    value: string | null | undefined,
  ): boolean => {
    if (!wanted) return true;
    return value === undefined ? matchesFilter : value !== null && wanted.includes(value);
  };
  const createdAt = Date.parse(generation.createdAt);
  return (
    isAmong(kinds, generation.kind) &&
    isAmong(statuses, generation.status) &&
    isAmong(models, generation.model) &&
    isAmong(collection ? [String(collection)] : null, generation.collection) &&
    // Null if the first turn was deleted.
    isAmong(onlyFirstTurns ? [generation.id] : null, generation.firstTurn && generation.firstTurn.id) &&
    (!createdAfter || createdAt > Date.parse(createdAfter)) &&
    (!createdBefore || createdAt < Date.parse(createdBefore))
  );
}

/** The index at which an item that a list does not have belongs into it: its length if all of its items come before. */
export function placeOf(
  { orderBy }: ListArguments,
  items: readonly (FeedItem | undefined)[],
  item: FeedItem,
): number {
  const isAscending = orderBy?.direction === 'ASC';
  const index = items.findIndex(
    (other) => other && (isAscending ? isBefore(other, item) : isBefore(item, other)),
  );
  return index === -1 ? items.length : index;
}
