import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Kind, parse, print } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../src/schema.ts';
import { loadConfig } from '../src/config.ts';
import { isRecord } from '../src/lib/json.ts';
import { graphiqlTabs } from '../src/server/graphiql-tabs.ts';
import { startApp } from './support/app.ts';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(resolve(root, 'README.md'), 'utf8');
const operationsFolder = resolve(root, 'src/client/operations');

function blocks(language: string): readonly string[] {
  return [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text = '']) => text,
  );
}

function rootFieldsOf(document: string): readonly string[] {
  return parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? definition.selectionSet.selections.flatMap((selection) =>
          selection.kind === Kind.FIELD ? [selection.name.value] : [],
        )
      : [],
  );
}

/** A value with its types instead of what differs from run to run; words in capitals and names of types stay. */
function formOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((item) => formOf(item));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, formOf(member, key)]));
  const isWord = name === '__typename' || (typeof value === 'string' && /^[A-Z_]+$/.test(value));
  return isWord || value === null ? value : typeof value;
}

describe('the README', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('shows only operations that are files, which tests run', () => {
    const files = readdirSync(operationsFolder).map((file) =>
      print(parse(readFileSync(resolve(operationsFolder, file), 'utf8'))),
    );
    const shown = blocks('graphql').map((text) => print(parse(text)));
    expect(shown.length).toBeGreaterThan(1);
    for (const operation of shown) expect(files).toContain(operation);
  });

  test('has an example of every root field', () => {
    const shown = new Set(blocks('graphql').flatMap((text) => rootFieldsOf(text)));
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const missing = roots
      .flatMap((type) => Object.keys(type?.getFields() ?? {}))
      .filter((name) => !shown.has(name));
    expect(missing).toEqual([]);
  });

  test("shows the query's real answer", async () => {
    const [query = ''] = blocks('graphql');
    const [answer = ''] = blocks('json');
    expect(await app.run(query)).toEqual(JSON.parse(answer));
  });

  test('shows answers in the form that the sandbox gives', async () => {
    const tabs = graphiqlTabs({ apiKey: 'sk-sandbox', systemToken: 'sandbox-system', userId: '1' });
    const block = (language: string): string => `\`\`\`${language}\\n([^\`]*)\`\`\`\\n\\n`;
    const example = `${block('graphql')}${block('json')}An answer of the sandbox:\\n\\n${block('json')}`;
    const examples = [...readme.matchAll(new RegExp(example, 'g'))];
    expect(examples.length).toBeGreaterThan(2);
    for (const [, operation = '', , answer = ''] of examples) {
      const tab = tabs.find(({ query }) => print(parse(query)) === print(parse(operation)));
      const { headers } = tab ?? { headers: {} };
      const real = await app.run(operation, tab?.variables, { headers });
      expect(formOf(JSON.parse(answer))).toEqual(formOf(real));
    }
  });

  test('shows requests by curl that work as they stand', async () => {
    const commands = blocks('sh').filter((text) => text.startsWith('curl'));
    expect(commands.length).toBeGreaterThan(1);
    for (const command of commands) {
      const headers = [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(
        ([, name = '', value = '']) => [name, value] as [string, string],
      );
      const body = /-d '([\s\S]+)'\s*$/.exec(command)?.[1] ?? '';
      const response = await fetch(app.url, { method: 'POST', headers, body });
      const text = await response.text();
      expect(response.status).toBe(200);
      expect(text).not.toContain('"errors"');
      expect(text).toMatch(/voices|"content"/);
    }
  });

  test('lists every setting with its default', () => {
    const defaults = Object.entries(loadConfig({})).filter(([name]) => name !== 'version');
    for (const [name, value = ''] of defaults) {
      const row = readme.split('\n').find((line) => line.startsWith('|') && line.includes(`\`${name}\``));
      expect(row, `a row for ${name}`).toBeDefined();
      expect(row).toContain(String(value));
    }
  });
});
