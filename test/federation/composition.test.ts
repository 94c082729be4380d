import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type ConstDirectiveNode,
  type DocumentNode,
  Kind,
  parse,
  print,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { printSubgraphSdl } from '../../src/graphql/subgraph/subgraph-sdl.ts';
import { countRecords } from '../../src/server/operation/operation-cost.ts';
import { schema as api } from '../support/api-schema.ts';
import { composers, type Subgraph } from '../support/federation/compose.ts';
import { reviewsSdl } from '../support/federation/reviews-subgraph.ts';

const sdl = readFileSync('deploy/federation/gengraph.subgraph.graphql', 'utf8');
/** For composers that do not know Federation 2.9. */
const olderSdl = readFileSync('deploy/federation/gengraph.subgraph.v2.4.graphql', 'utf8');
const gengraph: Subgraph = { name: 'gengraph', url: 'http://gengraph/graphql', sdl };
const reviews: Subgraph = { name: 'reviews', url: 'http://reviews/graphql', sdl: reviewsSdl };

/** Directives that are visible to clients. */
const publicDirectives = new Set(['deprecated', 'specifiedBy', 'oneOf']);

/** Description and client-visible directives of each type, field, argument and value. */
function documentationOf(document: DocumentNode): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const path: string[] = [];
  visit(document, {
    enter(node) {
      if (!('name' in node) || node.name === undefined || !('description' in node)) return;
      path.push(node.name.value);
      const directives: readonly ConstDirectiveNode[] =
        'directives' in node && node.kind !== Kind.DIRECTIVE_DEFINITION
          ? ((node.directives ?? []) as readonly ConstDirectiveNode[]) // Directives of a definition are constant.
          : [];
      const printed = directives
        .filter(({ name }) => publicDirectives.has(name.value))
        .map((directive) => print(directive));
      words.set(path.join('.'), [node.description?.value ?? '', ...printed].join(' '));
    },
    leave(node) {
      if ('name' in node && node.name !== undefined && 'description' in node) path.pop();
    },
  });
  return words;
}

/** The directives of each object type and field, with their arguments in order of name. */
function directivesOf(document: DocumentNode): ReadonlyMap<string, readonly string[]> {
  const texts = (directives: readonly ConstDirectiveNode[] = []) =>
    directives
      .map(
        ({ name, arguments: args = [] }) =>
          `@${name.value}(${args
            .map((arg) => print(arg))
            .toSorted()
            .join(', ')})`,
      )
      .toSorted();
  return new Map(
    document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) return [];
      const { name, directives, fields = [] } = definition;
      return [
        [name.value, texts(directives)] as const,
        ...fields.map((field) => [`${name.value}.${field.name.value}`, texts(field.directives)] as const),
      ];
    }),
  );
}

describe.each(Object.entries(composers))('with the composer of %s, the subgraph', (_name, compose) => {
  test('composes alone, and the supergraph keeps every description, deprecation, @oneOf and @specifiedBy', () => {
    const { errors, supergraph } = compose([gengraph]);
    expect(errors).toEqual([]);
    const kept = documentationOf(parse(supergraph));
    const lost = [...documentationOf(parse(readFileSync('schema.graphql', 'utf8')))].filter(
      ([path, words]) => !/^Query\.nodes?\b/.test(path) && kept.get(path) !== words,
    );
    expect(lost).toEqual([]);
    expect(kept.size).toBeGreaterThan(500);
  });

  test('keeps the tags, costs and list sizes of every field and type', () => {
    const { supergraph } = compose([gengraph]);
    const isOurs = (directive: string) => /^@(tag|cost|listSize)/.test(directive);
    const kept = directivesOf(parse(supergraph));
    for (const [path, directives] of directivesOf(parse(sdl)))
      expect([path, kept.get(path)?.filter(isOurs)]).toEqual([path, directives.filter(isOurs)]);
  });

  test('composes from the SDL of an older version, with its tags', () => {
    const { errors, supergraph } = compose([{ ...gengraph, sdl: olderSdl }, reviews]);
    expect(errors).toEqual([]);
    expect(supergraph).toContain('@tag(name: "tokens")');
    expect(supergraph).not.toMatch(/^[^"]*@(cost|listSize)\(/m);
  });

  test('composes with a Relay-style subgraph that extends its types and has its own Error, Usage, PageInfo and Upload', () => {
    // `Upload` is the scalar of multipart requests in many servers.
    const { errors, supergraph } = compose([gengraph, { ...reviews, sdl: `${reviewsSdl} scalar Upload` }]);
    expect(errors).toEqual([]);
    for (const name of ['Error', 'Usage', 'PageInfo', 'GengraphError', 'GenerationUsage'])
      expect(supergraph).toMatch(new RegExp(`^type ${name}\\b|^interface ${name}\\b`, 'm'));
    // Served by the other subgraph only.
    expect(supergraph).toMatch(/\bnode\(id: ID!\): Node @join__field\(graph: REVIEWS\)/);
  });

  test('composes with a subgraph that has @oneOf inputs by the same link', () => {
    const link = `extend schema @link(url: "https://spec.graphql.org/oneOf/v1.0", import: ["@oneOf"]) @composeDirective(name: "@oneOf")`;
    const { errors, supergraph } = compose([
      gengraph,
      {
        ...reviews,
        sdl: `${reviewsSdl.replace('"@external"', '"@composeDirective", "@external"')} ${link}
          directive @oneOf on INPUT_OBJECT
          input ReviewFilter @oneOf { stars: Int, reader: ID }
          extend type Query { filtered(filter: ReviewFilter!): [Review!]! }`,
      },
    ]);
    expect(errors).toEqual([]);
    expect(documentationOf(parse(supergraph)).get('ReviewFilter')).toContain('@oneOf');
  });

  test.each([
    ['type Viewer { id: ID! }', 'Viewer', false],
    ['type NotFoundError { message: String! }', 'NotFoundError', false],
    ['enum TaskStatus { OPEN DONE }', 'TaskStatus', false],
    ['type PageInfo @shareable { hasNextPage: Boolean! }', 'PageInfo', false],
    ['type Task { id: ID! title: String }', 'Task', false],
    ['type Task @key(fields: "id") { id: ID! title: String }', 'Task', true],
  ])(
    'with another %s fails as the page for routers says, except with the key of an entity',
    (type, name, composes) => {
      const link = '@link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';
      const other = { ...reviews, sdl: `extend schema ${link} ${type} type Query { mine: ${name} }` };
      const { errors } = compose([gengraph, other]);
      expect(errors.length === 0).toBe(composes);
    },
  );

  test('does not compose with that subgraph if both have node and nodes', () => {
    const withNodes = sdl.replace(
      'type Query {',
      'type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! ',
    );
    const { errors } = compose([{ ...gengraph, sdl: withNodes }, reviews]);
    expect(errors.join('\n')).toMatch(/Query\.node/);
  });
});

describe('the SDL for routers', () => {
  test('imports only the directives that it uses, from a pinned version', () => {
    const [, version = '', imports = ''] = /federation\/(v\d+\.\d+)", import: \[([^\]]+)\]/.exec(sdl) ?? [];
    expect(version).toBe('v2.9');
    const names = imports.split(', ').map((name) => name.slice(2, -1));
    expect(names).toEqual(['composeDirective', 'cost', 'key', 'listSize', 'shareable', 'tag']);
    const used = new Set(
      [...sdl.replaceAll(/"""[^]*?"""/g, '').matchAll(/ @(\w+)/g)].map(([, name = '']) => name),
    );
    for (const known of ['deprecated', 'specifiedBy', 'link', 'oneOf']) used.delete(known);
    expect([...used].toSorted()).toEqual(names);
    expect(sdl.match(/^type \w+ .*@key.*$/gm)).toEqual([
      'type Generation implements Node @key(fields: "id") {',
      'type Task implements Node @key(fields: "id") {',
      'type Voice implements Node @key(fields: "id") {',
    ]);
    expect(sdl.match(/^type \w+ @shareable/gm)).toEqual([
      'type Asset @shareable',
      'type GenerationUsage @shareable',
      'type InputIssue @shareable',
      'type PageInfo @shareable',
    ]);
  });

  test('of the older version has the same without costs and list sizes', () => {
    const withoutSizes = sdl
      .replace('federation/v2.9', 'federation/v2.4')
      .replace('"@cost", ', '')
      .replace('"@listSize", ', '')
      .replaceAll(/ @(cost|listSize)\([^)]*\)/g, '');
    expect(print(parse(olderSdl))).toBe(print(parse(withoutSizes)));
  });

  test('tags every root field with its capability', () => {
    const untagged = [...directivesOf(parse(sdl))].filter(
      ([path, directives]) =>
        /^(Query|Mutation|Subscription)\./.test(path) && !directives.some((text) => text.startsWith('@tag')),
    );
    expect(untagged).toEqual([]);
  });

  test.each([
    ['a page of the default length', '{ generations { edges { node { id task { id } } } } }', 40],
    ['a page of a length', '{ generations(first: 7) { edges { node { id } } pageInfo { endCursor } } }', 7],
    ['a page from the end', '{ generations(first: null, last: 30) { edges { node { id } } } }', 30],
    ['voices', '{ voices(first: 100) { edges { node { id } } } }', 100],
    ['one record', '{ task(id: "x") { id generation { id } } viewer { id } }', 2],
  ])('gives %s the cost that the server counts', (_what, query, cost) => {
    const document = parse(query);
    const [operation] = document.definitions;
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new TypeError(query);
    const request = { schema: api, operation, fragments: new Map(), variables: {} };
    expect(countRecords(request)).toBe(cost);
    expect(costOf(parse(sdl), operation.selectionSet)).toBe(cost);
  });

  test('keeps deprecations of fields, arguments, members and values', () => {
    const words = `
      type Query { old(a: In, b: Int @deprecated(reason: "b")): Kind @deprecated(reason: "f") }
      input In @oneOf { c: Int @deprecated(reason: "m"), d: Int }
      enum Kind { E @deprecated(reason: "v"), F }
      scalar When @specifiedBy(url: "https://example.com/when")`;
    const kept = documentationOf(
      parse(printSubgraphSdl(buildSchema(words), { entityNames: [], tags: new Map() })),
    );
    for (const [path, text] of documentationOf(parse(words)))
      expect([path, kept.get(path)]).toEqual([path, text]);
  });
});

/** The cost of a selection by the directives, as routers count it: an object costs 1 unless it has `@cost`. */
function costOf(document: DocumentNode, selection: SelectionSetNode, parent = 'Query', sized = 1): number {
  const types = new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
  return selection.selections.reduce((sum, node) => {
    if (node.kind !== Kind.FIELD || !node.selectionSet) return sum;
    const field = types.get(parent)?.fields?.find(({ name }) => name.value === node.name.value);
    const typeName = print(field?.type ?? node).replaceAll(/[[\]!]/g, '');
    const numberOf = (text: string, pattern: RegExp, absent: number) =>
      Number(pattern.exec(text)?.[1] ?? absent);
    const weightText = (types.get(typeName)?.directives ?? []).map((directive) => print(directive)).join(' ');
    const weight = numberOf(weightText, /@cost\(weight: (\d+)\)/, 1);
    const slices = (field?.arguments ?? []).flatMap(({ name, defaultValue }) => {
      const given =
        node.arguments?.find((argument) => argument.name.value === name.value)?.value ?? defaultValue;
      return given?.kind === Kind.INT && ['first', 'last'].includes(name.value) ? [Number(given.value)] : [];
    });
    const isSized = (field?.directives ?? []).some(({ name }) => name.value === 'listSize');
    const size = node.name.value === 'edges' ? sized : 1;
    const below = costOf(document, node.selectionSet, typeName, isSized ? Math.max(0, ...slices) : 1);
    return sum + size * (weight + below);
  }, 0);
}
