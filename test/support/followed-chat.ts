import { chatKind } from '../../src/capabilities/chat/chat-kind.ts';
import type { ChatDelta, ChatState } from '../../src/capabilities/chat/completion.ts';
import { createSharedBus } from '../../src/bus/shared-bus.ts';
import { generationTopic } from '../../src/generations/publish-changes.ts';
import type { Generation } from '../../src/store/records.ts';
import { toRecordedOutcome } from '../../src/streams/recorded-outcome.ts';
import type { FollowOptions } from '../../src/streams/recorded-stream.ts';
import { RemoteStreams } from '../../src/streams/remote/remote-streams.ts';
import type { StreamEvent } from '../../src/streams/shape.ts';
import type { StreamOutcome } from '../../src/streams/streamed-kind.ts';
import { Streams } from '../../src/streams/streams.ts';
import { buildGeneration } from '../store/support.ts';
import { createManualClock } from './manual-clock.ts';
import { createMessageHub, type HubMember } from './message-hub.ts';

export type FollowedEvent = StreamEvent<ChatState, ChatDelta, StreamOutcome>;

export interface FollowedChat {
  /** The instance that runs the chat, and the one that follows it. */
  readonly producer: HubMember;
  readonly reader: HubMember;
  readonly text: string;
  /** A delta of the gateway. */
  append(text: string): void;
  /** The producer writes its progress to the record. */
  save(): void;
  /** Records the end, by the producer or for a dead one, and announces it. */
  end(status: 'SUCCEEDED' | 'FAILED'): Promise<void>;
  /** The lease of the producer has expired, and its lock is free. */
  expireProducer(): void;
  /** Follows the chat elsewhere. The events come as they are received. */
  watch(options?: FollowOptions): readonly FollowedEvent[];
  /** Follows the chat elsewhere, for a client that reads later or never. */
  subscribe(options?: FollowOptions): Subscription;
  /** How often the instances have checked whether its record has ended. */
  readonly checks: number;
  advance(milliseconds: number): Promise<void>;
}

interface Subscription {
  /** Reads from now on. The events come as they are received. */
  read(): readonly FollowedEvent[];
  leave(): Promise<unknown>;
}

const stepMs = 10;

/** A chat of one instance that another one follows, on a virtual clock, with a record and messages in memory. */
export function createFollowedChat(): FollowedChat {
  const clock = createManualClock();
  const hub = createMessageHub(clock);
  const [producer, reader] = [hub.join('producer'), hub.join('reader')];
  let record: Generation = {
    ...buildGeneration(),
    status: 'RUNNING',
    finishedAt: undefined,
    isVisible: true,
  };
  let isAlive = true;
  let text = '';
  let checks = 0;
  const { id, owner } = record;
  const open = (exchange: HubMember) => {
    const bus = createSharedBus({ exchange });
    const streams = new Streams({ clock, logMs: 60_000 });
    const store = {
      findGenerations: async () => [record],
      findSummaries: async () => {
        checks += 1;
        return [record];
      },
    };
    return {
      bus,
      streams,
      remote: new RemoteStreams({
        streams,
        store,
        sharing: { isAlive: async () => isAlive },
        bus,
        exchange,
        clock,
        logMs: 60_000,
      }),
    };
  };
  const [here, there] = [open(producer), open(reader)];
  const stream = here.streams.open<ChatState, ChatDelta, StreamOutcome>(chatKind.shape, id);
  const save = (): void => {
    if (record.finishedAt === undefined) record = { ...record, output: chatKind.toOutput(stream) };
  };
  const subscribe = (options: FollowOptions = {}): Subscription => {
    const feed = there.remote.follow(chatKind, record, options);
    return {
      read() {
        const events: FollowedEvent[] = [];
        void (async () => {
          for await (const event of feed ?? []) if (typeof event !== 'function') events.push(event);
        })();
        return events;
      },
      leave: async () => feed?.return?.(),
    };
  };
  return {
    producer,
    reader,
    get text() {
      return text;
    },
    append(more) {
      text += more;
      stream.append([{ choices: [{ index: 0, content: more }] }]);
    },
    save,
    async end(status) {
      const isOwn = isAlive;
      if (isOwn) save();
      record = { ...record, status, finishedAt: clock.now() };
      if (isOwn) await stream.finish(async () => toRecordedOutcome(chatKind, record, record));
      (isOwn ? here : there).bus.publish(generationTopic(owner), id);
    },
    expireProducer: () => void (isAlive = false),
    watch: (options) => subscribe(options).read(),
    subscribe,
    get checks() {
      return checks;
    },
    async advance(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += stepMs) {
        clock.advance(stepMs);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
