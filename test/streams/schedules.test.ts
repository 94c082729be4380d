import { expect, test } from 'vitest';
import type { ChatDelta, ChatState } from '../../src/capabilities/chat/completion.ts';
import { createRandom } from '../support/random.ts';
import { createSchedule, type Schedule } from '../support/schedule.ts';
import type { GenerationEvent } from '../../src/streams/follow-stream.ts';

/** More of them in the long run. */
const count = Number(process.env['SCHEDULES'] ?? 2000);

type ChatEvent = GenerationEvent<ChatState, ChatDelta>;

/** A front end that knows nothing but the rules of the events. */
interface Client {
  readonly name: string;
  iterator: AsyncIterator<ChatEvent, undefined> | undefined;
  /** Settled events that were not looked at yet. */
  readonly inbox: ChatEvent[];
  isWaiting: boolean;
  sequence: number;
  text: string;
  isEnded: boolean;
}

function textOf(choices: ChatState['choices']): string {
  return choices.map(({ index, content = '' }) => `${index}:${content}`).join('|');
}

/** What the rules make of an event; throws where they are broken. */
function apply(client: Client, event: ChatEvent, model: Schedule): void {
  if (client.isEnded) throw new Error(`${client.name}: ${event.type} after the end`);
  switch (event.type) {
    case 'snapshot':
      client.text = textOf(event.state.choices);
      client.sequence = event.sequence;
      break;
    case 'delta': {
      if (event.sequence <= client.sequence) throw new Error(`${client.name}: told twice`);
      if (event.fromSequence !== client.sequence + 1) throw new Error(`${client.name}: missed something`);
      // By its own means: the text as of then, from what the upstream has sent.
      client.text = append(client.text, event.delta);
      client.sequence = event.sequence;
      break;
    }
    case 'completed':
    case 'canceled':
    case 'failed':
      client.isEnded = true;
      // A client that held everything may be told nothing but the end.
      if (client.sequence === -1) client.text = textOf(event.state.choices);
      expect(textOf(event.state.choices)).toBe(model.textAt(event.sequence));
      expect(event.generation?.finishedAt).toBeDefined();
      break;
    default:
      event satisfies never;
  }
  if (event.type !== 'snapshot' && event.type !== 'delta') return;
  expect(client.text).toBe(model.textAt(client.sequence));
  expect(textOf(event.state.choices)).toBe(client.text);
}

function append(text: string, delta: ChatDelta): string {
  const choices = new Map(text === '' ? [] : text.split('|').map((part) => splitOnce(part)));
  for (const { index, content = '' } of delta.choices)
    choices.set(String(index), (choices.get(String(index)) ?? '') + content);
  return [...choices]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([index, content]) => `${index}:${content}`)
    .join('|');
}

function splitOnce(part: string): readonly [string, string] {
  const colon = part.indexOf(':');
  return [part.slice(0, colon), part.slice(colon + 1)];
}

function pull(client: Client): void {
  if (!client.iterator || client.isWaiting) return;
  client.isWaiting = true;
  const { iterator } = client;
  void iterator.next().then(({ done, value }) => {
    // What a connection that is gone still brings reaches nobody.
    if (client.iterator !== iterator) return;
    client.isWaiting = false;
    if (!done) client.inbox.push(value);
  });
}

async function connect(client: Client, model: Schedule, after: number | undefined): Promise<void> {
  await leave(client);
  client.isEnded = false;
  // Whoever leaves `after` out starts anew.
  if (after === undefined) client.sequence = -1;
  client.iterator = await model.follow(after);
}

async function leave(client: Client): Promise<void> {
  const { iterator } = client;
  client.iterator = undefined;
  client.isWaiting = false;
  client.inbox.length = 0;
  await iterator?.return?.();
}

async function run(seed: number): Promise<void> {
  const random = createRandom(seed);
  const pick = (limit: number): number => Math.floor(random() * limit);
  await using model = await createSchedule(random);
  const clients = ['first', 'second', 'late'].map((name): Client => ({
    name,
    iterator: undefined,
    inbox: [],
    isWaiting: false,
    sequence: -1,
    text: '',
    isEnded: false,
  }));
  const look = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const client of clients) for (const event of client.inbox.splice(0)) apply(client, event, model);
  };
  for (let step = 0; step < 40; step += 1) {
    const client = clients[pick(step < 20 ? 2 : 3)];
    if (!client) throw new Error('no such client');
    const act = pick(100);
    if (act < 40) model.send(1 + pick(5));
    else if (act < 65) pull(client);
    else if (act < 75) await connect(client, model, undefined);
    // What it holds, which is what it may say that it holds.
    else if (act < 85) await connect(client, model, client.sequence < 0 ? undefined : client.sequence);
    else if (act < 90) await leave(client);
    else if (act < 95) model.advance(pick(1500));
    else if (act < 96) await model.cancel();
    else if (act < 98) await model.end(random() < 0.7 ? 'done' : 'cut');
    else if (act === 98 && (await model.restart())) for (const each of clients) await leave(each);
    await look();
  }
  await model.end('done');
  // In the end everybody who comes back has the whole, and its end, once.
  for (const client of clients) {
    const holds = random() < 0.5 && client.sequence >= 0 && client.sequence <= model.sequence;
    await connect(client, model, holds ? client.sequence : undefined);
    for (let turn = 0; turn < 50 && !client.isEnded; turn += 1) {
      pull(client);
      await look();
    }
    expect(client.isEnded).toBe(true);
    expect(client.text).toBe(model.textAt(model.sequence));
  }
}

test(`${count} schedules of merges, reconnects, cancels, late watchers and restarts: every client has the log's text`, async () => {
  const broken: string[] = [];
  for (let seed = 1; seed <= count && broken.length < 3; seed += 1) {
    await run(seed).catch((error: unknown) => broken.push(`seed ${seed}: ${String(error)}`));
  }
  expect(broken).toEqual([]);
}, 600_000);
