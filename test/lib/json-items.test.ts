import { describe, expect, test } from 'vitest';
import { compareListedObjects, findListedObjects, keepListedObjects } from '../../src/lib/json-items.ts';

const objects = [{ a: 'x"]},{' }, { b: '\\' }, { c: [{ d: [1] }, '\\"'] }, {}];

describe.each([
  ['compact', (value: unknown) => JSON.stringify(value)],
  ['indented', (value: unknown) => JSON.stringify(value, undefined, 2)],
])('the objects in a list of %s JSON', (_name, write) => {
  const text = write({ message: 'a [text]: "', data: objects, more: [1, { e: 2 }] });

  test('are found, whatever their strings contain', () => {
    const found = findListedObjects(text);
    expect(found?.starts.map((start, index) => JSON.parse(text.slice(start, found.ends[index])))).toEqual(
      objects,
    );
  });

  test('are compared one by one, and the text with only some of them is JSON', () => {
    const before = findListedObjects(text);
    const after = write({ message: 'other', data: [objects[0], { b: 'longer' }, objects[2], { new: 1 }] });
    const compared = before && compareListedObjects(after, before);
    expect(compared?.changed).toEqual([1, 3]);
    const part = compared && keepListedObjects(compared.objects, compared.changed);
    expect(JSON.parse(part ?? '')).toEqual({ message: 'other', data: [{ b: 'longer' }, { new: 1 }] });
    expect(before && compareListedObjects(text, before)?.changed).toEqual([]);
  });

  test('may be more or fewer than before', () => {
    const before = findListedObjects(text);
    const shown = (data: readonly object[]) =>
      before && compareListedObjects(write({ data }), before)?.changed;
    expect(shown([{ a: 1 }, ...objects])).toEqual([0, 1, 2, 3, 4]);
    expect(shown([...objects, { e: 1 }])).toEqual([4]);
    expect(shown(objects.slice(0, 2))).toEqual([]);
  });
});

test.each(['', 'null', '{}', '[]', '[1]', '[{},1]', '[{}', '[{"a', '[{"a\\"', '{"a":"[{}]"}', '[{} {}]'])(
  'there is no list of objects in %j',
  (text) => {
    expect(findListedObjects(text)).toBeUndefined();
  },
);
