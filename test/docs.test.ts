import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  getVariableValues,
  Kind,
  KnownDirectivesRule,
  NoUndefinedVariablesRule,
  parse,
  print,
  specifiedRules,
  validate,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeLimitClaims } from '../src/caller-limits.ts';
import { loadConfig, settingNames } from '../src/config.ts';
import { errorCodes } from '../src/error-codes.ts';
import { isRecord } from '../src/lib/json.ts';
import { apiSchema, operations, schema } from './support/api-schema.ts';
import { graphiqlTabs } from '../src/server/pages/graphiql/graphiql-tabs.ts';
import { operationLimits } from '../src/server/operation/operation-limits.ts';
import { readOperatorWebhooks } from '../src/webhooks/operator-webhooks.ts';
import { startApp } from './support/app.ts';
import { codeBlocks, findBrokenLinks, listPages, readPage, tableRows } from './support/markdown.ts';

const { createdKinds } = apiSchema;
const sourceFolder = resolve(import.meta.dirname, '../src');
const pages = listPages();
/** The pages for clients. The sandbox's page has requests of its own protocol. */
const apiPages = pages.filter((path) => /^(README\.md|docs\/|deploy\/)/.test(path));

const rootTypes = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const rootFields = new Map(rootTypes.flatMap((type) => Object.entries(type?.getFields() ?? {})));

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

describe('the pages', () => {
  test('link only to files and headings that exist', () => {
    expect(pages.length).toBeGreaterThan(15);
    expect(pages.flatMap(findBrokenLinks)).toEqual([]);
  });

  test('below docs are all reachable from the README', () => {
    const readme = readPage('README.md');
    const topPages = pages.filter((path) => /^docs\/[^/]+\.md$/.test(path));
    expect(topPages.filter((path) => !readme.includes(`](${path})`))).toEqual([]);
  });

  test('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
    const named = pages.flatMap((path) =>
      [...readPage(path).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, script = '']) => `${path}: ${script}`),
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((entry) => !Object.hasOwn(scripts, entry.split(': ')[1] ?? ''))).toEqual([]);
  });

  test('install the client from its file, because no registry has it', () => {
    const commands = pages.flatMap((path) => readPage(path).match(/npm (?:install|i) .*gengraph.*/g) ?? []);
    expect(commands.length).toBeGreaterThan(2);
    expect(commands.filter((text) => !text.includes('./gengraph-client-*.tgz'))).toEqual([]);
  });

  test('name the file of Compose in every command', () => {
    const commands = pages.flatMap((path) => readPage(path).match(/docker compose .{0,40}/g) ?? []);
    expect(commands.length).toBeGreaterThan(5);
    expect(commands.filter((text) => !text.startsWith('docker compose -f deploy/compose.yaml '))).toEqual([]);
  });

  test('start the server only with settings that it accepts', () => {
    const blocks = pages.flatMap((path) => codeBlocks(readPage(path), 'sh'));
    const commands = blocks.flatMap(
      (text) => text.replaceAll('\\\n', '').match(/^[A-Z].*npm start$/gm) ?? [],
    );
    expect(commands.length).toBeGreaterThan(5);
    for (const command of commands) {
      const values = [...command.matchAll(/([A-Z\d_]+)=('?)(\S+)\2 /g)].map(([, name, , value]) => [
        name,
        value,
      ]);
      expect(settingNames()).toEqual(expect.arrayContaining(values.map(([name]) => name)));
      expect(() => loadConfig(Object.fromEntries(values))).not.toThrow();
    }
  });

  test('name only arguments that the root fields have', () => {
    const named = apiPages.flatMap((path) =>
      [...readPage(path).matchAll(/`(\w+)\((\w+):/g)].flatMap(([, name = '', argument = '']) => {
        const { args } = rootFields.get(name) ?? {};
        return args ? [{ path, name, argument, isKnown: args.some((known) => known.name === argument) }] : [];
      }),
    );
    expect(named.length).toBeGreaterThan(3);
    expect(named.filter(({ isKnown }) => !isKnown)).toEqual([]);
  });

  test('show only operations that are files, which tests run', () => {
    const files = globSync('**/operations/*.graphql', { cwd: sourceFolder }).map((file) =>
      print(parse(readFileSync(resolve(sourceFolder, file), 'utf8'))),
    );
    const shown = apiPages.flatMap((path) => codeBlocks(readPage(path), 'graphql'));
    expect(shown.length).toBeGreaterThan(1);
    for (const operation of shown) expect(files).toContain(print(parse(operation)));
  });
});

test('the guide for Relay has documents that match the schema', () => {
  const code = codeBlocks(readPage('docs/guides/relay.md'), 'tsx').join('');
  const document = parse([...code.matchAll(/graphql`([^`]+)`/g)].map(([, text]) => text).join(''));
  expect(document.definitions).toHaveLength(4);
  // Relay's own directives, and the arguments of its fragments.
  const rules = specifiedRules.filter(
    (rule) => rule !== KnownDirectivesRule && rule !== NoUndefinedVariablesRule,
  );
  expect(validate(schema, document, rules)).toEqual([]);
});

describe('the page of operations', () => {
  const page = readPage('docs/operations.md');
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    // The page about trusted documents sends an id.
    app = await startApp({ env: { TRUSTED_DOCUMENTS: 'allow' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('has an example of every root field', () => {
    const shown = new Set(codeBlocks(page, 'graphql').flatMap((text) => rootFieldsOf(text)));
    expect([...rootFields.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  test('shows answers in the form that the sandbox gives', async () => {
    const credentials = { apiKey: 'sk-sandbox', systemToken: 'sandbox-system', userId: '1' };
    const tabs = graphiqlTabs(operations, { credentials });
    const block = (language: string): string => `\`\`\`${language}\\n([^\`]*)\`\`\`\\n\\n`;
    const example = `${block('graphql')}Variables:\\n\\n${block('json')}Answer from the sandbox:\\n\\n${block('json')}`;
    const examples = [...page.matchAll(new RegExp(example, 'g'))];
    expect(examples.length).toBeGreaterThan(2);
    for (const [, operation = '', , answer = ''] of examples) {
      const tab = tabs.find(({ query }) => print(parse(query)) === print(parse(operation)));
      const { headers } = tab ?? { headers: {} };
      const real = await app.run(operation, tab?.variables, { headers });
      expect(formOf(JSON.parse(answer))).toEqual(formOf(real));
    }
  });

  test('and all others show requests by curl that work as they stand', async () => {
    const commands = apiPages
      .flatMap((path) => codeBlocks(readPage(path), 'sh'))
      .filter((text) => text.startsWith('curl'));
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
});

test('the page of settings lists every setting with its default, and no other', () => {
  const rows = tableRows(readPage('docs/settings.md')).filter(([name = '']) => /^`[A-Z\d_]+`$/.test(name));
  const listed = rows.map(([name = '', value = '']) => [name, value].map((cell) => cell.replaceAll('`', '')));
  // Settings without a default are not among the loaded ones, so the names come from the source.
  const [, declared = ''] =
    /const environment = z\.object\(\{([\s\S]*?)\n\}\);/.exec(readPage('src/config.ts')) ?? [];
  const [, signIn = ''] =
    /const authSettings = \{([\s\S]*?)\n\};/.exec(readPage('src/auth-settings.ts')) ?? [];
  const [, limits = ''] =
    /const limitSettings = \{([\s\S]*?)\n\};/.exec(readPage('src/caller-limits.ts')) ?? [];
  const [, webhooks = ''] =
    /const webhookSettings = \{([\s\S]*?)\n\};/.exec(readPage('src/webhook-settings.ts')) ?? [];
  const [, files = ''] =
    /const fileSettings = \{([\s\S]*?)\n\};/.exec(readPage('src/file-settings.ts')) ?? [];
  const names = [...(declared + signIn + limits + webhooks + files).matchAll(/^ {2}([A-Z\d_]+):/gm)].map(
    ([, name = '']) => name,
  );
  const defaults = new Map(Object.entries(loadConfig({})).map(([name, value]) => [name, String(value)]));
  expect(names.length).toBeGreaterThan(25);
  expect(listed.length).toBe(names.length);
  expect(new Map(listed.map(([name, value]) => [name, value]))).toEqual(
    new Map(names.map((name) => [name, defaults.get(name) ?? 'unset'])),
  );
});

test('the pages show webhooks, limits and variables that the server accepts', () => {
  const [webhooks = ''] = codeBlocks(readPage('docs/webhooks.md'), 'json');
  expect(readOperatorWebhooks({ WEBHOOKS: webhooks }, createdKinds)).toHaveLength(1);
  const [token = ''] = codeBlocks(readPage('docs/sign-in.md'), 'json');
  const { limits } = JSON.parse(token) as { readonly limits: unknown };
  expect(decodeLimitClaims(limits, createdKinds)).toMatchObject({ running: 5 });
  const [variables = ''] = codeBlocks(readPage('docs/conversations.md'), 'json');
  const [definition] = parse(readPage('src/capabilities/chat/operations/continue-chat.graphql')).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('an operation expected');
  const { variableDefinitions = [] } = definition;
  const { errors = [] } = getVariableValues(schema, variableDefinitions, JSON.parse(variables));
  expect(errors).toEqual([]);
});

test('the page of settings lists the kinds that can be limited', () => {
  const [, listed = ''] = /^The kinds are (.+?)\. /m.exec(readPage('docs/settings.md')) ?? [];
  const named = [...listed.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name);
  expect(new Set(named)).toEqual(createdKinds);
});

test('the page of errors lists every code and the limits of an operation', () => {
  const page = readPage('docs/errors.md');
  expect(Object.keys(errorCodes).filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  const limits = page.slice(page.indexOf('## Limits of an operation')).replaceAll(',', '');
  expect(Object.values(operationLimits).filter((limit) => !limits.includes(`| ${limit} |`))).toEqual([]);
});

test('the page of monitoring lists the failures of requests to the gateway that alerts count', () => {
  const [, pattern = ''] = /error_type=~"(\[.+?)"/.exec(readPage('deploy/prometheus/alerts.yaml')) ?? [];
  const kinds = ['3xx', '4xx', '5xx', 'not_sent', 'no_reply', 'cut', 'aborted', 'defect'];
  const counted = kinds.filter((kind) => new RegExp(`^(${pattern})$`).test(kind.replace('xx', '02')));
  const [, listed = ''] = /Alerts count ([^.]+)\./.exec(readPage('docs/monitoring.md')) ?? [];
  expect(kinds.filter((kind) => listed.includes(kind))).toEqual(counted);
});

test('the page of monitoring lists every alert, and the page of operating those that wake somebody', () => {
  const rules = readPage('deploy/prometheus/alerts.yaml').matchAll(/- alert: (\w+)[^]*?severity: (\w+)/g);
  const alerts = [...rules].map(([, name = '', severity]) => ({ name, severity }));
  expect(alerts.length).toBeGreaterThan(20);
  const rows = [...readPage('docs/monitoring.md').matchAll(/^\| `(Gengraph\w+)` \| /gm)].map(
    ([, name = '']) => name,
  );
  expect(rows.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
  const [, listed = ''] = /have `severity: page`: (.+?)\. /.exec(readPage('docs/operating.md')) ?? [];
  const paging = alerts.filter(({ severity }) => severity === 'page').map(({ name }) => name);
  expect([...listed.matchAll(/`(\w+)`/g)].map(([, name = '']) => name).toSorted()).toEqual(paging.toSorted());
});

test('the changelog lists each change once', () => {
  const starts = [...readPage('CHANGELOG.md').matchAll(/^(?:- .{20}|\*\*.*)/gm)].map(([start]) => start);
  expect(starts.length).toBeGreaterThan(20);
  expect(starts.filter((start, index) => starts.indexOf(start) !== index)).toEqual([]);
});
