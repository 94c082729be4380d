import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { ask, postChat, readChunks, readError, joinChunks, startSandbox, user } from '../support.ts';

const sandbox = await startSandbox();

describe('json_object', () => {
  test('is a JSON object', async () => {
    const text = await ask(sandbox, {
      messages: user('Describe owls as JSON'),
      response_format: { type: 'json_object' },
    });
    expect(JSON.parse(text)).toMatchObject({
      topic: expect.any(String),
      summary: expect.stringMatching(/owls/i),
    });
  });

  test('has the members that the prompt names', async () => {
    const names = async (prompt: string): Promise<string[]> =>
      Object.keys(
        JSON.parse(
          await ask(sandbox, { messages: user(prompt), response_format: { type: 'json_object' } }),
        ) as object,
      );
    expect(await names('Return JSON with keys name, age and tags')).toEqual(['name', 'age', 'tags']);
    expect(await names('Give me json: "title" and "year" of a book')).toEqual(['title', 'year']);
  });

  test('accepts the word JSON in any message', async () => {
    const messages = [{ role: 'system', content: 'Answer in JSON.' }, ...user('Describe owls')];
    expect(JSON.parse(await ask(sandbox, { messages, response_format: { type: 'json_object' } }))).toBeTypeOf(
      'object',
    );
  });
});

const recipe = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 3, maxLength: 40 },
    kind: { enum: ['soup', 'cake', 'salad'] },
    version: { const: 2 },
    minutes: { type: 'integer', minimum: 5, maximum: 240, multipleOf: 5 },
    rating: { type: 'number', exclusiveMinimum: 0, maximum: 5 },
    ingredients: { type: 'array', minItems: 2, maxItems: 6, items: { $ref: '#/$defs/ingredient' } },
    author: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    parent: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
    contact: { type: ['string', 'null'], format: 'email' },
    code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3,4}$' },
  },
  required: [
    'title',
    'kind',
    'version',
    'minutes',
    'rating',
    'ingredients',
    'author',
    'parent',
    'contact',
    'code',
  ],
  additionalProperties: false,
  $defs: {
    ingredient: {
      type: 'object',
      properties: { name: { type: 'string' }, grams: { type: 'number', minimum: 1 } },
      required: ['name', 'grams'],
      additionalProperties: false,
    },
  },
};

describe('json_schema', () => {
  test('is JSON that satisfies the schema for every seed, whole and streamed', async () => {
    const validate = new Ajv({ strict: false, formats: { email: /^\S+@\S+$/ } }).compile(recipe);
    for (let seed = 0; seed < 20; seed += 1) {
      const request = {
        messages: user('A recipe for a cake, please'),
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'recipe', strict: true, schema: recipe },
        },
        seed,
      };
      const text = await ask(sandbox, request);
      const value: unknown = JSON.parse(text);
      validate(value);
      expect(validate.errors).toBeNull();
      expect(value).toMatchObject({ kind: 'cake' });
      if (seed > 2) continue;
      const chunks = await readChunks(await postChat(sandbox, { ...request, stream: true }));
      expect(joinChunks(chunks)[0]?.message.content).toBe(text);
    }
  });

  test('accepts a bare schema, or no schema', async () => {
    const json = async (json_schema: unknown): Promise<unknown> =>
      JSON.parse(
        await ask(sandbox, { messages: user('x'), response_format: { type: 'json_schema', json_schema } }),
      );
    expect(await json({ type: 'array', items: { const: 1 }, minItems: 3, maxItems: 3 })).toEqual([1, 1, 1]);
    expect(await json({ name: 'anything' })).toEqual({});
  });

  test('gives way to a tool call', async () => {
    const request = {
      messages: user('ping'),
      tools: [{ type: 'function', function: { name: 'ping' } }],
      response_format: { type: 'json_schema', json_schema: { schema: recipe } },
    };
    expect(await ask(sandbox, request)).toBe('');
  });
});

test.each([
  ['^[a-z]+(-[a-z]+)*$', /^[a-z]+(-[a-z]+)*$/],
  ['^(\\d{1,3}\\.){3}\\d{1,3}$', /^(\d{1,3}\.){3}\d{1,3}$/],
  ['^([A-Z]{2}\\d{4}){2,20}$', /^([A-Z]{2}\d{4}){2,20}$/],
  ['^(?:[A-Za-z]+ ?)+$', /^(?:[A-Za-z]+ ?)+$/],
])('an ordinary pattern with repetitions is satisfied: %s', async (pattern, expression) => {
  const schema = { type: 'object', properties: { a: { type: 'string', pattern } }, required: ['a'] };
  const request = {
    messages: user('x'),
    response_format: { type: 'json_schema', json_schema: { schema } },
  };
  expect((JSON.parse(await ask(sandbox, request)) as { a: string }).a).toMatch(expression);
});

describe('a hostile schema', () => {
  const deep = (levels: number): unknown => (levels === 0 ? {} : { not: deep(levels - 1) });

  test.each<[string, unknown]>([
    ['a pattern that backtracks', { type: 'string', pattern: '^(?!(a+)+!$)a{60}$' }],
    ['a pattern with nested repetition', { type: 'string', pattern: '(a{1000}){1000}' }],
    [
      'a pattern with deeper nested repetition',
      { type: 'string', pattern: '^(((a{1000}){1000}){1000}){1000}$' },
    ],
    [
      'optional repetitions in each other',
      { type: 'string', pattern: '((((((a{0,9}){0,9}){0,9}){0,9}){0,9}){0,9}){0,9}' },
    ],
    ['a repetition of a repetition', { type: 'string', pattern: '^(?:(a+)|b)*!{20}$' }],
    ['alternatives that overlap', { type: 'string', pattern: '(?=(a|a)*!)a{60}' }],
    ['optional items that backtrack', { type: 'string', pattern: '(a?){500}a{500}' }],
    [
      'a pattern on a long string',
      { type: 'string', minLength: 90_000, pattern: '(a|b){100}(a|b){100}!$', maxLength: 99_000 },
    ],
    ['many unique items', { minItems: 10_000, uniqueItems: true, items: { type: 'integer' } }],
    [
      'unique items of few values',
      { minItems: 3000, uniqueItems: true, items: { type: 'array', items: { enum: [1, 2] }, maxItems: 2 } },
    ],
    [
      'words that never fit',
      { type: 'integer', enum: Array.from({ length: 20_000 }, (_, word) => `w${word}`) },
    ],
    [
      'references that double',
      {
        $ref: '#/$defs/a40',
        $defs: Object.fromEntries(
          Array.from({ length: 41 }, (_, level) => {
            const inner = { $ref: `#/$defs/a${level - 1}` };
            return [`a${level}`, level === 0 ? { type: 'string' } : { allOf: [inner, inner] }];
          }),
        ),
      },
    ],
    ['endless members', { type: 'object', minProperties: 1_000_000_000 }],
    ['an empty repetition', { type: 'string', pattern: '^(){1000000000}b$', minLength: 5 }],
    [
      'a property pattern that backtracks',
      {
        type: 'object',
        required: [`${'a'.repeat(60)}!`],
        patternProperties: { '^(a+)+$': {} },
        additionalProperties: false,
      },
    ],
    ['deep nesting', deep(2000)],
    ['a schema of many megabytes', { const: 'x'.repeat(4_000_000) }],
    ['long member names in long arrays', { minItems: 5000, items: { required: ['x'.repeat(100_000)] } }],
    ['long strings in long arrays', { minItems: 5000, items: { type: 'string', minLength: 90_000 } }],
    [
      'branches that multiply',
      {
        $ref: '#/$defs/a20',
        $defs: Object.fromEntries(
          Array.from({ length: 21 }, (_, level) => {
            const inner = level === 0 ? { type: 'null', not: {} } : { $ref: `#/$defs/a${level - 1}` };
            return [`a${level}`, { anyOf: [inner, { allOf: [inner] }, { oneOf: [inner] }] }];
          }),
        ),
      },
    ],
    ['a remote reference', { $ref: 'http://127.0.0.1:9/schema.json' }],
    [
      'a reference cycle',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    ],
  ])('with %s is refused in bounded time', async (_name, schema) => {
    const startedAt = process.threadCpuUsage();
    const response = await postChat(sandbox, {
      messages: user('x'),
      n: 20,
      response_format: { type: 'json_schema', json_schema: { schema } },
    });
    expect(await readError(response)).toMatchObject({ status: 400, code: 'invalid_request' });
    // Processor time of this thread, which also runs the sandbox. Unbounded work takes minutes.
    const used = process.threadCpuUsage(startedAt);
    expect((used.user + used.system) / 1000).toBeLessThan(2000);
  });
});
