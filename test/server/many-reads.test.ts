import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { packId } from '../../src/lib/ids.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { longestPieceMs } from '../support/longest-piece.ts';

/** The target of the health check, for everything else in an iteration of the event loop. */
const maxPieceMs = 100;

const create = `mutation ($input: ChatInput!) {
  createChatCompletion(input: $input) { ... on Generation { id } ... on GengraphError { message } }
}`;

async function createChats({ run }: TestApp, count: number, text: string): Promise<void> {
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text } }] };
  const data = { createChatCompletion: { id: expect.any(String) } };
  for (let index = 0; index < count; index += 1) expect(await run(create, { input })).toMatchObject({ data });
}

function manyLists(first: number): string {
  const lists = Array.from(
    { length: 249 },
    (_, index) => `a${index}: generations(first: ${first}) { edges { node { id } } }`,
  );
  return `{ ${lists.join(' ')} }`;
}

/** The data of many lists of this many chats. */
function listsOf(count: number) {
  const edges = Array.from({ length: count }, () => ({ node: { id: expect.any(String) } }));
  return { data: { a0: { edges }, a248: { edges } } };
}

test('249 lists in one operation are read in pieces', async () => {
  await using app = await startApp({ env: { DATA_DIR: await createDirectory() } });
  await createChats(app, 40, 'hello');
  const query = manyLists(40);
  await app.run(query);
  let answer: unknown;
  const longest = await longestPieceMs(async () => (answer = await app.run(query)), maxPieceMs);
  expect(answer).toMatchObject(listsOf(40));
  expect(longest).toBeLessThan(maxPieceMs);
});

test('many sums at the same time are read in pieces', async () => {
  const store = await createSqliteStore({
    directory: await createDirectory(),
    clock: createSystemClock(),
  });
  onTestFinished(() => store.close());
  const sum = () =>
    store.sumUsage('owner', { fromDay: 20_000, toDay: 20_009, groupBy: ['DAY'], limit: 1000 });
  await sum();
  const longest = await longestPieceMs(() => Promise.all(Array.from({ length: 4000 }, sum)), maxPieceMs);
  expect(longest).toBeLessThan(maxPieceMs);
});

test('lists of records with prompts of 400 KB take no longer than with short prompts', async () => {
  const short = await costOfLists('hello');
  const long = await costOfLists('x y '.repeat(97_500));
  expect(long).toBeLessThan(3 * short);
});

/** Processor time in milliseconds of many lists of ten chats with this prompt. */
async function costOfLists(text: string): Promise<number> {
  await using app = await startApp({ env: { DATA_DIR: await createDirectory() } });
  await createChats(app, 10, text);
  const query = manyLists(30);
  await app.run(query);
  const before = process.threadCpuUsage();
  const answer = await app.run(query);
  const { user, system } = process.threadCpuUsage(before);
  expect(answer).toMatchObject(listsOf(10));
  return (user + system) / 1000;
}

test.each([
  ['task', 'SONG'],
  ['voice', 'cloned'],
])('the id of a %s that one operation repeats may be long, and costs little', async (prefix, family) => {
  await using app = await startApp();
  const costOf = async (chars: number): Promise<number> => {
    const list = `[${'$id '.repeat(100)}]`;
    const fields = Array.from({ length: 22 }, (_, index) => `a${index}: nodes(ids: ${list}) { __typename }`);
    const query = `query ($id: ID!) { ${fields.join(' ')} }`;
    const variables = { id: packId(prefix, [family, '/'.repeat(chars), 'x']) };
    await app.run(query, variables);
    const before = process.threadCpuUsage();
    const { data, errors } = await app.run(query, variables);
    const { user, system } = process.threadCpuUsage(before);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ a21: Array.from({ length: 100 }, () => null) });
    return (user + system) / 1000;
  };
  const short = await costOf(10);
  expect(await costOf(200_000)).toBeLessThan(5 * short);
});
