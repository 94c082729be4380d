import { describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  streamChat,
  toEnd,
} from '../../support/chats.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { startScripted, words } from '../../support/scripted-gateway.ts';

const hello = ask('Hello');
const story = ask('Tell me a story in 2000 words.');
const path = '/v1/chat/completions';

describe('cancelGeneration', () => {
  test.each(['id', 'idempotencyKey'])(
    'by %s aborts a running chat at the gateway immediately',
    async (selector) => {
      await using app = await startApp({ sandbox: { tokensPerSecond: 100 } });
      const { activity } = app.sandbox;
      const events = streamChat(app.wsClient(), { input: story, idempotencyKey: 'mine' });
      const seen = [await nextEvent(events), await nextEvent(events)];
      const id = seen[0]?.generationId ?? '';
      const canceled = made(
        await cancelGeneration(app, selector === 'id' ? { id } : { idempotencyKey: 'mine' }),
      );
      expect(canceled).toMatchObject({ id, status: 'CANCELED', isTerminal: true, isCancelable: false });
      expect(canceled.finishedAt).not.toBeNull();
      await activity.waitUntilIdle();
      expect(activity.requests(path).map(({ state }) => state)).toEqual(['aborted']);
      seen.push(...(await toEnd(events)));
      expect(seen.at(-1)).toMatchObject({ __typename: 'ChatCanceled', ended: { id, status: 'CANCELED' } });
      expect(foldedText(seen)).not.toBe('');
      expect(canceled.output?.choices[0]?.message.content).toBe(foldedText(seen));
      expect(canceled.raw).toMatchObject({ choices: [{ message: { content: foldedText(seen) } }] });
    },
  );

  test('returns the same end when called twice', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: hello });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    const [first, second] = await Promise.all([cancelGeneration(app, { id }), cancelGeneration(app, { id })]);
    expect(first).toMatchObject({ id, status: 'CANCELED' });
    expect(second).toEqual(first);
    expect(await cancelGeneration(app, { id })).toEqual(first);
    await exchange.closed;
  });

  test.each(['fault-bare-eof', 'gpt-4o'])(
    'after the end returns a chat of model %s unchanged',
    async (model) => {
      const clock = createManualClock();
      await using app = await startApp({ overrides: { clock } });
      const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello', { model }) }));
      const id = events[0]?.generationId ?? '';
      const before = await findGeneration(app, id);
      clock.advance(1000);
      expect(await cancelGeneration(app, { id })).toEqual(before);
      clock.advance(3_600_000);
      expect(await cancelGeneration(app, { id })).toEqual(before);
      expect(before?.status).toBe(model === 'gpt-4o' ? 'SUCCEEDED' : 'FAILED');
    },
  );

  test('returns the first end when several ends race', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: hello });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    const watching = toEnd(chatEvents(app.wsClient(), { id }));
    exchange.send(...words('a'), '[DONE]');
    const [canceled, events] = await Promise.all([cancelGeneration(app, { id }), watching]);
    const ends = events.filter(({ __typename }) => /Completed|Canceled|Failed/.test(__typename));
    expect(ends).toHaveLength(1);
    const { status } = made(canceled);
    expect(ends[0]?.__typename).toBe(status === 'SUCCEEDED' ? 'ChatCompleted' : 'ChatCanceled');
    expect((await findGeneration(app, id))?.status).toBe(status);
  });

  test('ends a createChatCompletion in flight, which returns the canceled generation', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const waiting = createChatCompletion(app, { input: hello, idempotencyKey: 'whole' });
    const exchange = await gateway.exchange(0);
    const canceled = made(await cancelGeneration(app, { idempotencyKey: 'whole' }));
    expect(canceled.status).toBe('CANCELED');
    await exchange.closed;
    expect(made(await waiting)).toMatchObject({ id: canceled.id, status: 'CANCELED', isTerminal: true });
    // The key still identifies the generation, so a retry sends no second request.
    expect(await createChatCompletion(app, { input: hello, idempotencyKey: 'whole' })).toMatchObject({
      id: canceled.id,
      status: 'CANCELED',
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test('ends a startChat that the gateway has not accepted yet', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: hello, idempotencyKey: 'early' });
    const exchange = await gateway.exchange(0);
    const canceled = made(await cancelGeneration(app, { idempotencyKey: 'early' }));
    expect(canceled.status).toBe('CANCELED');
    await exchange.closed;
    expect(made(await starting)).toMatchObject({ id: canceled.id, status: 'CANCELED' });
    expect((await findGeneration(app, canceled.id))?.status).toBe('CANCELED');
    const listed = await app.run<{ generations: { edges: { node: { status: string } }[] } }, object>(
      '{ generations { edges { node { status } } } }',
    );
    expect(listed.data?.generations.edges.map(({ node }) => node.status)).toEqual(['CANCELED']);
  });

  test("does not find another credential's generation and does not stop it", async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: hello, idempotencyKey: 'mine' });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    const strangers = [
      { authorization: 'Bearer sk-other' },
      { authorization: 'Bearer sk-sandbox', 'x-end-user': 'somebody else' },
    ];
    for (const headers of strangers) {
      for (const by of [{ id }, { idempotencyKey: 'mine' }]) {
        const failure = refused(await cancelGeneration(app, by, headers));
        expect(failure).toMatchObject({ __typename: 'NotFoundError', code: 'NOT_FOUND' });
      }
      expect(await findGeneration(app, id, headers)).toBeNull();
    }
    exchange.send(...words('a'), '[DONE]');
    const events = await toEnd(chatEvents(app.wsClient(), { id }));
    expect(events.at(-1)?.__typename).toBe('ChatCompleted');
  });

  test.each([{ id: 'x' }, { id: '' }, { idempotencyKey: 'never used' }, { idempotencyKey: '' }])(
    'finds nothing for %j',
    async (by) => {
      await using app = await startApp();
      expect(refused(await cancelGeneration(app, by))).toMatchObject({ __typename: 'NotFoundError' });
    },
  );

  test('requires exactly one selector', async () => {
    await using app = await startApp();
    const mutation = 'mutation { cancelGeneration(by: { id: "x", idempotencyKey: "y" }) { __typename } }';
    expect((await app.run(mutation)).errors?.[0]?.extensions).toMatchObject({
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
  });
});
