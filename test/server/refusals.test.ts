import { expect, test } from 'vitest';
import { sandboxKey, startApp, systemToken, type TestApp } from '../support/app.ts';
import { readPage, tableRows } from '../support/markdown.ts';

type Headers = Readonly<Record<string, string>>;

interface Ids {
  readonly generation: string;
  readonly task: string;
}

interface Row {
  readonly field: string;
  readonly kind: 'query' | 'mutation' | 'subscription';
  /** The field with its arguments and selection. */
  readonly select: (ids: Ids) => string;
  /** Whether the field takes an id. */
  readonly hasId?: boolean;
  /** The field beyond one of its limits. */
  readonly excessive?: string;
  /** Whether the selection reads a task from the gateway. */
  readonly readsTask?: boolean;
}

const manyIds = JSON.stringify(Array.from({ length: 101 }, (_, index) => `id-${index}`));
const chat = (temperature: number): string =>
  `input: { model: "gpt-4o", temperature: ${temperature}, messages: [{ role: USER, content: { text: "Hello" } }] }`;
const member = '{ __typename ... on GengraphError { code } }';
const event = '{ __typename ... on ChatFailed { error { code } } }';
const edges = '{ edges { node { __typename } } }';
const task = '{ readFailure { code } }';

const rows: readonly Row[] = [
  {
    field: 'generation',
    kind: 'query',
    select: (ids) => `generation(by: { id: "${ids.generation}" }) { id task ${task} }`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'task',
    kind: 'query',
    select: (ids) => `task(id: "${ids.task}") ${task}`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'node',
    kind: 'query',
    select: (ids) => `node(id: "${ids.generation}") { id ... on Generation { task ${task} } }`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'awaitGeneration',
    kind: 'query',
    select: (ids) =>
      `awaitGeneration(by: { id: "${ids.generation}" }, timeoutSeconds: 0) { id task ${task} }`,
    hasId: true,
    readsTask: true,
    excessive: 'awaitGeneration(by: { id: "x" }, timeoutSeconds: 1000) { id }',
  },
  {
    field: 'generations',
    kind: 'query',
    select: () => `generations { edges { node { id task ${task} } } }`,
    readsTask: true,
    excessive: `generations(first: 101) ${edges}`,
  },
  {
    field: 'accessTokens',
    kind: 'query',
    select: () => `accessTokens ${edges}`,
    excessive: `accessTokens(first: 101) ${edges}`,
  },
  {
    field: 'voices',
    kind: 'query',
    select: () => `voices(first: 1) ${edges}`,
    excessive: `voices(first: 101) ${edges}`,
  },
  {
    field: 'tasks',
    kind: 'query',
    select: (ids) => `tasks(ids: ["${ids.task}"]) ${task}`,
    hasId: true,
    readsTask: true,
    excessive: `tasks(ids: ${manyIds}) { status }`,
  },
  {
    field: 'nodes',
    kind: 'query',
    select: (ids) => `nodes(ids: ["${ids.generation}"]) { id ... on Generation { task ${task} } }`,
    hasId: true,
    readsTask: true,
    excessive: `nodes(ids: ${manyIds}) { id }`,
  },
  {
    field: 'createChatCompletion',
    kind: 'mutation',
    select: () => `createChatCompletion(${chat(1)}) ${member}`,
    excessive: `createChatCompletion(${chat(9)}) ${member}`,
  },
  {
    field: 'cancelGeneration',
    kind: 'mutation',
    select: (ids) => `cancelGeneration(by: { id: "${ids.generation}" }) ${member}`,
    hasId: true,
  },
  {
    field: 'forgetGenerations',
    kind: 'mutation',
    select: (ids) => `forgetGenerations(ids: ["${ids.generation}"])`,
    hasId: true,
    excessive: `forgetGenerations(ids: ${manyIds})`,
  },
  {
    field: 'streamChat',
    kind: 'subscription',
    select: () => `streamChat(${chat(1)}, idempotencyKey: "k") ${event}`,
    excessive: `streamChat(${chat(9)}, idempotencyKey: "k") ${event}`,
  },
  {
    field: 'chatEvents',
    kind: 'subscription',
    select: (ids) => `chatEvents(id: "${ids.generation}") ${event}`,
    hasId: true,
  },
  {
    field: 'taskProgress',
    kind: 'subscription',
    select: (ids) => `taskProgress(id: "${ids.task}") ${task}`,
    hasId: true,
    readsTask: true,
  },
  {
    field: 'tasksProgress',
    kind: 'subscription',
    select: (ids) => `tasksProgress(ids: ["${ids.task}"]) ${task}`,
    hasId: true,
    readsTask: true,
    excessive: `tasksProgress(ids: ${manyIds}) { status }`,
  },
];

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** The result of a query or mutation, or the first event of a subscription. */
async function run(app: TestApp, { kind }: Row, select: string, headers: Headers): Promise<Answer> {
  const query = `${kind} { ${select} }`;
  // The two clients and the tests type results differently.
  if (kind !== 'subscription') return (await app.run(query, {}, { headers })) as Answer;
  const client = app.wsClient({ connectionParams: headers });
  for await (const result of client.iterate({ query })) return result as Answer;
  return {};
}

interface Value {
  readonly code?: string;
  readonly error?: { readonly code: string };
  readonly edges?: readonly unknown[];
}

/** The code of the first `readFailure` in a value. */
function findReadFailure(value: unknown): string | undefined {
  return /"readFailure":\{"code":"(\w+)"/.exec(JSON.stringify(value))?.[1];
}

function describeAnswer(field: string, { data, errors = [] }: Answer): string {
  const [error] = errors;
  const code = String(error?.extensions?.['code']);
  if (error) return (error.path?.length ?? 1) > 1 ? `null item and error \`${code}\`` : `error \`${code}\``;
  const value = data?.[field];
  if (value === null || value === undefined) return 'null';
  const readFailure = findReadFailure(value);
  if (readFailure !== undefined) return `\`readFailure\` \`${readFailure}\``;
  if (Array.isArray(value)) return value.length === 0 ? 'empty' : value[0] === null ? 'null item' : 'result';
  const { code: memberCode, error: failure, edges: found } = value as Value; // The queries select these.
  if (memberCode !== undefined) return `union member \`${memberCode}\``;
  if (failure) return `failed event \`${failure.code}\``;
  return found?.length === 0 ? 'empty' : 'result';
}

test('docs/errors.md has the behavior of every kind of refusal', async () => {
  await using app = await startApp();
  const created = await app.run<
    { readonly queueImage: { readonly id: string; readonly task: { readonly id: string } } },
    object
  >(
    'mutation { queueImage(input: { prompt: "a fault:refused-read" }) { ... on Generation { id task { id } } } }',
  );
  const { id = '', task: made } = created.data?.queueImage ?? {};
  const theirs: Ids = { generation: id, task: made?.id ?? '' };
  const unknown: Ids = { generation: 'generation_x', task: 'task_x' };
  const token = await app.run<{ readonly createToken: { readonly key: string } }, object>(
    'mutation { createToken(input: { name: "other", quota: { unlimited: true } }) { ... on CreatedToken { key } } }',
    {},
    { headers: systemToken },
  );
  const other = { authorization: `Bearer ${token.data?.createToken.key}` };
  const table: string[][] = [];
  for (const row of rows) {
    const cell = async (select: string | false | undefined, headers: Headers): Promise<string> =>
      select ? describeAnswer(row.field, await run(app, row, select, headers)) : '—';
    table.push([
      `\`${row.field}\``,
      await cell(row.select(theirs), {}),
      await cell(row.select(theirs), { authorization: 'Bearer sk-wrong' }),
      await cell(row.hasId && row.select(unknown), sandboxKey),
      await cell(row.hasId && row.select(theirs), other),
      await cell(row.excessive, sandboxKey),
      await cell(row.readsTask && row.select(theirs), sandboxKey),
    ]);
  }
  expect(tableRows(readPage('docs/errors.md'), '## Refusals by kind of field')).toEqual(table);
});
