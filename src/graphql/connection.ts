import type { ObjectRef } from '@pothos/core';
import { RequestError } from '../errors.ts';
import { once } from '../lib/once.ts';
import type { Position } from '../store/store.ts';
import type { Types } from './builder.ts';
import type { Graph } from './graph.ts';
import { shareable } from './subgraph/shareable.ts';
import { shared } from './shared-descriptions.ts';
import { nullable } from './field-options.ts';

export interface Edge<Item> {
  readonly cursor: string;
  readonly node: Item;
}

interface PageInfo {
  readonly hasNextPage: boolean | (() => Promise<boolean>);
  readonly hasPreviousPage: boolean;
}

export interface Connection<Item> {
  readonly edges: readonly Edge<Item>[];
  readonly pageInfo: PageInfo;
  /** Counts the whole list. Called only if a client selects the count, and once per selected field. */
  count(): Promise<Count>;
}

/** The length of a list. Counting stops at `maxCount`. */
export interface Count {
  readonly totalCount: number;
  readonly isTotalCapped: boolean;
}

export const maxCount = 10_000;

/** `counted` may be `maxCount + 1`: more than `maxCount`. */
export function toCount(counted: number): Count {
  return { totalCount: Math.min(counted, maxCount), isTotalCapped: counted > maxCount };
}

function pageInfoRef({ builder }: Graph) {
  return builder.objectRef<Connection<unknown>>('PageInfo').implement({
    description: 'Position of a page in its list.',
    extensions: shareable,
    fields: (t) => ({
      hasNextPage: t.boolean({
        description: 'Whether more items follow.',
        resolve: ({ pageInfo: { hasNextPage } }) =>
          typeof hasNextPage === 'function' ? hasNextPage() : hasNextPage,
      }),
      hasPreviousPage: t.boolean({
        description: 'Whether items precede this page.',
        resolve: ({ pageInfo }) => pageInfo.hasPreviousPage,
      }),
      startCursor: t.string({
        ...nullable('Null if the page is empty.'),
        resolve: ({ edges }) => edges[0]?.cursor,
      }),
      endCursor: t.string({
        ...nullable('Null if the page is empty.'),
        resolve: ({ edges }) => edges.at(-1)?.cursor,
      }),
    }),
  });
}

/** The connection and edge types over one node type. */
export function connectionType<Item, List extends Connection<Item> = Connection<Item>>(
  { builder, use }: Graph,
  name: string,
  node: ObjectRef<Types, Item>,
  noun: string,
) {
  const EdgeRef = builder.objectRef<Edge<Item>>(`${name}Edge`).implement({
    description: 'An item and its cursor.',
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: shared.cursor,
      }),
      node: t.field({
        type: node,
        resolve: (edge) => edge.node as never,
      }),
    }),
  });
  return builder.objectRef<List>(`${name}Connection`).implement({
    description: `A page of ${noun}.`,
    fields: (t) => ({
      edges: t.field({ type: [EdgeRef], resolve: (connection) => connection.edges }),
      pageInfo: t.field({
        type: use(pageInfoRef),
        resolve: (connection) => connection,
      }),
      totalCount: t.int({
        description: shared.totalCount,
        resolve: async (connection) => (await connection.count()).totalCount,
      }),
      isTotalCapped: t.boolean({
        description: shared.isTotalCapped,
        resolve: async (connection) => (await connection.count()).isTotalCapped,
      }),
    }),
  });
}

export const maxPageSize = 100;
export const defaultPageSize = 20;

/** @throws RequestError LIMIT_EXCEEDED, BAD_REQUEST */
export function checkPageSize(name: 'first' | 'last', value: number): number {
  if (value > maxPageSize)
    throw new RequestError(
      'LIMIT_EXCEEDED',
      `${name} must be at most ${maxPageSize}, received ${value}. Request smaller pages.`,
    );
  if (value < 0) throw new RequestError('BAD_REQUEST', `${name} must not be negative, received ${value}.`);
  return value;
}

/** A cursor is opaque JSON. */
export function packCursor(members: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(members), 'utf8').toString('base64url');
}

/** Cursors are shorter. A list of voices repeats a part of its cursor in the cursor of every voice. */
const maxCursorChars = 1000;

/** Undefined for any other text. */
export function unpackCursor(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > maxCursorChars) return undefined;
  try {
    const members: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(members) ? members : undefined;
  } catch {
    return undefined;
  }
}

/** `list` names the list and its order. A cursor is valid only for the same name. */
export function packPosition(list: string, { createdAt, id }: Position): string {
  return packCursor([list, createdAt, id]);
}

/** @throws RequestError BAD_REQUEST for any other text */
export function unpackPosition(
  list: string,
  cursor: string | null | undefined,
  argument: string,
): Position | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const [name, createdAt, id] = unpackCursor(cursor) ?? [];
  if (name !== list || typeof createdAt !== 'number' || !Number.isSafeInteger(createdAt))
    throw badCursor(argument);
  // Record ids have no other characters.
  if (typeof id !== 'string' || !/^[\w-]*$/.test(id)) throw badCursor(argument);
  return { createdAt, id };
}

interface ForwardList<Item> {
  /** As in `packPosition`. */
  readonly list: string;
  readonly first: number | null | undefined;
  readonly after: string | null | undefined;
  readonly read: (page: {
    readonly limit: number;
    readonly after: Position | undefined;
  }) => Promise<readonly Item[]>;
  /** Counts at most this many items. */
  readonly count: (limit: number) => Promise<number>;
}

/** Reads a page of a list that is read from its start. @throws RequestError LIMIT_EXCEEDED, BAD_REQUEST */
export async function readPage<Item extends Position>({
  list,
  first,
  after: cursor,
  read,
  count,
}: ForwardList<Item>): Promise<Connection<Item>> {
  const limit = checkPageSize('first', first ?? defaultPageSize);
  const after = unpackPosition(list, cursor, 'after');
  // One extra item shows whether another page exists.
  const found = await read({ limit: limit + 1, after });
  return {
    edges: found.slice(0, limit).map((node) => ({ cursor: packPosition(list, node), node })),
    pageInfo: { hasNextPage: found.length > limit, hasPreviousPage: after !== undefined },
    count: once(async () => toCount(await count(maxCount + 1))),
  };
}

export function badCursor(argument: string): RequestError {
  return new RequestError(
    'BAD_REQUEST',
    `${argument} is not a cursor of this list. Use a cursor that the list returned for the same filter and order.`,
  );
}
