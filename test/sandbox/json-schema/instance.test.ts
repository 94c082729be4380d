import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { createInstance } from '../../../src/sandbox/json-schema/instance.ts';
import { UnsatisfiableSchema } from '../../../src/sandbox/json-schema/schema.ts';
import { createDice } from '../../../src/sandbox/random.ts';

const hints = { text: 'Book 2 seats to Paris on Friday for 42.5 euros', topics: ['seats to Paris'] };
const tree = {
  $ref: '#/$defs/node',
  $defs: {
    node: {
      type: 'object',
      properties: {
        value: { type: 'integer' },
        children: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      required: ['value', 'children'],
    },
  },
};

// These schemas are texts because an object with a member "then" looks like a promise.
const conditionalMember: unknown = JSON.parse(
  `{ "type": "object", "properties": { "k": { "enum": ["x", "y"] } }, "required": ["k"],
     "if": { "properties": { "k": { "const": "x" } } },
     "then": { "required": ["n"], "properties": { "n": { "type": "integer" } } } }`,
);
const conditionalBound: unknown = JSON.parse(
  `{ "type": "integer", "if": { "minimum": 50 }, "then": { "multipleOf": 10 }, "else": { "maximum": 9 } }`,
);

describe('an instance', () => {
  test.each<[string, unknown]>([
    ['anything', true],
    ['an empty schema', {}],
    ['nothing but properties', { properties: { a: { type: 'string' } }, required: ['a', 'b'] }],
    ['a type list', { type: ['null', 'integer'] }],
    ['only null', { type: 'null' }],
    ['enum of mixed values', { enum: [null, 1, 'a', { b: [2] }] }],
    ['enum narrowed by type', { type: 'integer', enum: ['a', 3] }],
    ['const of an object', { const: { a: { b: 1 } } }],
    ['string lengths', { type: 'string', minLength: 30, maxLength: 31 }],
    ['a short string', { type: 'string', maxLength: 2 }],
    ['astral characters count once', { type: 'string', pattern: '^😀{3}$', minLength: 3, maxLength: 3 }],
    ['patterns', { type: 'string', pattern: '^(?:v|V)\\d+\\.[a-f]{2,3}(-\\w+)?[^x\\s]$' }],
    ['an unanchored pattern', { type: 'string', pattern: 'ab|cd' }],
    ['a pattern and lengths', { type: 'string', pattern: '^[a-z]+$', minLength: 12, maxLength: 20 }],
    ['a pattern of properties', { type: 'string', pattern: '^\\p{L}+ \\p{N}$' }],
    ['integer bounds', { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 5 }],
    ['negative bounds', { type: 'number', maximum: -10 }],
    ['fractions', { type: 'number', minimum: 0.1, maximum: 0.2 }],
    ['multiples', { type: 'number', multipleOf: 0.25, minimum: 3.1, maximum: 3.4 }],
    ['large multiples', { type: 'integer', multipleOf: 7, minimum: 1000, maximum: 1006 }],
    ['tuples', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false }],
    ['many items', { type: 'array', items: { type: 'integer' }, minItems: 12, uniqueItems: true }],
    ['unique words', { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 3, uniqueItems: true }],
    ['contains', { type: 'array', items: { type: 'integer' }, contains: { minimum: 1000 } }],
    ['no items', { type: 'array', maxItems: 0 }],
    [
      'allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
          { properties: { a: { minimum: 90 } } },
        ],
      },
    ],
    [
      'anyOf',
      {
        anyOf: [
          { type: 'string', maxLength: 0 },
          { type: 'array', minItems: 1 },
        ],
      },
    ],
    ['oneOf', { type: 'integer', oneOf: [{ multipleOf: 3 }, { multipleOf: 5 }] }],
    [
      'oneOf with a discriminator',
      {
        type: 'object',
        oneOf: [
          { properties: { t: { const: 'a' } }, required: ['t'] },
          { properties: { t: { const: 'b' }, n: { type: 'number' } }, required: ['t', 'n'] },
        ],
      },
    ],
    ['not', { type: 'string', not: { maxLength: 3 } }],
    ['if and then', conditionalMember],
    ['if and else', conditionalBound],
    ['closed objects', { type: 'object', properties: { a: {} }, additionalProperties: false }],
    [
      'object sizes',
      { type: 'object', minProperties: 3, maxProperties: 3, additionalProperties: { type: 'integer' } },
    ],
    [
      'pattern properties',
      {
        type: 'object',
        patternProperties: { '^x-': { type: 'boolean' } },
        required: ['x-a'],
        additionalProperties: false,
      },
    ],
    [
      'dependent members',
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'string' } },
        dependentRequired: { a: ['b'] },
      },
    ],
    ['a forbidden member', { type: 'object', properties: { a: false, b: true } }],
    ['recursion', tree],
    [
      'recursion by way of the root',
      {
        type: 'object',
        properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } },
        required: ['next'],
      },
    ],
    ['an escaped pointer', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: 'boolean' } } }],
    ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here', type: 'boolean' } } }],
    [
      'a reference beside keywords',
      { $ref: '#/$defs/n', maximum: 5, $defs: { n: { type: 'integer', minimum: 5 } } },
    ],
    [
      'a name of Object.prototype',
      {
        type: 'object',
        properties: { toString: { type: 'integer' }, __proto__x: {} },
        required: ['constructor', 'toString'],
      },
    ],
  ])('satisfies %s', (_name, schema) => {
    const validate = new Ajv2020({ strict: false }).compile(schema as object);
    for (let seed = 0; seed < 15; seed += 1) {
      const value = createInstance({ schema, dice: createDice(String(seed)), hints });
      validate(value);
      expect({ value, errors: validate.errors }).toEqual({ value, errors: null });
    }
  });

  test('uses values from the text where they satisfy the schema', () => {
    const schema = {
      type: 'object',
      properties: {
        city: { type: 'string' },
        seats: { type: 'integer', maximum: 10 },
        day: { enum: ['Thursday', 'Friday'] },
        price: { type: 'number', minimum: 10 },
      },
    };
    const value = createInstance({ schema, dice: createDice('1'), hints });
    expect(value).toEqual({ city: 'Paris', seats: 2, day: 'Friday', price: 42.5 });
  });

  test.each<[string, unknown]>([
    ['false', false],
    ['no schema', 5],
    ['an unknown type', { type: 'decimal' }],
    ['bounds that exclude each other', { type: 'integer', minimum: 5, maximum: 4 }],
    ['lengths that exclude each other', { type: 'string', minLength: 5, maxLength: 4 }],
    ['a const of the wrong type', { type: 'string', const: 5 }],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }],
    ['a reference with a broken escape', { $ref: '#/%E0%A4%A' }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema' }],
    ['a reference to itself', { $ref: '#' }],
    ['endless nesting', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    ['endless branching', { type: 'array', items: { $ref: '#' }, minItems: 3 }],
    ['an endless array', { type: 'array', minItems: 1_000_000_000 }],
    [
      'arrays of arrays without end',
      { type: 'array', minItems: 2000, items: { type: 'array', minItems: 2000 } },
    ],
    ['an endless string', { type: 'string', minLength: 1_000_000_000 }],
    ['a keyword of the wrong kind', { type: 'object', properties: [] }],
  ])('cannot be made of %s', (_name, schema) => {
    expect(() => createInstance({ schema, dice: createDice('1'), hints })).toThrow(UnsatisfiableSchema);
  });
});
