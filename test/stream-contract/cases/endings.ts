import { expect, onTestFinished } from 'vitest';
import type { Section } from '../contract.ts';
import { run, watch } from '../support/client.ts';
import { endingOf, isEnd, textOf } from '../../../src/contract/clients/events.ts';
import { chunk, type Exchange, picture, picturesDone, words } from '../support/gateway-double.ts';
import {
  alice,
  createFields,
  inputOf,
  type Kind,
  kinds,
  recordedText,
  startStream,
} from '../support/world.ts';

const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call', 'something_new'];

/** How the gateway ends an accepted reply, and the ending that every watcher sees. */
const ways: Readonly<Record<string, readonly [string, (exchange: Exchange) => void]>> = {
  '[DONE]': ['Completed', (exchange) => exchange.send('[DONE]')],
  'an error object': [
    'GATEWAY_ERROR',
    (exchange) => exchange.send({ error: { message: 'broken', code: 'x' } }),
  ],
  'an error with only a message': [
    'GATEWAY_ERROR',
    (exchange) => exchange.send({ error: { message: 'broken' } }),
  ],
  'an error as text': ['GATEWAY_ERROR', (exchange) => exchange.send({ error: 'broken' })],
  'success: false': ['GATEWAY_ERROR', (exchange) => exchange.send({ success: false, message: 'broken' })],
  'an event that is not JSON': ['GATEWAY_ERROR', (exchange) => exchange.send('{"choices":[{')],
  'an event that is no object': ['GATEWAY_ERROR', (exchange) => exchange.send('5')],
  'an empty array': ['GATEWAY_ERROR', (exchange) => exchange.send('[]')],
  'a cut': ['STREAM_CUT', (exchange) => exchange.cut()],
  'a cut in the middle of an event': [
    'STREAM_CUT',
    (exchange) => void exchange.write('data: {"choices":[{"delta":{"con').then(() => exchange.cut()),
  ],
  'the end of the body': ['STREAM_UNFINISHED', (exchange) => exchange.end()],
  'the end of the body in an event': [
    'STREAM_UNFINISHED',
    (exchange) => exchange.end('data: {"choices":[{"delta"'),
  ],
};

/** Refusals before the stream: the status, and the code of the error. */
const refusals: readonly (readonly [number, string])[] = [
  [400, 'GATEWAY_ERROR'],
  [401, 'AUTHENTICATION_FAILED'],
  [403, 'AUTHENTICATION_FAILED'],
  [404, 'GATEWAY_ERROR'],
  [409, 'GATEWAY_ERROR'],
  [413, 'GATEWAY_ERROR'],
  [422, 'GATEWAY_ERROR'],
  [429, 'RATE_LIMITED'],
  [500, 'GATEWAY_ERROR'],
  [503, 'GATEWAY_ERROR'],
];

function partsOf(kind: Kind, count: number): readonly unknown[] {
  return kind === 'chat' ? words('a', 'b', 'c').slice(0, count) : [0, 1, 2].map(picture).slice(0, count);
}

const stalling = { stallSeconds: 0.5 };

export const endings: Section = {
  name: 'endings',
  register(check) {
    for (const reason of finishReasons)
      check(`finish reason ${reason} completes with [DONE] and is kept`, async (world) => {
        const stream = await startStream(world);
        const watcher = stream.follow();
        await watcher.at(0);
        stream.exchange.send(...words('a'), chunk({}, reason), '[DONE]');
        expect(endingOf(await watcher.ended)).toBe('Completed');
        expect(watcher.held.choices[0]?.finishReason).toBe(reason);
        const again = stream.follow();
        await again.ended;
        expect(again.held.choices[0]?.finishReason).toBe(reason);
      });

    for (const reason of finishReasons.slice(0, 2))
      check(`finish reason ${reason} without [DONE] is STREAM_UNFINISHED`, async (world) => {
        const stream = await startStream(world);
        const watcher = stream.follow();
        stream.exchange.send(...words('a'), chunk({}, reason));
        stream.exchange.end();
        expect(endingOf(await watcher.ended)).toBe('STREAM_UNFINISHED');
        expect(watcher.held.choices[0]).toMatchObject({ content: 'a', finishReason: reason });
      });

    for (const kind of kinds)
      for (const [way, [ending, act]] of Object.entries(ways))
        for (const count of [0, 3])
          check(`${way} after ${count} parts of ${kind} keeps them and has one ending`, async (world) => {
            const expected = kind === 'images' && way === '[DONE]' && count === 0 ? 'GATEWAY_ERROR' : ending;
            const stream = await startStream(world, { kind });
            const watcher = stream.follow();
            await watcher.at(0);
            if (count > 0) {
              stream.exchange.send(...partsOf(kind, count));
              await watcher.untilSequence(count);
            }
            act(stream.exchange);
            const events = await watcher.ended;
            expect(endingOf(events)).toBe(expected);
            expect(events.filter(isEnd)).toHaveLength(1);
            expect(watcher.held.sequence).toBe(count);
            const record = await stream.run('generation', { by: { id: stream.id } });
            const isDone = expected === 'Completed';
            expect(record?.status).toBe(isDone ? 'SUCCEEDED' : 'FAILED');
            expect(record?.error?.code).toBe(isDone ? undefined : expected);
            if (kind === 'chat') expect(recordedText(record)).toBe('abc'.slice(0, count));
            else expect(record?.output?.images?.length ?? 0).toBe(count);
            expect(endingOf(await stream.follow().ended)).toBe(expected);
          });

    for (const kind of kinds)
      for (const count of [0, 2])
        check(`silence of the gateway after ${count} parts of ${kind} is STREAM_STALLED`, async (world) => {
          const stream = await startStream(world, { kind, settings: stalling });
          const watcher = stream.follow();
          if (count > 0) stream.exchange.send(...partsOf(kind, count));
          expect(endingOf(await watcher.ended)).toBe('STREAM_STALLED');
          expect(watcher.held.sequence).toBe(count);
          await stream.exchange.closed;
        });

    check('a comment as a sign of life keeps a silent stream', async (world) => {
      const settings = { stallSeconds: 2 };
      const stream = await startStream(world, { settings });
      const watcher = stream.follow();
      const heart = setInterval(() => void stream.exchange.write(': alive\n\n'), 50);
      onTestFinished(() => clearInterval(heart));
      // The stall of a silent stream is the clock: it takes longer than the silence that this one may have.
      const silent = await startStream(world, { settings });
      expect(endingOf(await silent.follow().ended)).toBe('STREAM_STALLED');
      stream.exchange.send(...words('a'), '[DONE]');
      expect(endingOf(await watcher.ended)).toBe('Completed');
    });

    check('the closing event completes images without [DONE]', async (world) => {
      const stream = await startStream(world, { kind: 'images' });
      stream.exchange.send(picture(0), picturesDone);
      expect(endingOf(await stream.follow().ended)).toBe('Completed');
    });

    check('a document in place of a stream completes the chat', async (world) => {
      const endpoint = await world.endpoint();
      const tag = world.nextTag();
      const variables = { input: inputOf('chat', tag), idempotencyKey: `key-${tag}` };
      const watcher = watch(endpoint, 'streamChat', { variables, headers: alice });
      const choices = [{ index: 0, message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }];
      (await world.gateway.exchange(tag)).reply(200, { id: 'c', choices });
      expect(endingOf(await watcher.ended)).toBe('Completed');
      expect(textOf(watcher.held)).toBe('whole');
    });

    for (const kind of kinds)
      for (const [status, code] of refusals)
        check(
          `a refusal of ${kind} with status ${status} is ${code} and leaves no generation`,
          async (world) => {
            const endpoint = await world.endpoint();
            const tag = world.nextTag();
            const variables = { input: inputOf(kind, tag), idempotencyKey: `key-${tag}` };
            const watcher = watch(endpoint, createFields[kind], { variables, headers: alice });
            (await world.gateway.exchange(tag)).reply(status, { error: { message: 'no' } });
            const events = await watcher.ended;
            expect(events).toMatchObject([{ generationId: null, sequence: 0, error: { code }, ended: null }]);
            const by = { idempotencyKey: `key-${tag}` };
            expect(await run(endpoint, 'generation', { variables: { by }, headers: alice })).toBeNull();
            expect(world.gateway.count(tag)).toBe(1);
          },
        );

    for (const [what, act] of [
      ['a cut before the reply', (exchange: Exchange) => exchange.cut()],
      ...([500, 502] as const).map(
        (status) =>
          [
            `${status} with a page`,
            (exchange: Exchange) =>
              exchange.reply(status, '<html>no gateway</html>', { 'content-type': 'text/html' }),
          ] as const,
      ),
    ] as const)
      check(`${what} is OUTCOME_UNKNOWN and stays so`, async (world) => {
        const endpoint = await world.endpoint();
        const tag = world.nextTag();
        const variables = { input: inputOf('chat', tag), idempotencyKey: `key-${tag}` };
        const watcher = watch(endpoint, 'streamChat', { variables, headers: alice });
        act(await world.gateway.exchange(tag));
        expect(endingOf(await watcher.ended)).toBe('OUTCOME_UNKNOWN');
        const by = { idempotencyKey: `key-${tag}` };
        const record = await run(endpoint, 'generation', { variables: { by }, headers: alice });
        expect(record).toMatchObject({ status: 'UNKNOWN', error: { code: 'OUTCOME_UNKNOWN' } });
        expect(world.gateway.count(tag)).toBe(1);
      });
  },
};
