import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executeCodegen } from '@graphql-codegen/cli';
import { buildSchema, isInputObjectType, Kind, parse, print, validate } from 'graphql';
import * as graphql17 from 'graphql17';
import { describe, expect, test } from 'vitest';
import { frameworkModules, skipWithoutFrameworks } from './frontends/support/frameworks.ts';
import { startApp } from './support/app.ts';
import { createDirectory } from './support/durable-server.ts';
import { variableOperations } from './support/variable-operations.ts';

const sdl = readFileSync('schema.graphql', 'utf8');
const schema = buildSchema(sdl);
const operations = variableOperations(schema);
const relayCompiler = join(frameworkModules, 'relay-compiler/cli.js');

/** By the type of a variable that must be given. */
const samples: Readonly<Record<string, unknown>> = {
  'ID!': 'x',
  '[ID!]!': ['x'],
  'String!': 'ChatInput',
  'GenerationKind!': 'SONG',
  'GenerationSelector!': { id: 'x' },
  'TaskHandleInput!': { kind: 'SONG', upstreamId: 'x' },
};

/** Values for the variables of an operation: null for those that need not be given. */
function variablesOf(text: string) {
  const [definition] = parse(text).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('the text has no operation');
  const all = (definition.variableDefinitions ?? []).map(
    ({ variable, type }) => [variable.name.value, print(type)] as const,
  );
  return {
    required: Object.fromEntries(
      all.flatMap(([name, type]) => (type.endsWith('!') ? [[name, samples[type]]] : [])),
    ),
    optional: Object.fromEntries(all.flatMap(([name, type]) => (type.endsWith('!') ? [] : [[name, null]]))),
  };
}

/** Compiles operations as a front end with Relay does. @throws with the complaints of the compiler */
async function compile(schemaText: string, texts: readonly string[]): Promise<readonly string[]> {
  const directory = await createDirectory();
  await mkdir(join(directory, 'src'));
  await mkdir(join(directory, 'artifacts'));
  await writeFile(join(directory, 'schema.graphql'), schemaText);
  await writeFile(join(directory, 'src/Every.ts'), texts.map((text) => `graphql\`${text}\`;\n`).join(''));
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'typescript',
    artifactDirectory: './artifacts',
  };
  await writeFile(join(directory, 'relay.config.json'), JSON.stringify(config));
  await promisify(execFile)(process.execPath, [relayCompiler, 'relay.config.json'], { cwd: directory });
  return (await readdir(join(directory, 'artifacts'))).toSorted();
}

describe('every argument, and every member of every input, can be a variable', () => {
  test('in operations that use all of them', () => {
    const used = new Set(operations.flatMap(({ members }) => [...members]));
    const all = Object.values(schema.getTypeMap()).flatMap((type) =>
      isInputObjectType(type) ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
    );
    expect(all.length).toBeGreaterThan(150);
    expect(all.filter((name) => !used.has(name))).toEqual([]);
    expect(operations.map(({ text }) => text).join('\n')).toContain('$groupBy: [UsageDimension!])');
  });

  test('for graphql-js 16 and 17', () => {
    for (const { text } of operations) expect(validate(schema, parse(text)), text).toEqual([]);
    const schema17 = graphql17.buildSchema(sdl);
    for (const { text } of operations)
      expect(graphql17.validate(schema17, graphql17.parse(text)), text).toEqual([]);
  });

  test('for relay-compiler, which accepts a nullable variable only at a nullable place', async (context) => {
    skipWithoutFrameworks(context);
    const texts = operations.map(({ text }) => text);
    const compiled = await compile(sdl, texts);
    expect(compiled).toEqual(operations.map(({ name }) => `${name}.graphql.ts`).toSorted());
    const stricter = sdl.replace('[UsageDimension!] = []', '[UsageDimension!]! = []');
    expect(stricter).not.toBe(sdl);
    await expect(compile(stricter, texts)).rejects.toThrow(/groupBy/);
  });

  test('for GraphQL Code Generator', async () => {
    const { result, error } = await executeCodegen({
      schema: sdl,
      documents: operations.map(({ text }) => text),
      silent: true,
      errorsOnly: true,
      generates: {
        'types.ts': { plugins: ['typescript-operations'], config: { dedupeOperationSuffix: true } },
      },
    });
    expect(error).toBeNull();
    for (const { name } of operations) expect(result[0]?.content).toContain(`${name}Variables =`);
  });

  test('and null for one that need not be given means its default', async () => {
    await using app = await startApp();
    const queries = operations.filter(({ kind }) => kind === 'query');
    expect(queries.length).toBeGreaterThan(15);
    for (const { text } of queries) {
      const run = async (variables: Record<string, unknown>) => {
        const { data, errors = [] } = await app.run(parse(text), variables);
        return { data, codes: errors.map(({ extensions }) => extensions['code']) };
      };
      const { required, optional } = variablesOf(text);
      const omitted = await run(required);
      expect(omitted.codes, text).not.toContain('INTERNAL');
      expect(await run({ ...required, ...optional }), text).toEqual(omitted);
    }
  });
});
