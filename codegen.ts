import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { executeCodegen } from '@graphql-codegen/cli';
import { printSchema } from 'graphql';
import { printSubgraphSdl } from './src/graphql/subgraph/subgraph-sdl.ts';
import { schema } from './src/schema.ts';

/**
 * Writes what is generated from the schema: `schema.graphql`, which clients read, the SDL that routers compose, and the
 * typed documents of `src/client/operations`; and the texts of those, comments included, for the editor's tabs. With `--check` it writes
 * nothing and fails when a file is not current.
 */
const outputs = new Map<string, string>();

const sdl = `${printSchema(schema)}\n`;
outputs.set('schema.graphql', sdl);
outputs.set('deploy/federation/gengraph.subgraph.graphql', printSubgraphSdl(schema));

const { result, error } = await executeCodegen({
  schema: sdl,
  documents: ['src/client/operations/*.graphql'],
  silent: true,
  errorsOnly: true,
  generates: {
    'src/client/documents.generated.ts': {
      plugins: ['typescript-operations', 'typed-document-node'],
      config: {
        useTypeImports: true,
        enumType: 'string-literal',
        immutableTypes: true,
        strictScalars: true,
        scalars: {
          DateTime: 'string',
          URL: 'string',
          JSON: 'unknown',
          BigInt: { input: 'number | string', output: 'number | string' },
        },
      },
    },
  },
});
if (error) throw error;
for (const { filename, content } of result) outputs.set(filename, content);

const texts = readdirSync('src/client/operations')
  .filter((file) => file.endsWith('.graphql'))
  .sort()
  .map((file) => {
    const text = readFileSync(`src/client/operations/${file}`, 'utf8');
    return `  ${JSON.stringify(file.replace('.graphql', ''))}: ${JSON.stringify(text)},\n`;
  });
outputs.set(
  'src/client/operations.generated.ts',
  `export const operationTexts = {\n${texts.join('')}} as const;\n`,
);

const isCheck = process.argv.includes('--check');
const stale = [...outputs].filter(([file, content]) => content !== readIfThere(file));
if (isCheck && stale.length > 0) {
  console.error(
    `Not current: ${stale.map(([file]) => file).join(', ')}. Run "npm run codegen" and commit what it writes.`,
  );
  process.exitCode = 1;
}
if (!isCheck) for (const [file, content] of stale) writeFileSync(file, content);

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
