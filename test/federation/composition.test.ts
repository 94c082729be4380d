import { readFileSync } from 'node:fs';
import { buildSchema, type ConstDirectiveNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { describe, expect, test } from 'vitest';
import { printSubgraphSdl } from '../../src/graphql/subgraph/subgraph-sdl.ts';
import { composers, type Subgraph } from '../support/federation/compose.ts';
import { neighbourSdl } from '../support/federation/neighbour.ts';

const sdl = readFileSync('deploy/federation/gengraph.subgraph.graphql', 'utf8');
const gengraph: Subgraph = { name: 'gengraph', url: 'http://gengraph/graphql', sdl };
const neighbour: Subgraph = { name: 'reviews', url: 'http://reviews/graphql', sdl: neighbourSdl };

/** Directives that say something to clients. */
const said = new Set(['deprecated', 'specifiedBy', 'oneOf']);

/** What a document says of each type, field, argument and value: descriptions, and directives that clients know. */
function wordsOf(document: DocumentNode): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const path: string[] = [];
  visit(document, {
    enter(node) {
      if (!('name' in node) || node.name === undefined || !('description' in node)) return;
      path.push(node.name.value);
      const directives: readonly ConstDirectiveNode[] =
        'directives' in node && node.kind !== Kind.DIRECTIVE_DEFINITION
          ? ((node.directives ?? []) as readonly ConstDirectiveNode[]) // Of a definition, they are constant.
          : [];
      const told = directives.filter(({ name }) => said.has(name.value)).map((directive) => print(directive));
      words.set(path.join('.'), [node.description?.value ?? '', ...told].join(' '));
    },
    leave(node) {
      if ('name' in node && node.name !== undefined && 'description' in node) path.pop();
    },
  });
  return words;
}

describe.each(Object.entries(composers))('with the composer of %s, the subgraph', (_name, compose) => {
  test('composes alone, and the supergraph keeps every description, deprecation, @oneOf and @specifiedBy', () => {
    const { errors, supergraph } = compose([gengraph]);
    expect(errors).toEqual([]);
    const kept = wordsOf(parse(supergraph));
    const lost = [...wordsOf(parse(readFileSync('schema.graphql', 'utf8')))].filter(
      ([path, words]) => !/^Query\.nodes?\b/.test(path) && kept.get(path) !== words,
    );
    expect(lost).toEqual([]);
    expect(kept.size).toBeGreaterThan(500);
  });

  test('composes with a neighbour that extends its types, is Relay-style itself, and has an Error, a Usage and a PageInfo', () => {
    const { errors, supergraph } = compose([gengraph, neighbour]);
    expect(errors).toEqual([]);
    for (const name of ['Error', 'Usage', 'PageInfo', 'GengraphError', 'GenerationUsage'])
      expect(supergraph).toMatch(new RegExp(`^type ${name}\\b|^interface ${name}\\b`, 'm'));
    // Of the neighbour, which alone serves them.
    expect(supergraph).toMatch(/\bnode\(id: ID!\): Node @join__field\(graph: REVIEWS\)/);
  });

  test('composes with a neighbour that has @oneOf inputs by the same link', () => {
    const link = `extend schema @link(url: "https://spec.graphql.org/oneOf/v1.0", import: ["@oneOf"]) @composeDirective(name: "@oneOf")`;
    const { errors, supergraph } = compose([
      gengraph,
      {
        ...neighbour,
        sdl: `${neighbourSdl.replace('"@external"', '"@composeDirective", "@external"')} ${link}
          directive @oneOf on INPUT_OBJECT
          input ReviewFilter @oneOf { stars: Int, reader: ID }
          extend type Query { filtered(filter: ReviewFilter!): [Review!]! }`,
      },
    ]);
    expect(errors).toEqual([]);
    expect(wordsOf(parse(supergraph)).get('ReviewFilter')).toContain('@oneOf');
  });

  test('would not compose with that neighbour, had it node and nodes too', () => {
    const withNodes = sdl.replace(
      'type Query {',
      'type Query { node(id: ID!): Node nodes(ids: [ID!]!): [Node]! ',
    );
    const { errors } = compose([{ ...gengraph, sdl: withNodes }, neighbour]);
    expect(errors.join('\n')).toMatch(/Query\.node/);
  });
});

describe('the SDL for routers', () => {
  test('imports only what it uses, of a pinned version', () => {
    const [, version = '', imports = ''] = /federation\/(v\d+\.\d+)", import: \[([^\]]+)\]/.exec(sdl) ?? [];
    expect(version).toBe('v2.4');
    const names = imports.split(', ').map((name) => name.slice(2, -1));
    expect(names).toEqual(['composeDirective', 'key', 'shareable']);
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

  test('keeps deprecations of fields, arguments, members and values', () => {
    const words = `
      type Query { old(a: In, b: Int @deprecated(reason: "b")): Kind @deprecated(reason: "f") }
      input In @oneOf { c: Int @deprecated(reason: "m"), d: Int }
      enum Kind { E @deprecated(reason: "v"), F }
      scalar When @specifiedBy(url: "https://example.com/when")`;
    const kept = wordsOf(parse(printSubgraphSdl(buildSchema(words))));
    for (const [path, text] of wordsOf(parse(words))) expect([path, kept.get(path)]).toEqual([path, text]);
  });
});
