import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findProblems, prune, type Schema, setAt, toLabel } from '../../src/playground/form/schema.ts';
import { toExamples } from '../../src/server/pages/playground.ts';
import { operations } from '../support/api-schema.ts';
import { startApp } from '../support/app.ts';
import { findCreates } from '../support/playground.ts';

const examples = toExamples(operations);

test('the example of every create is a form without a problem, and an empty form has some', async () => {
  await using app = await startApp();
  for (const field of findCreates()) {
    const input = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const { data } = await app.run<{ inputSchema: Schema }, object>(
      'query ($input: String!) { inputSchema(input: $input) }',
      { input },
    );
    const form = data?.inputSchema ?? {};
    const example = examples[field]?.['input'];
    expect(prune(example), field).toEqual(example);
    expect(findProblems(form, example), field).toEqual([]);
    expect(findProblems(form, {}), field).not.toEqual([]);
  }
});

const person: Schema = {
  properties: {
    name: { type: 'string' },
    size: { maxProperties: 1, properties: { inches: { type: 'number' }, word: { type: 'string' } } },
    home: { properties: { street: { type: 'string' } }, required: ['street'] },
    steps: { type: ['integer', 'null'], minimum: 1, maximum: 2_147_483_647 },
    imageId: { type: ['integer', 'string'], pattern: String.raw`^-?\d{1,100}$` },
    speed: { type: ['number', 'null'], minimum: 0.5, maximum: 2 },
    tags: { type: 'array', items: { type: 'string' } },
    extra: { $ref: '#/$defs/JSON' },
  },
  required: ['name'],
};

const wholeNumber = 'Must be a whole number from 1 to 2147483647.';

test.each<[problem: string, value: unknown, path: string, message: string]>([
  ['a missing member', {}, 'name', 'Required.'],
  ['a member of an optional object', { name: 'Ada', home: {} }, 'home.street', 'Required.'],
  ['an empty item of a list', { name: 'Ada', tags: ['one', ''] }, 'tags.1', 'Required.'],
  ['a choice that is not made', { name: 'Ada', size: {} }, 'size', 'Choose one.'],
  ['text that is no number', { name: 'Ada', size: { inches: '?' } }, 'size.inches', 'Not a number.'],
  ['a fraction of an integer', { name: 'Ada', steps: 1.5 }, 'steps', wholeNumber],
  ['an integer that GraphQL refuses', { name: 'Ada', steps: 2_147_483_648 }, 'steps', wholeNumber],
  ['a number below its limits', { name: 'Ada', speed: 0 }, 'speed', 'Must be a number from 0.5 to 2.'],
  ['a whole number beyond its limits', { name: 'Ada', steps: 0 }, 'steps', wholeNumber],
  ['text in place of a long number', { name: 'Ada', imageId: 'one' }, 'imageId', 'Not a number.'],
  ['text that is not JSON', { name: 'Ada', extra: '{' }, 'extra', 'Not valid JSON.'],
])('%s is a problem at its field', (_problem, value, path, message) => {
  expect(findProblems(person, value)).toEqual([{ path: path.split('.'), message }]);
});

test('a form changes the value at a path, and leaves out what is emptied', () => {
  const value = { name: 'Ada', tags: ['one', 'two'], home: { street: 'Main' } };
  expect(setAt(value, ['tags', '1'], 'three')).toEqual({ ...value, tags: ['one', 'three'] });
  expect(setAt({}, ['home', 'street'], 'Side')).toEqual({ home: { street: 'Side' } });
  expect(prune(setAt(value, ['home', 'street'], undefined))).toEqual({ name: 'Ada', tags: ['one', 'two'] });
  expect(prune(setAt(value, [], undefined))).toEqual({});
  expect(['aspectRatio', '0'].map(toLabel)).toEqual(['Aspect ratio', '1']);
});

test('the page has at most 2,700 lines, so that it reads as an example', () => {
  const files = globSync('src/playground/**/*.{ts,tsx,css,html}').filter(
    (file) => !/\.generated\./.test(file),
  );
  const lines = files.map((file) => readFileSync(file, 'utf8').split('\n').length - 1);
  expect(files.length).toBeGreaterThan(20);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2700);
});
