import { expect, test } from 'vitest';
import { z } from 'zod';
import { InvalidInputError } from '../../src/errors.ts';
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

function pathsOf(input: object): readonly string[] {
  try {
    checkInput(limits, input);
    return [];
  } catch (error) {
    if (error instanceof InvalidInputError) return error.issues.map(({ path }) => path.join('.'));
    throw error;
  }
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
