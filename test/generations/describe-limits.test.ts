import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeLimits } from '../../src/generations/describe-limits.ts';

test('a rule is in words or as a schema, and one that is expressed in part is both', () => {
  const check = () => {};
  const schema = { minProperties: 1 };
  const described = describeLimits({
    members: z.object({}),
    declared: [],
    rules: {
      'In words.': check,
      'As a schema.': { check, schema },
      'In part.': { check, schema, isPart: true },
    },
  });
  expect(described).toMatchObject({
    allOf: [
      { description: 'As a schema.', ...schema },
      { description: 'In part.', ...schema },
    ],
  });
  expect(JSON.stringify(described)).toContain('["In words.","In part."]');
});
