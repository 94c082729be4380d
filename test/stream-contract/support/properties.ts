import { expect } from 'vitest';
import { createNames, sendTwins } from '../cases/twins.ts';
import type { Property, Random } from '../properties.ts';
import { run, watch } from './client.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { endingOf, isEnd, textOf } from '../../../src/contract/clients/events.ts';
import { encodeEvent, type Exchange, picture, words } from './gateway-double.ts';
import { alice, inputOf, recordedText, type RunningStream, startStream } from './world.ts';

const letters = ['a', 'ü', '😀', ' ', '\n', '"', '\\', '𝒳', '</x>', '\u2028', '0', 'data: '] as const;

function randomWords(random: Random, longest = 12): readonly string[] {
  return Array.from({ length: 1 + random.below(longest) }, () =>
    Array.from({ length: 1 + random.below(4) }, () => random.pick(letters)).join(''),
  );
}

/** Sends the words in random writes, and each time lets a random number of events arrive. */
async function sendRandomly(
  { exchange, follow }: RunningStream,
  contents: readonly string[],
  random: Random,
): Promise<void> {
  const watcher = follow();
  await watcher.at(0);
  let sent = 0;
  while (sent < contents.length) {
    const count = 1 + random.below(3);
    exchange.send(...words(...contents.slice(sent, sent + count)));
    sent = Math.min(sent + count, contents.length);
    if (random.below(2) === 0) await watcher.untilSequence(sent);
  }
  await watcher.untilSequence(sent);
  await watcher.leave();
}

const endings: readonly [string, (exchange: Exchange) => void][] = [
  ['Completed', (exchange) => exchange.send('[DONE]')],
  ['STREAM_CUT', (exchange) => exchange.cut()],
  ['STREAM_UNFINISHED', (exchange) => exchange.end()],
  ['GATEWAY_ERROR', (exchange) => exchange.send({ error: { message: 'x' } })],
  ['GATEWAY_ERROR', (exchange) => exchange.send('not JSON')],
];

/** Statements that hold for every seed. */
export const properties: Readonly<Record<string, Property>> = {
  async 'a reply divided at any bytes has its whole text'(world, random) {
    const stream = await startStream(world);
    const watcher = stream.follow();
    const contents = randomWords(random);
    const lineEnd = random.pick(['\n', '\r\n', '\r']);
    const reply = [...words(...contents), '[DONE]'].map(encodeEvent).join('').replaceAll('\n', lineEnd);
    const bytes = Buffer.from(reply);
    for (let start = 0; start < bytes.length;) {
      const size = 1 + random.below(60);
      await stream.exchange.write(bytes.subarray(start, start + size));
      start += size;
    }
    expect(endingOf(await watcher.ended)).toBe('Completed');
    expect(textOf(watcher.held)).toBe(contents.join(''));
    expect(watcher.held.sequence).toBe(contents.length);
  },

  async 'watchers that join at any moment agree on the text of every sequence'(world, random) {
    const stream = await startStream(world);
    const contents = randomWords(random);
    const watchers = [stream.follow()];
    for (const [index, content] of contents.entries()) {
      stream.exchange.send(...words(content));
      if (random.below(2) === 0)
        watchers.push(stream.follow({ transport: random.pick(['WebSocket', 'server-sent events']) }));
      if (random.below(3) === 0) await watchers[0]?.untilSequence(index + 1);
    }
    stream.exchange.send('[DONE]');
    for (const watcher of watchers)
      for (const event of await watcher.ended)
        expect(event.soFar.choices?.[0]?.message.content ?? '').toBe(
          contents.slice(0, event.sequence).join(''),
        );
  },

  async '`after` at any value yields what follows it'(world, random) {
    const stream = await startStream(world);
    const contents = randomWords(random);
    const first = stream.follow();
    await first.at(0);
    const known = random.below(contents.length + 1);
    if (known > 0) stream.exchange.send(...words(...contents.slice(0, known)));
    await first.untilSequence(known);
    const { held } = first;
    stream.exchange.send(...words(...contents.slice(known)));
    if (random.below(2) === 0) await first.untilSequence(contents.length);
    if (random.below(2) === 0) {
      stream.exchange.send('[DONE]');
      await first.ended;
    }
    const second = stream.follow({ after: held.sequence, held });
    await second.untilSequence(contents.length).catch(() => {});
    stream.exchange.send('[DONE]');
    await second.ended;
    expect(textOf(second.held)).toBe(contents.join(''));
    expect(second.events.some(({ __typename }) => __typename === 'ChatSnapshot')).toBe(false);
  },

  async 'cuts at any byte heal, with one request'(world, random) {
    const endpoint = await world.endpoint();
    let cuts = random.below(4);
    const proxy = await startCuttingProxy(endpoint, ({ length, connection, kind }) => {
      // The client gives up after a cut of its first handshake only if it was told so.
      if (cuts === 0 || random.below(4) > 0 || (connection === 0 && kind === 'upgrade')) return undefined;
      cuts -= 1;
      return random.below(length + 1);
    });
    const tag = world.nextTag();
    const variables = { input: inputOf('chat', tag) };
    const watcher = watch(proxy, 'streamChat', { variables, headers: alice, isHealing: true });
    const exchange = await world.gateway.exchange(tag);
    const contents = randomWords(random);
    for (const [index, content] of contents.entries()) {
      exchange.send(...words(content));
      if (random.below(2) === 0) await watcher.untilSequence(index + 1);
    }
    exchange.send('[DONE]');
    expect(endingOf(await watcher.ended)).toBe('Completed');
    expect(textOf(watcher.held)).toBe(contents.join(''));
    expect(world.gateway.count(tag)).toBe(1);
  },

  async 'any interval keeps the order and the text'(world, random) {
    const stream = await startStream(world);
    const contents = randomWords(random);
    const paced = stream.follow({ minIntervalMs: random.pick([1, 3, 10, 50, 10_000]) });
    await paced.at(0);
    await sendRandomly(stream, contents, random);
    stream.exchange.send('[DONE]');
    expect(endingOf(await paced.ended)).toBe('Completed');
    expect(textOf(paced.held)).toBe(contents.join(''));
    expect(paced.held.sequence).toBe(contents.length);
  },

  async 'a cancel at any moment keeps at least what a watcher has seen'(world, random) {
    const stream = await startStream(world);
    const contents = randomWords(random);
    const watcher = stream.follow();
    await watcher.at(0);
    const known = random.below(contents.length + 1);
    stream.exchange.send(...words(...contents));
    await watcher.untilSequence(known);
    const seen = textOf(watcher.held);
    const result = await stream.run('cancelGeneration', { by: { id: stream.id } });
    expect(result?.status).toBe('CANCELED');
    const events = await watcher.ended;
    expect(events.filter(isEnd)).toHaveLength(1);
    expect(endingOf(events)).toBe('Canceled');
    const kept = recordedText(await stream.run('generation', { by: { id: stream.id } }));
    expect(kept.startsWith(seen) && contents.join('').startsWith(kept)).toBe(true);
    expect(textOf(watcher.held)).toBe(kept);
  },

  async 'any ending after any text is the same for early and late watchers and in the record'(world, random) {
    const stream = await startStream(world);
    const contents = randomWords(random).slice(0, random.below(12));
    const watcher = stream.follow();
    await watcher.at(0);
    if (contents.length > 0) await sendRandomly(stream, contents, random);
    const [ending, act] = endings[random.below(endings.length)] ?? ['', () => {}];
    act(stream.exchange);
    expect(endingOf(await watcher.ended)).toBe(ending);
    const late = stream.follow();
    expect(endingOf(await late.ended)).toBe(ending);
    expect([textOf(watcher.held), textOf(late.held)]).toEqual([contents.join(''), contents.join('')]);
    const record = await stream.run('generation', { by: { id: stream.id } });
    expect([recordedText(record), record?.error?.code ?? 'Completed']).toEqual([contents.join(''), ending]);
  },

  async 'any number of twins in any form are one chat'(world, random) {
    const names = Array.from(
      { length: 2 + random.below(6) },
      () => createNames[random.below(createNames.length)] ?? '',
    );
    const isLost = random.below(4) === 0;
    const { twins, tag } = await sendTwins(world, {
      names,
      answer: (exchange) => (isLost ? exchange.cut() : exchange.send(...words('a'))),
    });
    for (const twin of twins) expect(twin).toEqual(twins[0]);
    expect(twins[0]?.code).toBe(isLost ? 'OUTCOME_UNKNOWN' : undefined);
    expect(world.gateway.count(tag)).toBe(1);
  },

  async 'a key belongs to one input and one owner'(world, random) {
    const endpoint = await world.endpoint();
    const key = world.nextTag();
    const tags = [world.nextTag(), world.nextTag()] as const;
    /** By owner: the tag and the generation of its first create. */
    const first = new Map<string, { readonly tag: string; readonly id: string | undefined }>();
    const counts = new Map<string, number>();
    for (let step = 0; step < 6; step += 1) {
      const owner = random.pick(['one', 'two', 'three']);
      const tag = random.pick(tags);
      const headers = { authorization: `Bearer sk-${owner}-${key}` };
      const variables = { input: inputOf('chat', tag), idempotencyKey: key };
      const known = first.get(owner);
      const starting = run(endpoint, 'startChat', { variables, headers });
      if (!known) {
        const count = counts.get(tag) ?? 0;
        counts.set(tag, count + 1);
        (await world.gateway.exchange(tag, count)).accept();
      }
      const result = await starting;
      if (!known) first.set(owner, { tag, id: result?.id });
      else if (known.tag === tag) expect(result?.id).toBe(known.id);
      else expect(result?.code).toBe('IDEMPOTENCY_CONFLICT');
    }
    expect(new Set([...first.values()].map(({ id }) => id)).size).toBe(first.size);
    for (const tag of tags) expect(world.gateway.count(tag)).toBe(counts.get(tag) ?? 0);
  },

  async 'images in any order and interval arrive once'(world, random) {
    const stream = await startStream(world, { kind: 'images' });
    const count = 1 + random.below(8);
    const order = Array.from({ length: count }, (_, index) => ({
      index,
      place: random.below(1000),
    })).toSorted((one, other) => one.place - other.place);
    const watcher = stream.follow({ minIntervalMs: random.pick([0, 5, 10_000]) });
    await watcher.at(0);
    for (const { index } of order) {
      if (random.below(2) === 0) await stream.sendSeen(picture(index));
      else stream.exchange.send(picture(index));
    }
    stream.exchange.send('[DONE]');
    expect(endingOf(await watcher.ended)).toBe('Completed');
    expect(watcher.held.images.map(({ index }) => index)).toEqual(
      Array.from({ length: count }, (_, index) => index),
    );
    expect(watcher.held.sequence).toBe(count);
  },
};
