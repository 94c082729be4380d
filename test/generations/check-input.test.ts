import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { type InputIssue, InvalidInputError } from '../../src/errors.ts';
import { checkInput, type InputLimits } from '../../src/generations/check-input.ts';

interface Input {
  readonly images?: object | null;
  readonly character?: object | null;
}

const none = { members: z.object({}), rules: {} };
const limits: InputLimits<Input> = {
  ...none,
  declared: ['size'],
  alternatives: {
    images: { ...none, declared: ['model'] },
    character: { ...none, declared: ['model', 'duration'] },
  },
};

function issuesOf(input: object, given: InputLimits<object> = limits): readonly InputIssue[] {
  try {
    checkInput(given, input);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues;
    throw error;
  }
}

function pathsOf(input: object): readonly string[] {
  return issuesOf(input).map(({ path }) => path.join('.'));
}

test('extra accepts undeclared members in the input and in each alternative', () => {
  expect(pathsOf({ extra: { seed: 1 }, images: { extra: { size: 'x', duration: 5 } } })).toEqual([]);
  expect(pathsOf({ images: null, character: undefined, extra: null })).toEqual([]);
});

test('extra rejects declared members and stream in the input and in each alternative', () => {
  expect(
    pathsOf({ extra: { size: 1, stream: true }, character: { extra: { duration: 5, stream: true, x: 1 } } }),
  ).toEqual([
    'input.character.extra.duration',
    'input.character.extra.stream',
    'input.extra.size',
    'input.extra.stream',
  ]);
  expect(pathsOf({ images: { extra: [1] } })).toEqual(['input.images.extra']);
});

test('a name of extra is folded once, however many members are declared', () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => normalize.mockRestore());
  const declared = Array.from({ length: 50 }, (_, index) => `declared_${index}`);
  const extra = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`name_${index}`, index]));
  expect(issuesOf({ extra }, { ...none, declared })).toEqual([]);
  expect(normalize.mock.calls.length).toBeLessThan(1100);
});

test('problems are in the order of their paths, with numbers by their value', () => {
  const item = z.object({ name: z.string().min(1) });
  const items = { members: z.object({ items: z.array(item) }), declared: [] };
  const values = Array.from({ length: 12 }, () => ({ name: '' }));
  expect(issuesOf({ items: values }, items).map(({ path }) => path[2])).toEqual(
    values.map((_, index) => String(index)),
  );
});

test.each([
  [z.string().max(3), 'abcd', 'at most 3 characters'],
  [z.string().min(2), 'a', 'at least 2 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'at most 1 item'],
  [z.array(z.string()).min(2), ['a'], 'at least 2 items'],
  [z.number().max(5), 6, 'at most 5'],
  [z.number().lt(5), 5, 'less than 5'],
  [z.number().min(0), -1, 'at least 0'],
])('a limit has its unit (%#)', (schema, value, limit) => {
  const limited = { ...none, members: z.object({ value: schema }), declared: [] };
  expect(issuesOf({ value }, limited)).toMatchObject([
    { path: ['input', 'value'], limit, message: `Must be ${limit}.` },
  ]);
});

test.each(['', ' ', '\n\t'])('a text that must not be blank says so: %j', (value) => {
  const limited = { ...none, members: z.object({ value: z.string().trim().min(1) }), declared: [] };
  expect(issuesOf({ value }, limited)).toMatchObject([
    { path: ['input', 'value'], limit: 'not blank', message: 'Must not be blank.' },
  ]);
});

test.each([
  [[], '0 items'],
  [['a'], '1 item'],
  [['a', 'b'], '2 items'],
])('a received list shows its length (%#)', (value, received) => {
  const limited = { ...none, members: z.object({ value: z.array(z.string()).min(3) }), declared: [] };
  expect(issuesOf({ value }, limited)).toMatchObject([{ received }]);
});
