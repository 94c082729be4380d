import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  buildSchema,
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  isAbstractType,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  validateSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from './support/api-schema.ts';
import { findOddWording } from './support/odd-wording.ts';

const root = resolve(import.meta.dirname, '..');
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

interface Part {
  readonly name: string;
  readonly description: string | null | undefined;
  /** Of a member. The description of its type serves one that has none. */
  readonly type?: GraphQLNamedType;
}

function partsOf(type: GraphQLNamedType): readonly Part[] {
  const own = [{ name: type.name, description: type.description }];
  const toPart = (
    name: string,
    { description, type: itsType }: GraphQLArgument | GraphQLInputField | GraphQLField<unknown, unknown>,
  ): Part => ({ name, description, type: getNamedType(itsType) });
  if (isEnumType(type))
    return [
      ...own,
      ...type.getValues().map(({ name, description }) => ({ name: `${type.name}.${name}`, description })),
    ];
  if (isInputObjectType(type))
    return [
      ...own,
      ...Object.values(type.getFields()).map((field) => toPart(`${type.name}.${field.name}`, field)),
    ];
  if (!isObjectType(type) && !isInterfaceType(type)) return own;
  return [
    ...own,
    ...Object.values(type.getFields()).flatMap((field) => {
      const name = `${type.name}.${field.name}`;
      return [toPart(name, field), ...field.args.map((arg) => toPart(`${name}(${arg.name})`, arg))];
    }),
  ];
}

const parts = types.flatMap(partsOf);
const isDescribed = ({ description, type }: Part): boolean =>
  Boolean(description?.trim() || (type && !isScalarType(type) && type.description));
/** Own descriptions, as `[name, text]`. */
const texts = parts.flatMap(({ name, description }) => (description ? [[name, description] as const] : []));
const sdl = readFileSync(resolve(root, 'schema.graphql'), 'utf8');
const printed = buildSchema(sdl);
const printedParts = Object.values(printed.getTypeMap())
  .filter((type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type))
  .flatMap(partsOf);

describe('the schema', () => {
  test('is valid, and the committed files are current (fix with "npm run codegen")', () => {
    expect(validateSchema(schema)).toEqual([]);
    expect(() => buildSchema(readFileSync(resolve(root, 'schema.graphql'), 'utf8'))).not.toThrow();
    expect(() =>
      execFileSync('npm', ['run', 'codegen', '--', '--check'], { cwd: root, stdio: 'pipe' }),
    ).not.toThrow();
  });

  test('describes every type, field, argument and value, by itself or by its type', () => {
    expect(parts.length).toBeGreaterThan(200);
    expect(parts.filter((part) => !isDescribed(part)).map(({ name }) => name)).toEqual([]);
  });

  test('is at most 74,000 bytes long, with at most 40,600 characters of descriptions', () => {
    expect(Buffer.byteLength(sdl)).toBeLessThanOrEqual(74_000);
    const printedTexts = printedParts.map(({ description }) => description ?? '');
    expect(printedTexts.join('').length).toBeLessThanOrEqual(40_600);
  });

  test('tells uploads to this server from uploads to the gateway', () => {
    expect(schema.getMutationType()?.getFields()).toHaveProperty('createUpload');
    expect(schema.description).toContain('uploaded to the gateway itself, not by `createUpload`');
  });

  test('is printed without a description only where another part of the file states the rule', () => {
    const interfaces = Object.values(printed.getTypeMap()).filter((type) => isInterfaceType(type));
    const roots = [printed.getQueryType(), printed.getMutationType(), printed.getSubscriptionType()];
    const rules = [...interfaces, ...roots].map((type) => type?.description).join('\n');
    const membersOfInterfaces = new Set(interfaces.flatMap((type) => Object.keys(type.getFields())));
    const full = new Map(parts.map((part) => [part.name, part.description]));
    const toLetters = (text = '') => text.replaceAll(/[^a-z\d]/gi, '').toLowerCase();
    const unstated = printedParts.filter((part) => {
      if (isDescribed(part)) return false;
      const [member = ''] = /\w+(?=\)?$)/.exec(part.name) ?? [];
      const isItsName = toLetters(full.get(part.name) ?? '') === toLetters(member);
      return !membersOfInterfaces.has(member) && !isItsName && !rules.includes(`\`${member}\``);
    });
    expect(unstated.map(({ name }) => `${name}: ${full.get(name)}`)).toEqual([]);
  });

  test('states a long rule once', () => {
    const long = printedParts.flatMap(({ description }) =>
      description && description.length > 60 ? [description] : [],
    );
    expect(long.length).toBeGreaterThan(100);
    expect(long.filter((text, index) => long.indexOf(text) !== index)).toEqual([]);
  });

  test('lists required arguments and input members first, and extra last', () => {
    const lists = types.flatMap(
      (type): readonly (readonly [string, readonly GraphQLArgument[] | readonly GraphQLInputField[]])[] => {
        if (isInputObjectType(type)) return [[type.name, Object.values(type.getFields())]];
        if (!isObjectType(type)) return [];
        return Object.values(type.getFields()).map(({ name, args }) => [`${type.name}.${name}`, args]);
      },
    );
    expect(lists.length).toBeGreaterThan(200);
    const places = ({ name, type, defaultValue }: GraphQLArgument | GraphQLInputField): number =>
      isNonNullType(type) && defaultValue === undefined ? 0 : name === 'extra' ? 2 : 1;
    const unordered = lists.filter(([, members]) => {
      const found = members.map(places);
      return found.some((place, index) => place < (found[index - 1] ?? 0));
    });
    expect(unordered.map(([name]) => name)).toEqual([]);
  });

  test('has descriptions that stand alone and are not just a range', () => {
    const leaning = /^(The same|Likewise|Less so|More so|Ditto|As above)\b/;
    const range = /^[−-]?\d[\d.]* to \d[\d.]*[.;,]/;
    const article = /\ba [AEIO][a-z]+[A-Z]\w*/;
    const odd = texts.filter(([, text]) => [leaning, range, article].some((pattern) => pattern.test(text)));
    expect(odd.map(([name, text]) => `${name}: ${text}`)).toEqual([]);
  });

  test('has descriptions in plain technical English, without settings of the server', () => {
    const odd = texts.flatMap(([name, text]) => {
      const found = findOddWording(text);
      return found.length === 0 ? [] : [`${name}: ${found.join(', ')}`];
    });
    expect(odd).toEqual([]);
  });

  test.each([
    ['Slow clients are let go of.', 'let go of'],
    ['The id that people tell voices apart by.', 'tell'],
    ['What it made.', 'What'],
    ['The key. Of a task it is null.', 'Of a'],
    ['Null where there is none of this caller.', 'none of this caller'],
    ['Kept for a week (IDEMPOTENCY_HOURS).', 'IDEMPOTENCY_HOURS'],
  ])('finds odd wording in %j', (description, wording) => {
    expect(findOddWording(description).join()).toContain(wording);
  });

  test.each([
    'It is no longer available.',
    'Send the header `what-is-told`.',
    'One of a list, or UNKNOWN_KIND.',
  ])('finds no odd wording in %j', (description) => {
    expect(findOddWording(description)).toEqual([]);
  });

  test('uses UPPER_SNAKE_CASE for values, PascalCase for types and camelCase for fields', () => {
    const odd = types.flatMap((type) => [
      ...(/^[A-Z][A-Za-z]*$/.test(type.name) ? [] : [type.name]),
      ...(isEnumType(type)
        ? type
            .getValues()
            .map(({ name }) => name)
            .filter((name) => !/^[A-Z][A-Z0-9_]*$/.test(name))
        : []),
      ...(isObjectType(type) || isInputObjectType(type)
        ? Object.keys(type.getFields()).filter((name) => !/^[a-z][A-Za-z0-9]*$/.test(name))
        : []),
    ]);
    expect(odd).toEqual([]);
  });

  test('makes every URL field nullable, so that an invalid URL does not fail its parent', () => {
    const named = types.flatMap((type) =>
      isObjectType(type) || isInterfaceType(type)
        ? Object.values(type.getFields()).flatMap((field) =>
            String(field.type).startsWith('URL') || String(field.type).includes('[URL')
              ? [`${type.name}.${field.name}: ${String(field.type)}`]
              : [],
          )
        : [],
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !name.endsWith(': URL'))).toEqual([]);
  });

  test.each(['', '/relative', 'javascript:alert(1)', 5, null])('does not serialize %j as a URL', (value) => {
    const url = schema.getType('URL');
    if (!isScalarType(url)) throw new Error('URL is no scalar');
    expect(url.serialize('https://x/y')).toBe('https://x/y');
    expect(() => url.serialize(value)).toThrow('not an absolute http(s) URL');
  });

  test('has no conflicting types for fields of the same name in a union or interface', () => {
    const groups = types.filter((type) => isAbstractType(type));
    const conflicts = groups.flatMap((group) => {
      const byName = new Map<string, Set<string>>();
      for (const member of schema.getPossibleTypes(group)) {
        for (const field of Object.values(member.getFields())) {
          byName.set(field.name, (byName.get(field.name) ?? new Set()).add(String(field.type)));
        }
      }
      return [...byName]
        .filter(([, kinds]) => kinds.size > 1)
        .map(([name, kinds]) => `${group.name}.${name}: ${[...kinds].join(', ')}`);
    });
    expect(groups.length).toBeGreaterThan(4);
    expect(conflicts).toEqual([]);
  });

  test('keeps every root field of the contract', () => {
    const fieldsOf = (type: { getFields(): object } | null | undefined) =>
      Object.keys(type?.getFields() ?? {}).toSorted();
    expect(fieldsOf(schema.getQueryType())).toEqual([
      'accessTokens',
      'awaitGeneration',
      'generation',
      'generations',
      'inputSchema',
      'node',
      'nodes',
      'task',
      'taskByHandle',
      'tasks',
      'usageTotals',
      'viewer',
      'voice',
      'voices',
      'webhookDeliveries',
      'webhooks',
    ]);
    expect(fieldsOf(schema.getMutationType())).toEqual([
      'adjustSongSpeed',
      'cancelGeneration',
      'cloneVoice',
      'createAccessToken',
      'createAnimation',
      'createChatCompletion',
      'createImage',
      'createReferenceVideo',
      'createSong',
      'createSongCover',
      'createSpeech',
      'createTransitionVideo',
      'createUpload',
      'createVideo',
      'createWebhook',
      'deleteConversation',
      'deleteGenerations',
      'deleteWebhook',
      'fillImage',
      'generateContent',
      'queueImage',
      'queueInpainting',
      'redeliverWebhookEvents',
      'startChat',
    ]);
    expect(fieldsOf(schema.getSubscriptionType())).toEqual([
      'chatEvents',
      'generationChanged',
      'imageEvents',
      'streamChat',
      'streamImages',
      'taskProgress',
      'tasksProgress',
    ]);
  });
});
