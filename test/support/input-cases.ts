import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { asSchema, type JsonSchema, valuesAround } from './schema-cases.ts';

/** A validator that takes the schemas of `inputSchema` without a complaint. */
export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, validateFormats: false });
  return ajv.addKeyword('x-rules');
}

/** Makes inputs of one type from its JSON Schema: valid ones, ones that break a rule across members, and broken ones. */
export function createInputs(document: JsonSchema, random: () => number): () => unknown {
  const ajv = createAjv();
  const validators = new Map<JsonSchema, ValidateFunction>();
  const isValidLeaf = (schema: JsonSchema, value: unknown): boolean => {
    const known = validators.get(schema);
    const validate = known ?? ajv.compile({ $defs: document['$defs'], ...schema });
    if (!known) validators.set(schema, validate);
    return validate(value);
  };
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];

  const candidates = new Map<
    JsonSchema,
    { readonly all: readonly unknown[]; readonly valid: readonly unknown[] }
  >();
  const candidatesOf = (schema: JsonSchema) => {
    const known = candidates.get(schema);
    if (known) return known;
    const all = [...valuesAround(schema), ...anyValues];
    const made = { all, valid: all.filter((value) => isValidLeaf(schema, value)) };
    candidates.set(schema, made);
    return made;
  };

  /** `broken` is the chance that a part is anything. */
  const make = (schema: JsonSchema, broken: number): unknown => {
    const types = [schema['type']].flat();
    if (types.includes('null') && random() < 0.05) return null;
    if (schema['properties'] !== undefined) {
      return random() < broken / 10 ? pick(anyValues) : makeObject(schema, broken);
    }
    if (schema['items'] !== undefined && types.includes('array')) return makeList(schema, broken);
    const { all, valid } = candidatesOf(schema);
    const value = pick(random() < broken || valid.length === 0 ? all : valid);
    // Long texts are slow to count.
    return typeof value === 'string' && value.length > 20_000 && random() < 0.9 ? pick(valid) : value;
  };

  const makeObject = (schema: JsonSchema, broken: number): unknown => {
    const properties = asSchema(schema['properties']);
    const names = Object.keys(properties);
    const required = new Set([schema['required'] ?? []].flat());
    const chosen =
      schema['minProperties'] === 1
        ? names.filter((name) => name === pick(names) || random() < broken / 10).slice(0, 2)
        : names.filter((name) =>
            required.has(name) ? random() >= broken / 10 : random() < Math.min(0.5, 4 / names.length),
          );
    const one =
      schema['minProperties'] === 1 && chosen.length === 0 && random() >= broken / 10
        ? pick(names)
        : undefined;
    const members = [...chosen, ...(one === undefined ? [] : [one])].map((name) => [
      name,
      make(asSchema(properties[name]), broken),
    ]);
    return Object.fromEntries([...members, ...(random() < broken / 10 ? [['noSuchMember', 1]] : [])]);
  };

  const makeList = (schema: JsonSchema, broken: number): unknown => {
    // GraphQL takes most other values for a list of one, which the schema leaves out.
    if (random() < broken / 10) return true;
    const { minItems = 0, maxItems = Number(minItems) + 2 } = schema;
    const [fewest, most] = [Number(minItems), Number(maxItems)];
    const length =
      random() < broken
        ? (pick([fewest - 1, most + 1]) ?? 0)
        : fewest + Math.floor(random() * (most - fewest + 1));
    return Array.from({ length: Math.max(0, length) }, () => make(asSchema(schema['items']), broken));
  };

  const isValid = ajv.compile(document);
  const makeValid = (): unknown => {
    let input = make(document, 0);
    for (let tries = 0; tries < 50 && !isValid(input); tries += 1) input = make(document, 0);
    return input;
  };
  return () => (random() < 0.4 ? makeValid() : make(document, 0.05 + 0.4 * random()));
}

const nested = (depth: number): unknown => JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth));

/** The head of a PNG, which has its size. */
function toPng(width: number, hasAlpha: boolean): string {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  const size = Buffer.alloc(8, 0);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(1, 4);
  const rest = Buffer.from([8, hasAlpha ? 6 : 2, 0, 0, 0, 0, 0, 0, 0]);
  const data = Buffer.from('00000000494441540000000000000000', 'hex');
  return `data:image/png;base64,${Buffer.concat([head, size, rest, data]).toString('base64')}`;
}

const png = toPng(1, true);

/** Values of each type that rules are about, valid and not. */
const anyValues: readonly unknown[] = [
  [
    '',
    ' ',
    '\u00a0',
    '\u2028',
    '\ufeff',
    'x',
    'json',
    'Some JSON',
    '\ud83d\ude00',
    '\ud800',
    '\u0007',
    'a b',
  ],
  ['sora-2', ' Sora-2-2026-01-01 ', 'sora-2-pro', 'gpt-image-1', 'dall-e-2', 'dall-e-3', 'DALL-E-3'],
  ['seedream-4', 'my Doubao', '.', '..', '...', 'a/b', 'a\\b', 'a,b', 'a\nb', ' , ', '/b', 'a/ ', ' /b'],
  [
    'image/png',
    'image/png; a=b',
    'image',
    'image/png;\n',
    'aGk=',
    'aGk',
    'aGkab',
    'a===',
    'aG-_',
    'aG+/',
    '=',
  ],
  ['{}', '{"a":', '10.0.0.1', '10.0.0.0/8', '10.0.0.0/33', '::1', 'fe80::/10', '1::2::3', 'a.b.c.d'],
  [
    '处理/(chu3)(li3)',
    '处理/(chu3)',
    '处理/chu3li3',
    'word/an(d)',
    'Hi <#0.5#> you',
    'Hi <#0#> you',
    '<#1#> hi',
  ],
  [
    'https://example.com/a.png',
    'HTTPS://example.com/a',
    'https://example.com/a.mp4',
    'http://[',
    'https://a b',
  ],
  [
    'ftp://example.com/a.png',
    png,
    toPng(2, true),
    toPng(2, false),
    png.replace('data:image/png', 'Data:Image/PNG;a=b'),
    `${png.slice(0, 22)}AAAA`,
  ],
  [
    'data:image/png;base64,',
    'data:image/tiff;base64,AAAA',
    'data:text/plain;base64,AAAA',
    'data:image/png,AAAA',
  ],
  ['2100-01-01T00:00:00Z', '2100-01-01t24:00:00.0z', '2100-13-01T00:00:00Z', '2100-01-01T00:00:00+24:00'],
  [
    '1960-01-01T00:00:00Z',
    '2100-01-01T00:00:00',
    '2100-02-28T23:59:59.123-23:59',
    '2100-02-29T00:00:00Z',
    '2104-02-29T00:00:00Z',
    '2100-02-30T00:00:00Z',
    '2100-06-31T00:00:00Z',
    '9007199254740993',
    '-5',
    '-0',
  ],
  [
    '1'.repeat(101),
    'abcdefgh',
    'abcdefg-',
    '1abcdefg',
    'ab_cd-ef',
    'ab cdefg',
    'y'.repeat(200),
    'y'.repeat(201),
  ],
  [0, 1, -1, 0.5, 2.5, 10, 11, 25, 100, -100, -100.5, 0.000001, 0.000002, 2 ** 31, 2 ** 53, -(2 ** 53), 1e20],
  [true, false, null, [], {}, [1], { mood: 1 }, { functions: [] }, { functions: [{ name: 'x' }] }],
  [
    { functions: null },
    { functions: { name: 'json' } },
    { tools: [] },
    { Tools: [] },
    { 'tool-s': 1 },
    { stream: true },
  ],
  [{ STREAM: 1 }, { Max_Tokens: 1 }, { maxTokens: 1 }, { model: 'x' }, { MODEL: 'x' }, { prompt: 'x' }],
  [{ 50256: -100 }, { 50256: -101 }, { 50256: '1' }, { enable_thinking: true }, { enable_thinking: 1 }],
  [{ google: {} }, { google: null }, { Google: {} }, nested(100), nested(101)],
  ['{"__proto__":1}', '{"a":[{"__proto__":{}}]}', '{"constructor":1}'].map((text): unknown =>
    JSON.parse(text),
  ),
].flat();
