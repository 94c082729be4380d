import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { executeCodegen } from '@graphql-codegen/cli';
import { minifyIntrospectionQuery } from '@urql/introspection';
import {
  getNamedType,
  introspectionFromSchema,
  isAbstractType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  validate,
} from 'graphql';
import { capabilities } from './src/capabilities/index.ts';
import { listTexts } from './src/client/all-texts.ts';
import { printSortedSchema } from './src/graphql/print-sorted-schema.ts';
import { spellOutInterfaces } from './src/graphql/spell-out-interfaces.ts';
import { printSubgraphSdl } from './src/graphql/subgraph/subgraph-sdl.ts';
import { createSchema } from './src/schema.ts';
import { toDocumentId } from './src/server/operation/trusted-documents.ts';
import { printWirePage } from './test/capabilities/members/wire-page.ts';

/**
 * Writes every file that follows from the schema and from the operation files: `schema.graphql` for clients, the SDL
 * for routers, the typed documents of the client and of the playground, the texts that GraphiQL offers, `docs/operations.md`, `docs/wire.md` from the
 * table of members that the tests use, and the examples in `docs/guides`. With `--check` it writes
 * nothing and fails when a file is stale.
 */
const outputs = new Map<string, string>();

const { schema, entityNames, tags, operations: examples } = createSchema(capabilities);
const operationFiles = globSync('src/{graphql,capabilities/*}/operations/*.graphql').sort((one, other) =>
  basename(one) < basename(other) ? -1 : 1,
);

const sdl = `${printSortedSchema(schema)}\n`;
outputs.set('schema.graphql', sdl);
outputs.set('deploy/federation/gengraph.subgraph.graphql', printSubgraphSdl(schema, { entityNames, tags }));
outputs.set(
  'deploy/federation/gengraph.subgraph.v2.4.graphql',
  printSubgraphSdl(schema, { entityNames, tags, version: 'v2.4' }),
);

const operations = new Map(
  operationFiles.map((file) => [basename(file, '.graphql'), readFileSync(file, 'utf8')]),
);
// Clients print a typed document to send it, so that is the text to hash.
const printed = [...operations.values()].map((text) => print(spellOutInterfaces(schema, parse(text))));
const clientDocuments = 'src/client/documents.generated.ts';
const typedDocuments = await printTypedDocuments(clientDocuments, printed, './typed-document-node.ts');

const texts = [...operations].map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
outputs.set(
  'src/client/operations.generated.ts',
  `export const operationTexts = {\n${texts.join('')}} as const;\n`,
);
const documentIds = printed.map((text) => {
  const [, name] = /^\w+ (\w+)/.exec(text) ?? [];
  return `  ${name}: '${toDocumentId(text)}',\n`;
});
outputs.set(
  clientDocuments,
  `${typedDocuments}\n/** The ids of these operations, as in the manifest \`gengraph/trusted-documents.json\`. */\nexport const documentIds = {\n${documentIds.join('')}} as const;\n\nexport { introspection, possibleTypes } from './cache-schema.generated.ts';\n`,
);
outputs.set(
  'src/playground/operations.generated.ts',
  await printTypedDocuments(
    'src/playground/operations.generated.ts',
    'src/playground/operations.graphql',
    '@graphql-typed-document-node/core',
  ),
);
outputs.set('src/client/cache-schema.generated.ts', printCacheSchema());
const textsByName = printed.map((text) => {
  const [, name] = /^\w+ (\w+)/.exec(text) ?? [];
  return `  ${name}: ${JSON.stringify(text)},\n`;
});
outputs.set(
  'src/client/server/texts.generated.ts',
  `/** The text of each document of \`@gengraph/client/documents\`. */\nexport const documentTexts = {\n${textsByName.join('')}} as const;\n`,
);
// Chats have functions of their own.
const chats: readonly string[] = ['startChat', 'createChatCompletion'];
const creates = Object.values(lexicographicSortSchema(schema).getMutationType()?.getFields() ?? {}).filter(
  ({ name, type }) => getNamedType(type).name === 'CreateGenerationResult' && !chats.includes(name),
);
const generateFields = creates.map(({ name }) => name);
outputs.set('src/client/creates.generated.ts', printCreates());
const clientTexts = listTexts(generateFields);
for (const text of clientTexts) {
  const [problem] = validate(schema, parse(text));
  if (problem) throw new Error(`The client sends an invalid document: ${problem.message}\n${text}`);
}
outputs.set(
  'src/client/trusted-documents.json',
  `${JSON.stringify(Object.fromEntries([...printed, ...clientTexts].map((text) => [toDocumentId(text), text])), null, 2)}\n`,
);
outputs.set('docs/operations.md', printOperationsPage());
for (const file of globSync('docs/guides/*.md')) outputs.set(file, fillExamples(readFileSync(file, 'utf8')));
outputs.set('docs/wire.md', printWirePage());

const isCheck = process.argv.includes('--check');
const stale = [...outputs].filter(([file, content]) => content !== readIfThere(file));
if (isCheck && stale.length > 0) {
  console.error(
    `Not current: ${stale.map(([file]) => file).join(', ')}. Run "npm run codegen" and commit what it writes.`,
  );
  process.exitCode = 1;
}
if (!isCheck) for (const [file, content] of stale) writeFileSync(file, content);

/** Operations with the types of their variables and results. @param library the module of `TypedDocumentNode` */
async function printTypedDocuments(
  file: string,
  documents: string | readonly string[],
  library: string,
): Promise<string> {
  const { result, error } = await executeCodegen({
    schema: sdl,
    documents: [documents].flat(),
    silent: true,
    errorsOnly: true,
    generates: {
      [file]: {
        plugins: ['typescript-operations', 'typed-document-node'],
        config: {
          useTypeImports: true,
          documentNodeImport: `${library}#TypedDocumentNode`,
          enumType: 'string-literal',
          immutableTypes: true,
          strictScalars: true,
          scalars: {
            Date: 'string',
            DateTime: 'string',
            URL: 'string',
            JSON: 'unknown',
            BigInt: { input: 'number | string', output: 'number | string' },
            Number: { input: 'number | string', output: 'number | string' },
          },
        },
      },
    },
  });
  if (error) throw error;
  return result.map(({ content }) => content).join('');
}

/** The creates that `generate` of the client runs. */
function printCreates(): string {
  const inputs = creates.map(({ name, args }) => {
    const input = args.find((arg) => arg.name === 'input');
    return `  readonly ${name}: documents.${input && getNamedType(input.type).name};\n`;
  });
  return `import type * as documents from './documents.generated.ts';

/** The input of each create but chats. */
export interface GenerateInputs {
${inputs.join('')}}

export const generateFields = ${JSON.stringify(generateFields)} as const;
`;
}

/** What normalized caches know of the schema. */
function printCacheSchema(): string {
  const sorted = lexicographicSortSchema(schema);
  const types = Object.values(sorted.getTypeMap()).filter(isAbstractType);
  const possibleTypes = types.map((type) => [
    type.name,
    sorted.getPossibleTypes(type).map(({ name }) => name),
  ]);
  const introspection = minifyIntrospectionQuery(introspectionFromSchema(sorted, { descriptions: false }));
  return `import type { MinifiedIntrospection } from './minified-introspection.ts';

/** The object types of each interface and union, as \`InMemoryCache\` of Apollo Client takes them. */
export const possibleTypes: { readonly [name: string]: string[] } = ${JSON.stringify(Object.fromEntries(possibleTypes))};

/** The schema without inputs, enums and descriptions, as \`schema\` of graphcache. */
export const introspection: MinifiedIntrospection = ${JSON.stringify(introspection)};
`;
}

/** The code after each `<!-- path -->` becomes the content of that file, which tests run. */
function fillExamples(page: string): string {
  return page.replaceAll(
    /(<!-- (\S+) -->\n```\w+\n)[\s\S]*?```/g,
    (_match, start: string, file: string) => `${start}${readFileSync(file, 'utf8').trimEnd()}\n\`\`\``,
  );
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** One section per operation, in the order of the capabilities: description, operation, variables, and an answer if one is kept. */
function printOperationsPage(): string {
  const shown = new Set<string>();
  const sections = examples.map(({ name, variables, credential }) => {
    const text = operations.get(name) ?? '';
    const { kind, field, operation, description } = describeRootField(text);
    // A second operation of a field has a heading, and so an address, of its own.
    const title = shown.has(field) ? `${field}: ${operation}` : field;
    shown.add(field);
    const answer = readIfThere(`docs/answers/${name}.json`);
    const parts = [
      `## ${title}`,
      description,
      ...(credential === 'system-token'
        ? ['Credential: the system token and `new-api-user`, see [credentials](credentials.md).']
        : []),
      fence('graphql', text),
      `Variables:\n\n${fence('json', JSON.stringify(variables, null, 2))}`,
      ...(answer === undefined ? [] : [`Answer from the sandbox:\n\n${fence('json', answer)}`]),
    ];
    const [summary = ''] = /^.*?\.(?=\s+[A-Z]|$)/.exec(description) ?? [description];
    return {
      row: `| [\`${title}\`](#${title.toLowerCase().replace(': ', '-')}) | ${kind} | ${summary.replaceAll('|', '\\|')} |\n`,
      body: parts.join('\n\n'),
    };
  });
  return `<!-- Written by "npm run codegen". Do not edit. -->

# Operations

Each operation is a file, next to the code of its capability in [\`src/capabilities\`](../src/capabilities) or in [\`src/graphql/operations\`](../src/graphql/operations). GraphiQL offers it too, and the tests run it. The descriptions come from [\`schema.graphql\`](../schema.graphql), which documents every field, argument and limit. Front ends import the same operations as typed documents from \`@gengraph/client/documents\`.

| field | kind | what it does |
|---|---|---|
${sections.map(({ row }) => row).join('')}
${sections.map(({ body }) => body).join('\n\n')}

See also: [chat streams](chat.md) · [tasks](tasks.md) · [lists](lists.md) · [errors](errors.md) · [credentials](credentials.md)
`;
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

interface RootField {
  readonly kind: string;
  readonly field: string;
  /** Name of the operation. */
  readonly operation: string;
  readonly description: string;
}

/** The root field of an operation, as the schema describes it. @throws when the operation has none */
function describeRootField(text: string): RootField {
  for (const definition of parse(text).definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    const selection = definition.selectionSet.selections.find(({ kind }) => kind === Kind.FIELD);
    if (selection?.kind !== Kind.FIELD) continue;
    const field = selection.name.value;
    const description = schema.getRootType(definition.operation)?.getFields()[field]?.description;
    if (description)
      return { kind: definition.operation, field, operation: definition.name?.value ?? '', description };
  }
  throw new Error(`The operation has no root field that the schema describes:\n${text}`);
}
