import type { Operation } from '../../generations/engine.ts';
import { maxPageSize } from '../../graphql/connection.ts';
import { readVoicePage } from './client.ts';
import type { PresetVoice } from './wire.ts';

/**
 * A position in the catalog: a page of the gateway and an index in it. An offset alone is not enough, because the gateway
 * may send fewer voices per page than requested.
 */
export interface CatalogPosition {
  /** The requested page size. Pages of another size begin at other voices. */
  readonly pageSize: number;
  /** From 1. */
  readonly page: number;
  /** The number of voices before it in its page. */
  readonly index: number;
  /** The number of voices before it in the catalog. */
  readonly offset: number;
  /** Digests of the first page and of the page before this one. */
  readonly earlier: readonly string[];
  /** The length of the catalog, if the gateway reported it. */
  readonly total?: number | undefined;
}

/** Consecutive voices of one page. */
export interface VoiceBatch {
  readonly voices: readonly PresetVoice[];
  /** The position after this number of its voices. */
  positionAfter(count: number): CatalogPosition;
}

export function startOfCatalog(pageSize: number): CatalogPosition {
  return { pageSize, page: 1, index: 0, offset: 0, earlier: [] };
}

/**
 * The voices from a position to the end of their page. Undefined at the end of the catalog: the reported total, an empty page
 * or a repeated page. A page that is shorter than requested is not an end. Gateways that ignore the page number, or replace
 * one that is too high, repeat a page.
 */
export async function readFrom(
  operation: Operation,
  position: CatalogPosition,
): Promise<VoiceBatch | undefined> {
  for (let next = position; ;) {
    if (isAtTotal(next)) return undefined;
    const { pageSize, page, index, offset, earlier } = next;
    const read = await readVoicePage(operation, { number: page, size: pageSize });
    if (read.isEmpty || (index === 0 && earlier.includes(read.digest()))) return undefined;
    const voices = index === 0 ? read.voices : read.voices.slice(index);
    const positionAfter = (count: number): CatalogPosition => {
      const after = { pageSize, offset: offset + count, total: read.total };
      return count < voices.length
        ? { ...after, page, index: index + count, earlier }
        : { ...after, page: page + 1, index: 0, earlier: [earlier[0] ?? read.digest(), read.digest()] };
    };
    if (voices.length > 0) return { voices, positionAfter };
    next = positionAfter(0);
  }
}

/** A total that equals the first page may be the size of that page, so the next page has to show the end. */
function isAtTotal({ total, offset, page }: CatalogPosition): boolean {
  return total === offset && page !== 2;
}

/**
 * Whether the reported total can be the length of the catalog: not if it is below the number of voices already read, or may be
 * the size of the first page.
 */
export function hasPlausibleTotal(
  position: CatalogPosition,
): position is CatalogPosition & { readonly total: number } {
  const { total, offset } = position;
  return total !== undefined && (total > offset || isAtTotal(position));
}

/** A search through the catalog reads at most this many voices and pages. */
export const maxVoicesRead = 10_000;
const maxPagesRead = maxVoicesRead / maxPageSize;

/** Whether a search has reached its limit. */
export function isBeyondSearchLimit({ page, offset }: CatalogPosition): boolean {
  return page > maxPagesRead || offset >= maxVoicesRead;
}
