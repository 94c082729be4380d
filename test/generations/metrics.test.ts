import { describe, expect, test } from 'vitest';
import { dayMs } from '../../src/lib/time.ts';
import type { TestApp } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { chunk, startScripted, words } from '../support/scripted-gateway.ts';

async function metricsOf(app: TestApp, id: string): Promise<object | undefined> {
  const { data } = await app.run<{ generation: { metrics: object } }, object>(
    `{ generation(by: { id: "${id}" }) { metrics { firstTokenMs totalMs } } }`,
  );
  return data?.generation.metrics;
}

describe('Generation.metrics', () => {
  test('of a streamed chat are the times to its first token, whatever the system clock, and to its end', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    exchange.send(chunk({ role: 'assistant', content: '' }));
    const { id } = made(await starting);
    const events = chatEvents(app.wsClient(), { id });
    const receive = async (sequence: number): Promise<void> => {
      while ((await nextEvent(events)).sequence < sequence);
    };
    await receive(1);
    clock.advance(100.4);
    clock.step(40 * dayMs);
    exchange.send(...words('a'));
    await receive(2);
    clock.step(-40 * dayMs);
    expect(await metricsOf(app, id)).toEqual({ firstTokenMs: null, totalMs: null });
    clock.advance(49.6);
    exchange.send(...words('b'), '[DONE]');
    await toEnd(events);
    expect(await metricsOf(app, id)).toEqual({ firstTokenMs: 100, totalMs: 150 });
  });

  test('of a whole reply have no first token', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const { app, gateway } = scripted;
    const creating = createChatCompletion(app, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    clock.advance(70);
    exchange.reply(200, { choices: [{ index: 0, message: { role: 'assistant', content: 'a' } }] });
    const { id } = made(await creating);
    expect(await metricsOf(app, id)).toEqual({ firstTokenMs: null, totalMs: 70 });
  });

  test('of a streamed request that is answered with a document have no first token', async () => {
    await using scripted = await startScripted({ overrides: { clock: createManualClock() } });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    const document = { choices: [{ index: 0, message: { role: 'assistant', content: 'a' } }] };
    (await gateway.exchange(0)).reply(200, document);
    const { id } = made(await starting);
    await toEnd(chatEvents(app.wsClient(), { id }));
    expect(await metricsOf(app, id)).toEqual({ firstTokenMs: null, totalMs: 0 });
  });

  test('of a stream of images have the time to the first image', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const { app, gateway } = scripted;
    const events = app.wsClient().iterate<{ streamImages: { generationId: string; sequence: number } }>({
      query: `subscription {
        streamImages(input: { model: "m", prompt: "x" }, idempotencyKey: "k") { generationId sequence }
      }`,
    });
    const receive = async (isWanted: (sequence: number) => boolean): Promise<string> => {
      for (;;) {
        const { value } = await events.next();
        const event = value?.data?.streamImages;
        if (!event) throw new Error(JSON.stringify(value));
        if (isWanted(event.sequence)) return event.generationId;
      }
    };
    const received = receive((sequence) => sequence > 0);
    const exchange = await gateway.exchange(0);
    clock.advance(30);
    exchange.send({ type: 'image_generation.partial_succeeded', image_index: 0, url: 'http://x/1.jpg' });
    const id = await received;
    clock.advance(5);
    exchange.send({ type: 'image_generation.completed' });
    for await (const { errors } of events) expect(errors).toBeUndefined();
    expect(await metricsOf(app, id)).toEqual({ firstTokenMs: 30, totalMs: 35 });
  });
});
