import type { GenerationPage } from '../store/store.ts';
import type { Graph } from './graph.ts';

type Direction = 'ASC' | 'DESC';

export interface GenerationOrder {
  readonly field: 'CREATED_AT';
  readonly direction: Direction;
}

export const newestFirst: GenerationOrder = { field: 'CREATED_AT', direction: 'DESC' };

/** An order by the end would need one more index per filter combination (`list-generations.ts`), each written twice. */
function generationOrderFieldEnum({ builder }: Graph) {
  return builder.enumType('GenerationOrderField', {
    description: 'Field to sort generations by.',
    values: { CREATED_AT: { description: '`createdAt`.' } },
  } as const);
}

function orderDirectionEnum({ builder }: Graph) {
  return builder.enumType('OrderDirection', {
    description: 'Direction of a sort order.',
    values: {
      ASC: { description: 'Ascending: oldest first.' },
      DESC: { description: 'Descending: newest first.' },
    },
  } as const);
}

export function generationOrderInput({ builder, use }: Graph) {
  return builder.inputType('GenerationOrder', {
    description: 'Order of generations. Equal times are ordered by id.',
    fields: (t) => ({
      field: t.field({
        type: use(generationOrderFieldEnum),
        defaultValue: newestFirst.field,
      }),
      direction: t.field({
        type: use(orderDirectionEnum),
        defaultValue: newestFirst.direction,
      }),
    }),
  });
}

/** An order as a client gives it: any part can be null. */
export type OptionalOrder = {
  readonly [Part in keyof GenerationOrder]?: GenerationOrder[Part] | null | undefined;
};

export function toOrder(order: OptionalOrder | null | undefined): GenerationOrder {
  return {
    field: order?.field ?? newestFirst.field,
    direction: order?.direction ?? newestFirst.direction,
  };
}

interface Page<Item> {
  readonly page: GenerationPage;
  /** Restores the requested order of the items that the store returns. */
  arrange(items: readonly Item[]): readonly Item[];
}

/** Converts a page in any order to one of the store, which lists newest first: oldest first is the same list reversed. */
export function toStorePage<Item>(page: GenerationPage, { direction }: GenerationOrder): Page<Item> {
  if (direction === 'DESC') return { page, arrange: (items) => items };
  const { limit, after, before, fromEnd = false } = page;
  return {
    page: { limit, after: before, before: after, fromEnd: !fromEnd },
    arrange: (items) => items.toReversed(),
  };
}
