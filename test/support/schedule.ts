import { pino } from 'pino';
import { chatKind } from '../../src/capabilities/chat/chat-kind.ts';
import type { ChatDelta, ChatState } from '../../src/capabilities/chat/completion.ts';
import { StreamError } from '../../src/errors.ts';
import { Redactor } from '../../src/gateway/redact.ts';
import { newGeneration } from '../../src/generations/new-generation.ts';
import { createLoggedCreates } from '../../src/generations/logged-creates.ts';
import { createOrphanRecovery } from '../../src/generations/orphan-recovery.ts';
import type { Engine } from '../../src/generations/engine.ts';
import { cancelStream, endStream } from '../../src/streams/end-stream.ts';
import { followStream, type GenerationEvents } from '../../src/streams/follow-stream.ts';
import type { FollowOptions } from '../../src/streams/recorded-stream.ts';
import { findStream, type GenerationStream, type StreamOutcome } from '../../src/streams/streamed-kind.ts';
import { randomId } from '../../src/lib/ids.ts';
import type { Generation } from '../../src/store/records.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { Streams } from '../../src/streams/streams.ts';
import { createDirectory } from './durable-server.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';

/** One chat that a test drives, with its expected text. */
export interface Schedule extends AsyncDisposable {
  /** Number of deltas: those sent, or after a restart those saved. */
  readonly sequence: number;
  /** The expected text of every choice after this many deltas. */
  textAt(sequence: number): string;
  /** Sends deltas in one read. Does nothing after the end. */
  send(count: number): void;
  advance(milliseconds: number): void;
  cancel(): Promise<void>;
  end(how: 'done' | 'cut'): Promise<void>;
  /** Simulates a crash and a restart. False when nothing was running. */
  restart(): Promise<boolean>;
  /** Another instance takes this one for dead, although it still runs the chat. */
  seemDead(): Promise<void>;
  /** The client cancels the chat on another instance, which does not reach this one. */
  cancelElsewhere(): Promise<void>;
  /** The true status: how the chat has ended first, except that an end that another instance only assumed does not count. */
  readonly status: string;
  /** The status in the record. */
  findStatus(): Promise<string | undefined>;
  follow(options: FollowOptions): Promise<GenerationEvents<ChatState, ChatDelta>>;
}

/** Shared by all schedules, because creating a database file is slow. */
let files: Promise<{ readonly directory: string; readonly clock: ManualClock; store: Store }> | undefined;

async function openFiles(): Promise<{
  readonly directory: string;
  readonly clock: ManualClock;
  store: Store;
}> {
  const directory = await createDirectory();
  const clock = createManualClock();
  return { directory, clock, store: await createSqliteStore({ directory, clock }) };
}

const pieces = ['a', 'bc', ' 🦊', '两', 'word ', '', '…', 'x'.repeat(50)];

export async function createSchedule(random: () => number): Promise<Schedule> {
  const shared = await (files ??= openFiles());
  const { clock, directory } = shared;
  /** All deltas sent so far. */
  const sent: ChatDelta[] = [];
  let sequence = 0;
  let engine = createEngine(shared.store, clock, random);
  const generation = await recordGeneration(engine, clock);
  let stream = openStream(engine, generation);
  /** Of the client on another instance, before the end of the chat. */
  let isCanceled = false;
  let status = 'RUNNING';
  const endAs = (end: string): void => void (status = isCanceled ? 'CANCELED' : end);
  /** A second instance, which takes the first one for dead. */
  const recoverElsewhere = async (): Promise<Store> => {
    const other = await createSqliteStore({ directory, clock });
    const recovery = createOrphanRecovery({ store: other, clock });
    await recovery.find();
    await recovery.run();
    return other;
  };
  const isRunning = (): boolean => stream !== undefined && stream.end === undefined;
  const finish = async (as: string, end: () => Promise<unknown>): Promise<void> => {
    if (!isRunning()) return;
    await end();
    endAs(as);
  };
  const schedule: Schedule = {
    get sequence() {
      return sequence;
    },
    textAt: (count) => textOf(sent.slice(0, count)),
    send(count) {
      if (!stream || !isRunning()) return;
      const deltas = Array.from({ length: count }, () => createDelta(random));
      stream.append(deltas);
      if (stream.sequence > sequence) sent.push(...deltas);
      sequence = stream.sequence;
    },
    advance: (milliseconds) => clock.advance(milliseconds),
    cancel: () => finish('CANCELED', () => cancelStream(chatKind, generation, engine)),
    async end(how) {
      const cut = new StreamError('STREAM_CUT', 'cut');
      const run = stream && { streamed: chatKind, engine, generation, stream };
      if (run)
        await finish(how === 'done' ? 'SUCCEEDED' : 'FAILED', () =>
          endStream(run, how === 'done' ? { type: 'completed' } : { type: 'failed', error: cut }),
        );
    },
    async restart() {
      if (!isRunning()) return false;
      const dead = shared.store;
      engine.streams.close();
      shared.store = await recoverElsewhere();
      await dead.close();
      endAs('FAILED');
      engine = createEngine(shared.store, clock, random);
      stream = undefined;
      const [record] = await shared.store.findGenerations(generation.owner, [generation.id]);
      sequence = chatKind.fromOutput(record?.output).sequence;
      return true;
    },
    async seemDead() {
      if (!isRunning()) return;
      const other = await recoverElsewhere();
      await other.close();
    },
    async cancelElsewhere() {
      if (!isRunning()) return;
      await shared.store.endGeneration(generation.id, {
        status: 'CANCELED',
        finishedAt: clock.now(),
        isVisible: true,
      });
      isCanceled = true;
    },
    get status() {
      return status;
    },
    async findStatus() {
      const [record] = await shared.store.findGenerations(generation.owner, [generation.id]);
      return record?.status;
    },
    async follow(options) {
      const [record] = await shared.store.findGenerations(generation.owner, [generation.id]);
      return followStream({ engine, streamed: chatKind, generation: record ?? generation }, options);
    },
    async [Symbol.asyncDispose]() {
      engine.streams.close();
    },
  };
  return schedule;
}

function createEngine(store: Store, clock: ManualClock, random: () => number): Engine {
  // A short log evicts the positions of slow clients.
  const streams = new Streams({ clock, logMs: 500, maxLogLength: random() < 0.5 ? 8 : 20_000 });
  return {
    store,
    clock,
    streams,
    maxReplyBytes: 1_000_000,
    log: pino({ level: 'silent' }),
    loggedCreates: createLoggedCreates(),
  } as unknown as Engine; // The code under test uses only these.
}

async function recordGeneration({ store }: Engine, clock: ManualClock): Promise<Generation> {
  const generation = await newGeneration({
    caller: { owner: 'o', credential: 'c', userId: undefined, forwarded: {} },
    body: {},
    kind: 'CHAT',
    status: 'RUNNING',
    model: 'm',
    prompt: undefined,
    collection: undefined,
    maxInputBytes: 1024,
    now: clock.now(),
  });
  const id = randomId('creation');
  await store.claim(
    {
      id,
      owner: 'o',
      operation: 'chat',
      fingerprint: 'f',
      phase: 'SENDING',
      subjectId: generation.id,
      createdAt: clock.now(),
    },
    generation,
  );
  await store.settle(id, { phase: 'SETTLED', generation: { isVisible: true } });
  return { ...generation, isVisible: true };
}

function openStream(
  engine: Engine,
  generation: Generation,
): GenerationStream<ChatState, ChatDelta> | undefined {
  const opened = engine.streams.open<ChatState, ChatDelta, StreamOutcome>(chatKind.shape, generation.id, {
    save: async (state, sequence) =>
      void (await engine.store.saveOutput(generation.id, chatKind.toOutput({ state, sequence }))),
  });
  Object.assign(opened, {
    reader: chatKind.createReader(),
    redactor: new Redactor('c'),
    timing: { sentAt: 0 },
  });
  return findStream(engine, chatKind, generation.id);
}

function createDelta(random: () => number): ChatDelta {
  const indices = random() < 0.8 ? [0] : [0, 1];
  return {
    choices: indices.map((index) => ({
      index,
      content: pieces[Math.floor(random() * pieces.length)] ?? '',
    })),
  };
}

function textOf(deltas: readonly ChatDelta[]): string {
  const texts = new Map<number, string>();
  for (const { choices } of deltas)
    for (const { index, content = '' } of choices) texts.set(index, (texts.get(index) ?? '') + content);
  return [...texts]
    .toSorted(([a], [b]) => a - b)
    .map(([index, text]) => `${index}:${text}`)
    .join('|');
}
