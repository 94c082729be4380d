import { expect, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { sandboxKey, startApp, systemToken, type TestApp } from '../support/app.ts';
import { readPage, tableRows } from '../support/markdown.ts';
import { type Headers, type Ids, type Row, rows } from '../support/refusal-rows.ts';

interface Answer {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly {
    readonly path?: readonly (string | number)[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** The result of a query or mutation, or the first event of a subscription. Undefined when it is open without events. */
async function run(
  app: TestApp,
  { kind, isQuiet }: Row,
  { select, headers }: { readonly select: string; readonly headers: Headers },
): Promise<Answer | undefined> {
  const query = `${kind} { ${select} }`;
  // The two clients and the tests type results differently.
  if (kind !== 'subscription') return (await app.run(query, {}, { headers })) as Answer;
  const results = app.wsClient({ connectionParams: headers }).iterate({ query });
  let answer: Answer | undefined;
  const first = results.next().then(({ value }) => (answer = (value ?? {}) as Answer));
  if (!isQuiet) await first;
  await expect.poll(() => answer !== undefined || app.app.activity.feeds === 1).toBe(true);
  const answerWhileOpen = answer;
  await results.return?.();
  await expect.poll(() => app.app.activity.feeds).toBe(0);
  return answerWhileOpen;
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

function describeAnswer(field: string, answer: Answer | undefined): string {
  if (!answer) return 'no events';
  const { data, errors = [] } = answer;
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

interface Created {
  readonly queueImage: {
    readonly id: string;
    readonly task: { readonly id: string; readonly upstreamId: string };
  };
  readonly startChat: { readonly id: string };
  readonly createImage: { readonly id: string };
  readonly cloneVoice: { readonly voice: { readonly id: string } };
}

async function createIds(app: TestApp): Promise<Ids> {
  const { data } = await app.run<Created, object>(`mutation {
    queueImage(input: { prompt: "a fault:refused-read" }) { ... on Generation { id task { id upstreamId } } }
    startChat(input: { model: "gpt-4o", messages: [{ role: USER, content: { text: "Hello" } }] }) {
      ... on Generation { id }
    }
    createImage(input: { byCount: { prompt: "a" } }) { ... on Generation { id } }
    cloneVoice(
      input: { fileId: 1, voiceId: "keeper-of-the-light", previewText: "Mind the stairs.", previewModel: "speech-2.6-hd" }
    ) { ... on ClonedVoice { voice { id } } }
  }`);
  if (!data) throw new Error('no data');
  const { queueImage, startChat, createImage, cloneVoice } = data;
  return {
    generation: queueImage.id,
    task: queueImage.task.id,
    upstream: queueImage.task.upstreamId,
    chat: startChat.id,
    image: createImage.id,
    presetVoice: packId('voice', ['preset', 'en-us-ava']),
    clonedVoice: cloneVoice.voice.id,
  };
}

test('docs/errors.md has the behavior of every kind of refusal', async () => {
  await using app = await startApp();
  const theirs = await createIds(app);
  const unknown: Ids = {
    generation: 'generation_x',
    task: 'task_x',
    upstream: 'x',
    chat: 'generation_x',
    image: 'generation_x',
    presetVoice: packId('voice', ['preset', 'nobody']),
    clonedVoice: packId('voice', ['cloned', 'nobody']),
  };
  const token = await app.run<{ readonly createAccessToken: { readonly key: string } }, object>(
    'mutation { createAccessToken(input: { name: "other", quota: { isUnlimited: true } }) { ... on CreatedAccessToken { key } } }',
    {},
    { headers: systemToken },
  );
  const other = { authorization: `Bearer ${token.data?.createAccessToken.key}` };
  const table: string[][] = [];
  for (const row of rows) {
    const cell = async (select: string | false | undefined, headers: Headers): Promise<string> =>
      select ? describeAnswer(row.field, await run(app, row, { select, headers })) : '—';
    const valid = row.needsSystemToken ? systemToken : sandboxKey;
    table.push([
      `\`${row.field}\`${row.note ? `, ${row.note}` : ''}`,
      await cell(row.select(theirs), {}),
      await cell(row.select(theirs), { ...valid, authorization: 'Bearer sk-wrong' }),
      await cell(row.hasId && row.select(unknown), valid),
      await cell(row.hasId && row.select(theirs), other),
      await cell(row.excessive, valid),
      await cell(row.readsTask && row.select(theirs), valid),
    ]);
  }
  expect(tableRows(readPage('docs/errors.md'), '## Refusals by kind of field')).toEqual(table);
});
