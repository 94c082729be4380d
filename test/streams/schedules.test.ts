import { expect, test } from 'vitest';
import type { ChatDelta, ChatState } from '../../src/capabilities/chat/completion.ts';
import { isFeed } from '../../src/lib/follow.ts';
import { readPushed } from '../support/pushed-events.ts';
import { createRandom } from '../support/random.ts';
import { createSchedule, type Schedule } from '../support/schedule.ts';
import { firstSeed } from '../support/seeds.ts';
import type { GenerationEvent } from '../../src/streams/follow-stream.ts';

/** `npm run test:long` sets a larger number. */
const count = Number(process.env['SCHEDULES'] ?? 100);

type ChatEvent = GenerationEvent<ChatState, ChatDelta>;

/** A client that follows only the documented rules of the events. */
interface Client {
  readonly name: string;
  iterator: AsyncIterator<ChatEvent, undefined> | undefined;
  /** Received events that were not applied yet. */
  readonly inbox: ChatEvent[];
  isWaiting: boolean;
  readonly minIntervalMs: number;
  sequence: number;
  text: string;
  isEnded: boolean;
}

function textOf(choices: ChatState['choices']): string {
  return choices.map(({ index, content = '' }) => `${index}:${content}`).join('|');
}

/** Applies an event by the rules. @throws when the event breaks them */
function apply(client: Client, event: ChatEvent, model: Schedule): void {
  if (client.isEnded) throw new Error(`${client.name}: ${event.type} after the end`);
  switch (event.type) {
    case 'snapshot':
      client.text = textOf(event.state.choices);
      client.sequence = event.sequence;
      break;
    case 'delta': {
      if (event.sequence <= client.sequence) throw new Error(`${client.name}: duplicate delta`);
      if (event.fromSequence !== client.sequence + 1) throw new Error(`${client.name}: missed a delta`);
      // Computed here from the deltas alone, independent of the code under test.
      client.text = append(client.text, event.delta);
      client.sequence = event.sequence;
      break;
    }
    case 'completed':
    case 'canceled':
    case 'failed':
      client.isEnded = true;
      // A client that was up to date may receive only the end.
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
    // Drops events of a closed connection.
    if (client.iterator !== iterator) return;
    client.isWaiting = false;
    if (!done) client.inbox.push(value);
  });
}

interface Connection {
  readonly model: Schedule;
  readonly after: number | undefined;
  readonly random: () => number;
}

/** Half of the clients receive the events pushed, as over a WebSocket. */
async function connect(client: Client, { model, after, random }: Connection): Promise<void> {
  await leave(client);
  client.isEnded = false;
  // Without `after`, the client starts over.
  if (after === undefined) client.sequence = -1;
  const events = await model.follow({ after, minIntervalMs: client.minIntervalMs });
  client.iterator = isFeed(events) && random() < 0.5 ? readPushed(events, random) : events;
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
    minIntervalMs: name === 'second' ? 300 : 0,
    sequence: -1,
    text: '',
    isEnded: false,
  }));
  const applyInboxes = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    for (const client of clients) for (const event of client.inbox.splice(0)) apply(client, event, model);
  };
  for (let step = 0; step < 40; step += 1) {
    const client = clients[pick(step < 20 ? 2 : 3)];
    if (!client) throw new Error('no such client');
    const action = pick(100);
    if (action < 40) model.send(1 + pick(5));
    else if (action < 65) pull(client);
    else if (action < 75) await connect(client, { model, after: undefined, random });
    // Resumes after the last sequence that the client holds.
    else if (action < 85)
      await connect(client, { model, after: client.sequence < 0 ? undefined : client.sequence, random });
    else if (action < 90) await leave(client);
    else if (action < 94) model.advance(pick(1500));
    else if (action === 94) await (random() < 0.5 ? model.seemDead() : model.cancelElsewhere());
    else if (action < 96) await model.cancel();
    else if (action < 98) await model.end(random() < 0.7 ? 'done' : 'cut');
    else if (action === 98 && (await model.restart())) for (const each of clients) await leave(each);
    await applyInboxes();
  }
  await model.end('done');
  expect(await model.findStatus()).toBe(model.status);
  // Finally, every client that reconnects gets the complete text and exactly one end.
  for (const client of clients) {
    const canResume = random() < 0.5 && client.sequence >= 0 && client.sequence <= model.sequence;
    await connect(client, { model, after: canResume ? client.sequence : undefined, random });
    for (let turn = 0; turn < 50 && !client.isEnded; turn += 1) {
      pull(client);
      await applyInboxes();
    }
    expect(client.isEnded).toBe(true);
    expect(client.text).toBe(model.textAt(model.sequence));
  }
}

test(
  `in ${count} random schedules of merges, reconnects, cancels, late watchers, restarts and false deaths every client has the log's text, and the record the true end`,
  async () => {
    const broken: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + count && broken.length < 3; seed += 1) {
      await run(seed).catch((error: unknown) => broken.push(`seed ${seed}: ${String(error)}`));
    }
    expect(broken).toEqual([]);
  },
  60_000 + 60 * count,
);
