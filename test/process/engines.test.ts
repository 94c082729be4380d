import { describe, expect, test } from 'vitest';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
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
      error: { code: 'INTERRUPTED' },
      output: { sequence: 2, choices: [{ message: { content: 'one two ' } }] },
    });
    expect(made(await startChat(second, named('running'))).id).toBe(id);
    expect(refused(await createChatCompletion(second, named('sending'))).code).toBe('OUTCOME_UNKNOWN');
    expect(gateway.requests).toHaveLength(2);
  });
});
