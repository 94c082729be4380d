import { describe, expect, onTestFinished, test } from 'vitest';
import {
  GenerationsDocument,
  StreamImagesDocument,
  UsageTotalsDocument,
} from '../../src/client/documents.generated.ts';
import { startApp, subscribe, type TestApp } from '../support/app.ts';
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
} from '../support/chats.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { plainByResolution } from '../support/images.ts';
import { createRecords, engines } from '../support/records.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const named = (key: string) => ({ input: ask(`Hello, ${key}`), idempotencyKey: key });

describe.each(engines)('the program with records in %s', (engine) => {
  test('keeps creates, chats and lists over a restart', async () => {
    const [records, gateway] = [await createRecords(engine), await startScriptedGateway()];
    const location = { env: records.env, gatewayUrl: gateway.url };
    const first = await startDurableServer(location);
    expect(first.program.stderr).toMatch(
      engine === 'SQLite' ? /Records +\// : /Records +PostgreSQL at [\w.]+:\d+\/\w+\n/,
    );
    const creating = createChatCompletion(first, named('whole'));
    (await gateway.exchange(0)).reply(200, { choices: [{ message: { content: 'Hi!\u0000\uD800' } }] });
    const whole = made(await creating);
    const starting = startChat(first, named('streamed'));
    const exchange = await gateway.exchange(1);
    exchange.send(...words('a', '\u0000', 'b'), '[DONE]');
    const streamed = made(await starting);
    const text = foldedText(await toEnd(chatEvents(first.wsClient(), { id: streamed.id })));
    expect(text).toBe('a\u0000b');
    first.program.kill('SIGTERM');
    expect(await first.program.exited).toEqual({ code: 0, signal: null });

    const second = await startDurableServer(location);
    expect(await findGeneration(second, whole.id)).toEqual(whole);
    expect(await createChatCompletion(second, named('whole'))).toEqual(whole);
    expect(foldedText(await toEnd(chatEvents(second.wsClient(), { id: streamed.id })))).toBe(text);
    const { data } = await second.run(GenerationsDocument, {});
    expect(data?.generations?.edges.map(({ node }) => node.id)).toEqual([streamed.id, whole.id]);
    expect(gateway.requests).toHaveLength(2);
  });

  test('after kill -9 has what it acknowledged, and sends nothing again', async () => {
    const [records, gateway] = [await createRecords(engine), await startScriptedGateway()];
    const location = { env: records.env, gatewayUrl: gateway.url };
    const first = await startDurableServer(location);
    const starting = startChat(first, named('running'));
    (await gateway.exchange(0)).send(...words('one ', 'two '));
    const { id } = made(await starting);
    await nextEvent(chatEvents(first.wsClient(), { id }));
    await expect
      .poll(() => records.query("select body from contents where part = 'output' and body like '%one two %'"))
      .toHaveLength(1);
    const lost = createChatCompletion(first, named('sending')).catch(() => undefined);
    await gateway.exchange(1);
    await first.crash();
    expect(await lost).toBeUndefined();
    await records.expireLeases();

    const second = await startDurableServer(location);
    expect(await findGeneration(second, id)).toMatchObject({
      status: 'FAILED',
      isTerminal: true,
      isCancelable: false,
      error: { code: 'INTERRUPTED' },
      output: { sequence: 2, choices: [{ message: { content: 'one two ' } }] },
    });
    for (const events of [
      await toEnd(chatEvents(second.wsClient(), { id })),
      await toEnd(streamChat(second.wsClient(), named('running'))),
    ]) {
      expect(events).toMatchObject([
        { __typename: 'ChatSnapshot', generationId: id, sequence: 2 },
        { __typename: 'ChatFailed', generationId: id, error: { code: 'INTERRUPTED' } },
      ]);
      expect(foldedText(events)).toBe('one two ');
    }
    expect(made(await startChat(second, named('running'))).id).toBe(id);
    const failure = refused(await createChatCompletion(second, named('sending')));
    expect(failure).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
    const { data } = await second.run(GenerationsDocument, {});
    expect(data?.generations?.edges.map(({ node }) => node.id)).toEqual([failure.generation?.id, id]);
    expect(gateway.requests).toHaveLength(2);
  });

  test('a cancel changes nothing of what a killed server left, neither a lost create nor a broken stream', async () => {
    const [records, gateway] = [await createRecords(engine), await startScriptedGateway()];
    const first = await startDurableServer({ env: records.env, gatewayUrl: gateway.url });
    const whole = createChatCompletion(first, named('UNKNOWN whole')).catch(() => undefined);
    const starting = startChat(first, named('UNKNOWN stream')).catch(() => undefined);
    await gateway.exchange(1);
    const accepted = startChat(first, named('FAILED stream'));
    (await gateway.exchange(2)).send(...words('one '));
    made(await accepted);
    const images = { input: plainByResolution, idempotencyKey: 'FAILED images' };
    void subscribe(first.wsClient({ retryAttempts: 0 }), StreamImagesDocument, images)
      .next()
      .catch(() => {});
    (await gateway.exchange(3)).accept();
    const lost = { input: plainByResolution, idempotencyKey: 'UNKNOWN images' };
    void subscribe(first.wsClient({ retryAttempts: 0 }), StreamImagesDocument, lost)
      .next()
      .catch(() => {});
    await gateway.exchange(4);
    const settled = "select id from generations where kind = 'IMAGE' and is_visible = 1";
    await expect.poll(() => records.query(settled)).toHaveLength(1);
    await first.crash();
    await Promise.all([whole, starting]);
    await records.expireLeases();

    const apps: TestApp[] = [];
    while (apps.length < (engine === 'SQLite' ? 1 : 2)) {
      const app = await startApp({ gatewayUrl: gateway.url, env: records.env });
      onTestFinished(() => app[Symbol.asyncDispose]());
      apps.push(app);
    }
    const keys = ['UNKNOWN whole', 'UNKNOWN stream', 'FAILED stream', 'FAILED images', 'UNKNOWN images'];
    const totals = async (app: TestApp) => (await app.run(UsageTotalsDocument, {})).data?.usageTotals;
    for (const app of apps) {
      expect(await totals(app)).toMatchObject([{ generations: 5, failed: 2, unknown: 3, canceled: 0 }]);
      const canceled = await Promise.all(keys.map((key) => cancelGeneration(app, { idempotencyKey: key })));
      for (const [index, generation] of canceled.map(made).entries()) {
        const status = keys[index]?.split(' ')[0];
        const code = status === 'UNKNOWN' ? 'OUTCOME_UNKNOWN' : 'INTERRUPTED';
        expect(generation).toMatchObject({ status, isTerminal: true, isCancelable: false, error: { code } });
        expect(await findGeneration(app, generation.id)).toEqual(generation);
      }
      expect(await totals(app)).toMatchObject([{ generations: 5, failed: 2, unknown: 3, canceled: 0 }]);
      const again = refused(await createChatCompletion(app, named('UNKNOWN whole')));
      expect(again).toMatchObject({ code: 'OUTCOME_UNKNOWN', generation: { status: 'UNKNOWN' } });
    }
    expect(gateway.requests).toHaveLength(5);
  });
});
