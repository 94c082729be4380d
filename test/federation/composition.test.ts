import { readFileSync } from 'node:fs';
import { buildSchema, type ConstDirectiveNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { describe, expect, test } from 'vitest';
import { printSubgraphSdl } from '../../src/graphql/subgraph/subgraph-sdl.ts';
import { composers, type Subgraph } from '../support/federation/compose.ts';
import { reviewsSdl } from '../support/federation/reviews-subgraph.ts';

const sdl = readFileSync('deploy/federation/gengraph.subgraph.graphql', 'utf8');
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

  test('composes with a Relay-style subgraph that extends its types and has its own Error, Usage and PageInfo', () => {
    const { errors, supergraph } = compose([gengraph, reviews]);
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
    const kept = documentationOf(parse(printSubgraphSdl(buildSchema(words), [])));
    for (const [path, text] of documentationOf(parse(words)))
      expect([path, kept.get(path)]).toEqual([path, text]);
  });
});
