import { describe, expect, onTestFinished, test } from 'vitest';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, chatEvents, createChatCompletion, made, startChat, toEnd } from '../support/chats.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { musicTask } from '../support/fake-music.ts';
import { createInbox } from '../support/inbox.ts';
import { factsOf, type SentSpan, startReceiver } from '../support/otlp-receiver.ts';
import { createRecords, type Engine, engines, sharedEngines } from '../support/records.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'one' };
const songId = 'a-song';
const createSong = `mutation { createSong(input: { description: "a", model: SONG_V5 }) { ... on Generation { id task { id } } } }`;

interface SongCreated {
  readonly createSong: { readonly id: string; readonly task: { readonly id: string } };
}

/** Servers with the same records, whose spans go to one receiver. */
async function startShared(engine: Engine, { isTraced = true } = {}) {
  const records = await createRecords(engine);
  const receiver = await startReceiver();
  const chats = createInbox<(text: string) => void>();
  const gateway = await startFakeGateway((request, response) => {
    const reply = (value: unknown): void => {
      sendJson(response, value);
    };
    if (request.url?.includes('/chat/'))
      chats.push((content) => reply({ choices: [{ message: { content } }] }));
    else if (request.method === 'POST' && request.url?.includes('/submit/'))
      reply({ code: 'success', data: songId });
    else reply({ code: 'success', data: [musicTask(songId)] });
  });
  const start = async (): Promise<TestApp & AsyncDisposable> => {
    const env = { ...records.env, ...(isTraced && { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }) };
    const app = await startApp({ gatewayUrl: gateway.url, env });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const reply = async (): Promise<void> => {
    const [send] = await chats.when((all) => all.length > 0);
    send?.('a');
  };
  return { start, reply, receiver, records, gateway };
}

const named =
  (name: string) =>
  (span: SentSpan): boolean =>
    span.name === name;

const ofGeneration =
  (id: string | undefined) =>
  (span: SentSpan): boolean =>
    factsOf(span)['gengraph.generation.id'] === id;

const originOf = (span: SentSpan | undefined) => [{ traceId: span?.traceId, spanId: span?.spanId }];

describe.each(engines)('%s', (engine) => {
  test('a replay, a resumed stream and a poll after a restart link to the spans of the creates', async () => {
    const { start, reply, receiver } = await startShared(engine);
    const first = await start();
    const creating = startChat(first, hello);
    await reply();
    const { id } = made(await creating);
    await toEnd(chatEvents(first.wsClient(), { id }));
    const { data } = await first.run<SongCreated, unknown>(createSong);
    await first.app.close();
    const { spans } = receiver;
    const chat = spans.find(ofGeneration(id));
    const song = spans.find(ofGeneration(data?.createSong.id));
    const before = spans.length;

    const second = await start();
    made(await startChat(second, hello));
    await toEnd(chatEvents(second.wsClient(), { id }));
    await second.run('query Poll($id: ID!) { task(id: $id) { status } }', { id: data?.createSong.task.id });
    await second.app.close();
    const after = spans.slice(before);
    expect([chat, song]).not.toContain(undefined);
    expect(after.find(named('mutation Create'))?.links).toMatchObject(originOf(chat));
    expect(after.find(named('subscription ChatEvents'))?.links).toMatchObject(originOf(chat));
    const polls = after.filter(named('POST /music/fetch'));
    expect(polls.map(({ links }) => links)).toMatchObject([originOf(song)]);
    expect(spans.filter(ofGeneration(id))).toEqual([chat]);
  });

  test('no trace is recorded if no spans are exported', async () => {
    const { start, reply, records } = await startShared(engine, { isTraced: false });
    const app = await start();
    const creating = createChatCompletion(app, hello);
    await reply();
    made(await creating);
    expect((await app.run<SongCreated, unknown>(createSong)).data?.createSong.task.id).toBeDefined();
    const rows = await records.query('select traceparent from generations');
    expect(rows).toEqual([{ traceparent: null }, { traceparent: null }]);
    const tasks = await records.query('select body from tasks');
    expect(JSON.stringify(tasks)).toContain(songId);
    expect(JSON.stringify(tasks)).not.toContain('traceparent');
  });
});

describe.each(sharedEngines)('%s', (engine) => {
  test('duplicates on the same and another instance link to the span of the create', async () => {
    const { start, reply, receiver, gateway } = await startShared(engine);
    const servers = [await start(), await start()] as const;
    const [first, second] = servers;
    const duplicates = [first, first, second].map((app) => createChatCompletion(app, hello));
    await reply();
    for (const duplicate of duplicates) made(await duplicate);
    for (const { app } of servers) await app.close();
    const { spans } = receiver;
    const chat = spans.find((span) => factsOf(span)['gen_ai.operation.name'] !== undefined);
    const links = spans.filter(named('mutation Create')).map((span) => span.links);
    expect(links.toSorted((left, right) => left.length - right.length)).toMatchObject([
      [],
      originOf(chat),
      originOf(chat),
    ]);
    expect(gateway.requests).toHaveLength(1);
  });
});
