import type { GenerationFilter } from '../../src/store/generation-filter.ts';
import type { GenerationPage } from '../../src/store/store.ts';

const kind = ['kind', 'CHAT'] as const;
const status = ['status', 'FAILED'] as const;
const openTask = ['open_task', '-'] as const;
const model = ['model', '"m"'] as const;
const collection = ['group_id', '"g"'] as const;

const firstTurns = { onlyFirstTurns: true };

/** Index ranges for the filter combinations, with the index of each. */
export const branches = [
  ['by_time', [], '', {}],
  ['by_kind', [kind, status, openTask], ' AND kind=? AND status=? AND open_task=?', {}],
  ['by_model', [model, kind, status, openTask], ' AND model=? AND kind=? AND status=? AND open_task=?', {}],
  ['by_group', [collection], ' AND group_id=?', {}],
  ['first_turns', [], '', firstTurns],
  ['first_turns_by_group', [collection], ' AND group_id=?', firstTurns],
  [
    'by_group_and_more',
    [collection, kind, status, openTask, model],
    ' AND group_id=? AND kind=? AND status=? AND open_task=? AND model=?',
    {},
  ],
] as const;

const place = { createdAt: 5, id: 'generation_x' };
export const pages: readonly (readonly [string, GenerationPage, GenerationFilter])[] = [
  ['first', { limit: 21 }, {}],
  ['later', { limit: 21, after: place }, {}],
  ['last', { limit: 21, fromEnd: true, before: place }, {}],
  ['oldest', { limit: 21, fromEnd: true }, {}],
  ['dated', { limit: 21, after: place }, { createdAfter: 1, createdBefore: 9 }],
];

/** Columns whose distinct values are read, with the index of each and the columns before it. */
export const distinctColumns = [
  ['kinds', 'by_kind', [], 'kind', ''],
  ['statuses', 'by_kind', [kind], 'status', ' AND kind=?'],
  ['unfinished tasks', 'by_kind', [kind, status], 'open_task', ' AND kind=? AND status=?'],
  ['kinds of a model', 'by_model', [model], 'kind', ' AND model=?'],
  ['statuses of a model', 'by_model', [model, kind], 'status', ' AND model=? AND kind=?'],
  [
    'unfinished tasks of a model',
    'by_model',
    [model, kind, status],
    'open_task',
    ' AND model=? AND kind=? AND status=?',
  ],
  ['kinds of a collection', 'by_group_and_more', [collection], 'kind', ' AND group_id=?'],
  [
    'statuses of a collection',
    'by_group_and_more',
    [collection, kind],
    'status',
    ' AND group_id=? AND kind=?',
  ],
  [
    'unfinished tasks of a collection',
    'by_group_and_more',
    [collection, kind, status],
    'open_task',
    ' AND group_id=? AND kind=? AND status=?',
  ],
  [
    'models of a collection',
    'by_group_and_more',
    [collection, kind, status, openTask],
    'model',
    ' AND group_id=? AND kind=? AND status=? AND open_task=?',
  ],
] as const;

/** Columns whose wanted values are searched, with the index of each and the columns before it. */
export const wantedColumns = [
  ['models', 'by_model', [], 'model', ''],
  ...distinctColumns.filter(([, , , column]) => column !== 'open_task'),
] as const;
