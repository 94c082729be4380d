import { type FragmentDefinitionNode, Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { anyVariables, countRecords } from '../../../src/server/operation/operation-cost.ts';
import { schema } from '../../support/api-schema.ts';

function count(source: string, variables: unknown = {}): number {
  const { definitions } = parse(source);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const operation = definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('there is no operation');
  return countRecords({ schema, operation, fragments, variables });
}

const byIds = 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }';
const page = 'query ($first: Int) { generations(first: $first) { edges { node { id task { id } } } } }';

test.each<[name: string, source: string, variables: unknown, records: number]>([
  ['no record', '{ __typename __schema { types { name } } }', {}, 0],
  ['a record and its task', '{ generation(by: { id: "x" }) { id task { id } } }', {}, 2],
  ['a default page', '{ generations { edges { node { id } } } }', {}, 20],
  ['a page and its information', '{ generations(last: 7) { count pageInfo { hasNextPage } } }', {}, 0],
  ['a page of a variable', page, { first: 3 }, 6],
  ['a page of a negative size', page, { first: -3 }, 0],
  ['a page of a size that is no number', page, { first: 'many' }, 40],
  ['a page of any size', page, anyVariables, 200],
  [
    'a page of conversations',
    '{ generations(first: 9, filter: { onlyFirstTurns: true }) { edges { node { newestTurn { id } } } } }',
    {},
    18,
  ],
  ['ids', '{ nodes(ids: ["a", "b", "c"]) { id } }', {}, 3],
  [
    'a default of a variable with the name of a method',
    'query ($toString: [ID!]! = ["a", "b"], $valueOf: Int = 3) { nodes(ids: $toString) { id } generations(first: $valueOf) { edges { node { id } } } }',
    {},
    5,
  ],
  ['ids of a variable', byIds, { ids: ['a', 'b'] }, 2],
  ['any ids', byIds, anyVariables, 100],
  ['an event of a subscription by many ids', 'subscription { tasksProgress(ids: ["a", "b"]) { id } }', {}, 1],
  ['aliases', '{ a: generation(by: { id: "x" }) { id } b: generation(by: { id: "y" }) { id } }', {}, 2],
  ['an alias twice', '{ a: nodes(ids: ["x"]) { id } a: nodes(ids: ["x"]) { __typename } }', {}, 1],
])('%s: the cost is counted', (_name, source, variables, records) => {
  expect(count(source, variables)).toBe(records);
});
