import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { executeCodegen } from '@graphql-codegen/cli';
import { printSchema } from 'graphql';
import { printSubgraphSdl } from './src/graphql/subgraph/subgraph-sdl.ts';
import { schema } from './src/schema.ts';
import { graphiqlTabs } from './src/server/graphiql-tabs.ts';

/**
 * Writes what is generated from the schema: `schema.graphql`, which clients read, the SDL that routers compose, and the
 * typed documents of `src/client/operations`; the texts of those, comments included, for the editor's tabs; and the
 * README's list of them. With `--check` it writes nothing and fails when a file is not current.
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

const operations = new Map(
  readdirSync('src/client/operations')
    .filter((file) => file.endsWith('.graphql'))
    .sort()
    .map((file) => [file.replace('.graphql', ''), readFileSync(`src/client/operations/${file}`, 'utf8')]),
);
const texts = [...operations].map(([name, text]) => `  ${JSON.stringify(name)}: ${JSON.stringify(text)},\n`);
outputs.set(
  'src/client/operations.generated.ts',
  `export const operationTexts = {\n${texts.join('')}} as const;\n`,
);
outputs.set('README.md', withOperations(readFileSync('README.md', 'utf8')));

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

/** The README with every tab's operation and variables in its place, in their order, and an answer where one is kept. */
function withOperations(readme: string): string {
  const [start, end] = ['<!-- operations -->', '<!-- /operations -->'];
  const examples = graphiqlTabs(undefined).map(({ name, variables }) => {
    const text = operations.get(name)?.trimEnd() ?? '';
    const shown = JSON.stringify(variables, null, 2);
    const field = name.replaceAll(/-(.)/g, (_dash, letter: string) => letter.toUpperCase());
    const answer = readIfThere(`docs/answers/${name}.json`)?.trimEnd();
    const answered =
      answer === undefined ? '' : `An answer of the sandbox:\n\n\`\`\`json\n${answer}\n\`\`\`\n\n`;
    return `<details><summary><code>${field}</code></summary>\n\n\`\`\`graphql\n${text}\n\`\`\`\n\n\`\`\`json\n${shown}\n\`\`\`\n\n${answered}</details>\n`;
  });
  const before = readme.slice(0, readme.indexOf(start) + start.length);
  return `${before}\n\n${examples.join('\n')}\n${readme.slice(readme.indexOf(end))}`;
}
