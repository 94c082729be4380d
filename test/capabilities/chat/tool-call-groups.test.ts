import { expect, test } from 'vitest';
import { createToolCallGroups, type ToolCallPart } from '../../../src/capabilities/chat/tool-call-groups.ts';

const part = (fields: Omit<ToolCallPart, 'members'>): ToolCallPart => ({ ...fields, members: {} });

test.each([
  ['no index', {}],
  ['one index for all calls', { index: 0 }],
])('an id that comes before the name of the next call is that of the next call, with %s', (_how, place) => {
  const groups = createToolCallGroups();
  const add = (fields: Omit<ToolCallPart, 'members'>) => groups.add([part({ ...place, ...fields })], false);
  expect(add({ id: 'a', name: 'f', arguments: '{}' })).toMatchObject([
    { index: 0, id: 'a', name: 'f', arguments: '{}' },
  ]);
  expect(add({ id: 'b' })).toEqual([]);
  expect(add({ name: 'g', arguments: '{}' })).toMatchObject([
    { index: 1, id: 'b', name: 'g', arguments: '{}' },
  ]);
});
