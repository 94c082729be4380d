import { expect, test } from 'vitest';
import {
  DeleteGenerationsDocument,
  GenerationChangedDocument,
  UsageTotalsDocument,
} from '../../src/client/documents.generated.ts';
import { RecordsUnavailableError } from '../../src/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { subscribe, type TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  type ChatEvent,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createInbox, type Inbox } from '../support/inbox.ts';
import { type Instances, startInstances } from '../support/instances.ts';
import { words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };
const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } };

/** The other instance takes the one that runs this generation for dead, and ends it. That one lives and knows nothing of it. */
async function endForIt({ records }: Instances, other: TestApp, id: string, status: string): Promise<void> {
  const [row] = await records.query(`select instance_id from generations where id = '${id}'`);
  // It takes a second, in which the lease is renewed.
  await expect
    .poll(
      async () => {
        await records.query(`delete from instances where id = '${String(row?.['instance_id'])}'`);
        return (await findGeneration(other, id))?.status;
      },
      { interval: 50 },
    )
    .toBe(status);
}

async function startWatched(instances: Instances & { readonly first: TestApp; readonly second: TestApp }) {
  const { first, second, gateway } = instances;
  const starting = startChat(first, hello);
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  const watches = [];
  for (const app of [first, second]) {
    const events = chatEvents(app.wsClient(), { id });
    const seen: ChatEvent[] = [await nextEvent(events)];
    while (seen.at(-1)?.sequence !== 1) seen.push(await nextEvent(events));
    watches.push(toEnd(events).then((rest) => [...seen, ...rest]));
  }
  const [here, there] = watches;
  if (!here || !there) throw new Error('there are two watches');
  return { id, exchange, here, there };
}

function endsOf(events: readonly ChatEvent[]): readonly string[] {
  return events.map(({ __typename: type }) => type).filter((type) => !/Snapshot|Delta/.test(type));
}

/** What a feed reports of the only generation: its status after each change, or that it was deleted. */
function watchChanges(app: TestApp): Inbox<string> {
  const changes = createInbox<string>();
  const changed = subscribe(app.wsClient(), GenerationChangedDocument, {});
  void (async () => {
    for await (const { data } of changed) {
      const change = data?.generationChanged;
      if (change) changes.push('generation' in change ? change.generation.status : change.__typename);
    }
  })();
  return changes;
}

async function totalsOf(app: TestApp): Promise<unknown> {
  return (await app.run(UsageTotalsDocument, {})).data?.usageTotals;
}

test('a chat that another instance ended for one that lives goes on, and its true end replaces that end once', async () => {
  const instances = await startInstances(2);
  const { first, second, gateway } = instances;
  const { id, exchange, here, there } = await startWatched(instances);
  const changes = watchChanges(second);
  await endForIt(instances, second, id, 'FAILED');
  await changes.when((all) => all.includes('FAILED'));
  expect((await there).at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });

  // The gateway still sends, and the text is saved.
  exchange.send(...words('b'));
  await expect.poll(async () => (await findGeneration(second, id))?.output?.sequence).toBe(2);
  expect(await findGeneration(second, id)).toMatchObject({
    status: 'FAILED',
    error: { code: 'INTERRUPTED' },
  });
  exchange.send(...words('c'), usage, '[DONE]');
  expect(endsOf(await here)).toEqual(['ChatCompleted']);
  expect(foldedText(await here)).toBe('abc');
  expect(endsOf(await there)).toEqual(['ChatFailed']);
  await changes.when((all) => all.at(-1) === 'SUCCEEDED');

  for (const app of [first, second]) {
    expect(await findGeneration(app, id)).toMatchObject({
      status: 'SUCCEEDED',
      error: null,
      usage: { totalTokens: 3 },
      output: { choices: [{ message: { content: 'abc' } }] },
    });
    for (const events of [
      chatEvents(app.wsClient(), { id }),
      chatEvents(app.wsClient(), { id, after: 0 }),
      streamChat(app.wsClient(), hello),
    ]) {
      const seen = await toEnd(events);
      expect(endsOf(seen)).toEqual(['ChatCompleted']);
      expect(seen.at(-1)?.soFar.choices[0]?.message.content).toBe('abc');
    }
    expect(await totalsOf(app)).toMatchObject([
      { generations: 1, succeeded: 1, failed: 0, withUsage: 1, totalTokens: 3 },
    ]);
  }
  expect(gateway.requests).toHaveLength(1);
});

test('the true end may be an error of the gateway', async () => {
  const instances = await startInstances(2);
  const { id, exchange, here } = await startWatched(instances);
  await endForIt(instances, instances.second, id, 'FAILED');
  exchange.cut();
  expect((await here).at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'STREAM_CUT' } });
  expect(await findGeneration(instances.second, id)).toMatchObject({ error: { code: 'STREAM_CUT' } });
});

test.each(['first', 'second'] as const)(
  'a cancel through the %s instance wins over the true end, and stops the gateway',
  async (name) => {
    const instances = await startInstances(2);
    const { second, records } = instances;
    const { id, exchange, here } = await startWatched(instances);
    await endForIt(instances, second, id, 'FAILED');
    await expect.poll(() => records.query('select id from instances')).toHaveLength(2);
    expect(made(await cancelGeneration(instances[name], { id }))).toMatchObject({ status: 'CANCELED' });
    await exchange.closed;
    expect(endsOf(await here)).toEqual(['ChatCanceled']);
    expect(await findGeneration(second, id)).toMatchObject({ status: 'CANCELED', error: null });
    expect(await totalsOf(second)).toMatchObject([{ generations: 1, failed: 0, canceled: 1 }]);
    // Again, it changes nothing.
    const before = await findGeneration(second, id);
    expect(made(await cancelGeneration(second, { id }))).toEqual(before);
  },
);

test('a deletion wins over the true end, and stops the gateway', async () => {
  const instances = await startInstances(2);
  const { second } = instances;
  const { id, exchange, here } = await startWatched(instances);
  await endForIt(instances, second, id, 'FAILED');
  const { data } = await second.run(DeleteGenerationsDocument, { ids: [id] });
  expect(data?.deleteGenerations?.deletedIds).toEqual([id]);
  await exchange.closed;
  expect((await here).at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
  for (const app of instances.apps) expect(await findGeneration(app, id)).toBeNull();
});

test.each([
  ['a stream', startChat, [...words('whole'), usage, '[DONE]']],
  ['one document', createChatCompletion, undefined],
] as const)(
  'the reply to a create that was unknown meanwhile, as %s, is its true end',
  async (_what, create, events) => {
    const instances = await startInstances(2);
    const { first, second, gateway } = instances;
    const creating = create(first, hello);
    const exchange = await gateway.exchange(0);
    const [row] = await instances.records.query('select id from generations');
    const id = String(row?.['id']);
    await endForIt(instances, second, id, 'UNKNOWN');
    expect(refused(await create(second, hello)).code).toBe('OUTCOME_UNKNOWN');
    if (events) exchange.send(...events);
    else exchange.reply(200, { choices: [{ message: { content: 'whole' } }], usage: usage.usage });
    made(await creating);
    await expect
      .poll(() => findGeneration(second, id))
      .toMatchObject({ status: 'SUCCEEDED', error: null, usage: { totalTokens: 3 } });
    expect(made(await create(second, hello))).toMatchObject({ id, status: 'SUCCEEDED' });
    expect(await totalsOf(second)).toMatchObject([{ generations: 1, succeeded: 1, unknown: 0 }]);
    expect(gateway.requests).toHaveLength(1);
  },
);

test.each([
  ['a stream', startChat],
  ['one document', createChatCompletion],
] as const)(
  'the refusal of a create that was unknown meanwhile, as %s, is its true end, and frees its key',
  async (_what, create) => {
    const instances = await startInstances(2);
    const { first, second, gateway } = instances;
    const creating = create(first, hello);
    const exchange = await gateway.exchange(0);
    const [row] = await instances.records.query('select id from generations');
    const id = String(row?.['id']);
    const changes = watchChanges(second);
    await endForIt(instances, second, id, 'UNKNOWN');
    await changes.when((all) => all.length > 0);
    exchange.reply(429, { error: { message: 'slow down' } });
    expect(refused(await creating).code).toBe('RATE_LIMITED');
    expect(await changes.when((all) => all.length > 1)).toEqual(['UNKNOWN', 'FAILED']);
    const error = { code: 'RATE_LIMITED', message: 'slow down' };
    for (const app of instances.apps) {
      expect(await findGeneration(app, id)).toMatchObject({ status: 'FAILED', error });
      const end = (await toEnd(chatEvents(app.wsClient(), { id }))).at(-1);
      expect(end).toMatchObject({ __typename: 'ChatFailed', error: { ...error, retry: 'LATER' } });
    }
    expect(await totalsOf(second)).toMatchObject([{ generations: 1, failed: 1, unknown: 0 }]);
    // Nothing was charged: the same key may be sent again.
    const again = create(second, hello);
    (await gateway.exchange(1)).reply(200, { choices: [{ message: { content: 'whole' } }] });
    expect(made(await again).id).not.toBe(id);
  },
);

test('a create that was unknown meanwhile, and was never sent, has failed without a charge', async () => {
  const instances = await startInstances(2);
  const { second, gateway, records } = instances;
  const [claimed, known] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const wrapStore = (store: Store): Store => ({
    ...store,
    async claim(...claim) {
      await store.claim(...claim);
      claimed.resolve();
      await known.promise;
      throw new RecordsUnavailableError('The reply of the database was lost');
    },
  });
  const creating = startChat(await instances.start({ overrides: { wrapStore } }), hello);
  await claimed.promise;
  const [row] = await records.query('select id from generations');
  const id = String(row?.['id']);
  await endForIt(instances, second, id, 'UNKNOWN');
  known.resolve();
  await expect(creating).rejects.toThrow('RECORDS_UNAVAILABLE');
  await expect.poll(async () => (await findGeneration(second, id))?.status).toBe('FAILED');
  expect((await toEnd(chatEvents(second.wsClient(), { id }))).at(-1)).toMatchObject({
    error: { code: 'INTERNAL', retry: 'LATER' },
  });
  const again = startChat(second, hello);
  (await gateway.exchange(0)).send(...words('a'), '[DONE]');
  expect(made(await again).id).not.toBe(id);
  expect(gateway.requests).toHaveLength(1);
});
