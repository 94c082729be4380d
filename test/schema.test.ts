import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  buildSchema,
  type GraphQLArgument,
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

function describedParts(type: GraphQLNamedType): readonly (readonly [string, string | null | undefined])[] {
  const own = [[type.name, type.description]] as const;
  if (isEnumType(type))
    return [
      ...own,
      ...type.getValues().map((value) => [`${type.name}.${value.name}`, value.description] as const),
    ];
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return own;
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const name = `${type.name}.${field.name}`;
    const args: readonly { name: string; description?: string | null | undefined }[] =
      'args' in field ? field.args : [];
    return [
      [name, field.description] as const,
      ...args.map((arg) => [`${name}(${arg.name})`, arg.description] as const),
    ];
  });
  return [...own, ...fields];
}

describe('the schema', () => {
  test('is valid, and the committed files are current (fix with "npm run codegen")', () => {
    expect(validateSchema(schema)).toEqual([]);
    expect(() => buildSchema(readFileSync(resolve(root, 'schema.graphql'), 'utf8'))).not.toThrow();
    expect(() =>
      execFileSync('npm', ['run', 'codegen', '--', '--check'], { cwd: root, stdio: 'pipe' }),
    ).not.toThrow();
  });

  test('describes every type, field, argument and value', () => {
    const parts = types.flatMap(describedParts);
    expect(parts.length).toBeGreaterThan(200);
    expect(parts.filter(([, description]) => !description?.trim()).map(([name]) => name)).toEqual([]);
  });

  test('has at most 45,500 characters of descriptions', () => {
    const texts = types.flatMap(describedParts).map(([, description]) => description ?? '');
    expect(texts.join('').length).toBeLessThanOrEqual(45_500);
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
    const odd = types
      .flatMap(describedParts)
      .filter(([, text]) => [leaning, range, article].some((pattern) => pattern.test(text ?? '')));
    expect(odd.map(([name, text]) => `${name}: ${text}`)).toEqual([]);
  });

  test('has descriptions in plain technical English, without settings of the server', () => {
    const odd = types.flatMap(describedParts).flatMap(([name, text]) => {
      const found = findOddWording(text ?? '');
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
    ]);
    expect(fieldsOf(schema.getMutationType())).toEqual([
      'adjustSongSpeed',
      'cancelGeneration',
      'cloneVoice',
      'createAnimation',
      'createChatCompletion',
      'createImage',
      'createReferenceVideo',
      'createSong',
      'createSongCover',
      'createSpeech',
      'createToken',
      'createTransitionVideo',
      'createVideo',
      'fillImage',
      'forgetGenerations',
      'generateContent',
      'queueImage',
      'queueInpainting',
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
