import { readFileSync, globSync } from 'node:fs';
import type { DocumentNode } from 'graphql';
import * as graphql16 from 'graphql';
import * as graphql17 from 'graphql17';
import { describe, expect, test } from 'vitest';
import * as documents from '../../src/client/documents.generated.ts';
import { toDocumentId } from '../../src/server/operation/trusted-documents.ts';

const sdl = readFileSync('schema.graphql', 'utf8');
const { documentIds } = documents;
const typed = Object.entries(documents).flatMap(([name, document]) =>
  // The other exports are tables.
  name.endsWith('Document') ? [[name.replace(/Document$/, ''), document as DocumentNode] as const] : [],
);

describe.each([
  ['graphql 16', graphql16.print],
  // The two versions have types of their own for the same syntax tree.
  ['graphql 17', graphql17.print as unknown as typeof graphql16.print],
])('with %s, a front end', (_version, print) => {
  // The versions print object literals differently, so operations have variables instead.
  test('prints each typed document as its trusted document', () => {
    expect(
      Object.fromEntries(typed.map(([name, document]) => [name, toDocumentId(print(document))])),
    ).toEqual(documentIds);
  });
});

test('the schema and the documents are valid for graphql 17', () => {
  const schema = graphql17.buildSchema(sdl);
  expect(graphql17.validateSchema(schema)).toEqual([]);
  for (const [, document] of typed)
    expect(graphql17.validate(schema, graphql17.parse(graphql16.print(document)))).toEqual([]);
});

test('the client imports nothing at run time but graphql-ws', () => {
  const imports = globSync('src/client/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import (?!type )[^;]*?from '([^.'][^']*)'/gm)].map(
      ([, name]) => name,
    ),
  );
  expect(new Set(imports)).toEqual(new Set(['graphql-ws']));
});
