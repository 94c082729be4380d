import { describe, expect, test, vi } from 'vitest';
import { ask, chatEvents, findGeneration, made, nextEvent, startChat, toEnd } from '../support/chats.ts';
import { startDurableServer } from '../support/durable-server.ts';
import { foldedText } from '../support/fold-chat.ts';
import { createRecords, engines, type Records } from '../support/records.ts';
import { startScriptedGateway, words } from '../support/scripted-gateway.ts';

const hello = { input: ask('Hello'), idempotencyKey: 'k' };
/** Longer than an output that is always saved whole. */
const start = 'word '.repeat(4000);

/** Resolves when a row of the output contains the text. Returns the names of all its rows. */
async function waitUntilSaved({ query }: Records, id: string, text: string): Promise<readonly unknown[]> {
  const rows = `select part from contents where generation_id = '${id}' and part like 'output%'`;
  const saved = `${rows} and body like '%${text}%'`;
  await vi.waitFor(async () => expect(await query(saved)).toHaveLength(1), { timeout: 30_000, interval: 50 });
  return (await query(`${rows} order by part`)).map(({ part }) => part);
}

describe.each(engines)('%s', (engine) => {
  test('the end of a long chat leaves one row, and kill -9 the text that was saved in parts, for every reader', async () => {
    const [records, gateway] = [await createRecords(engine), await startScriptedGateway()];
    const location = { gatewayUrl: gateway.url, env: records.env };
    const first = await startDurableServer(location);
    const ending = startChat(first, { input: ask('Hello'), idempotencyKey: 'ends' });
    const ended = await gateway.exchange(0);
    ended.send(...words(start, 'marker-0'));
    const whole = made(await ending);
    await waitUntilSaved(records, whole.id, 'marker-0');
    ended.send(...words(' marker-1'));
    expect(await waitUntilSaved(records, whole.id, 'marker-1')).toEqual(['output', 'output+000001']);
    ended.send(...words(' end'), '[DONE]');
    await toEnd(chatEvents(first.wsClient(), { id: whole.id }));
    expect(await waitUntilSaved(records, whole.id, ' end')).toEqual(['output']);
    expect(await findGeneration(first, whole.id)).toMatchObject({
      status: 'SUCCEEDED',
      output: { choices: [{ message: { content: `${start}marker-0 marker-1 end` } }] },
    });

    const starting = startChat(first, hello);
    const exchange = await gateway.exchange(1);
    exchange.send(...words(start, 'marker-0'));
    const { id } = made(await starting);
    expect(await waitUntilSaved(records, id, 'marker-0')).toEqual(['output']);
    const added = ['marker-0', ' \ud83d\ude00 "quoted" marker-1', '\n'.repeat(3000), ' marker-2'];
    exchange.send(...words(added[1] ?? ''));
    expect(await waitUntilSaved(records, id, 'marker-1')).toEqual(['output', 'output+000001']);
    exchange.send(...words(added[2] ?? '', added[3] ?? ''));
    await waitUntilSaved(records, id, 'marker-2');
    exchange.send(...words(' late'));
    await first.crash();

    await records.expireLeases();
    const second = await startDurableServer(location);
    const generation = await findGeneration(second, id);
    expect(generation).toMatchObject({ status: 'FAILED', error: { code: 'INTERRUPTED' } });
    const saved = start + added.join('');
    const text = generation?.output?.choices[0]?.message.content;
    expect([saved, `${saved} late`]).toContain(text);
    const watch = chatEvents(second.wsClient(), { id });
    const snapshot = await nextEvent(watch);
    expect(snapshot).toMatchObject({ __typename: 'ChatSnapshot' });
    expect(foldedText([snapshot, ...(await toEnd(watch))])).toBe(text);
    expect(made(await startChat(second, hello)).id).toBe(id);
    expect(gateway.requests).toHaveLength(2);
  });
});
