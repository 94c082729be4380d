import type { Exchange } from '../../src/bus/exchange.ts';
import type { Clock } from '../../src/lib/clock.ts';
import { parseJson } from '../../src/lib/json.ts';

/** One instance's end of the messages, as over PostgreSQL. */
export interface HubMember extends Exchange {
  readonly id: string;
  /** What it sends waits, and it reads nothing. */
  cut(): void;
  restore(): void;
  /** Drops what it has sent and nobody has read, as a crash of the database or a full outbox does. */
  lose(): void;
}

export interface MessageHub {
  join(id: string): HubMember;
}

interface Message {
  readonly sender: string;
  readonly topic: string;
  readonly body: string;
}

interface Party {
  readonly member: HubMember;
  /** In the database, for this instance. */
  inbox: Message[];
  read(): void;
}

/** A notification and a read. */
const latencyMs = 10;

/** Messages between instances of one process. Messages wait for an instance that is cut off, and for those that it sends. */
export function createMessageHub(clock: Clock): MessageHub {
  const parties = new Map<string, Party>();
  const post = (to: string, message: Message): void => {
    for (const [id, { inbox }] of parties)
      if (id !== message.sender && (to === '' || to === id)) inbox.push(message);
  };
  const schedule = (): void => {
    clock.after(latencyMs, () => {
      for (const { read } of parties.values()) read();
    });
  };

  return {
    join(id) {
      const listeners = new Map<string, Set<(body: unknown, sender: string) => void>>();
      const reconnectListeners = new Set<() => void>();
      let outbox: [string, Message][] = [];
      let connectedAt: number | undefined = clock.elapsed();
      const flush = (): void => {
        for (const [to, message] of outbox.splice(0)) post(to, message);
        schedule();
      };
      const read = (): void => {
        while (connectedAt !== undefined && party.inbox.length > 0) {
          const message = party.inbox.shift();
          if (!message) return;
          // A copy, as from the database.
          const body = parseJson(message.body);
          for (const onMessage of listeners.get(message.topic) ?? []) onMessage(body, message.sender);
        }
      };
      const member: HubMember = {
        id,
        send(topic, body, to = '') {
          outbox.push([to, { sender: id, topic, body }]);
          if (connectedAt !== undefined) flush();
        },
        listen(topic, onMessage) {
          const ofTopic = listeners.get(topic) ?? new Set();
          listeners.set(topic, ofTopic.add(onMessage));
          return () => void ofTopic.delete(onMessage);
        },
        onGap: () => () => {},
        onReconnected(listener) {
          reconnectListeners.add(listener);
          return () => void reconnectListeners.delete(listener);
        },
        async catchUp() {
          read();
          return connectedAt !== undefined;
        },
        get connectedAt() {
          return connectedAt;
        },
        cut: () => void (connectedAt = undefined),
        restore() {
          if (connectedAt !== undefined) return;
          connectedAt = clock.elapsed();
          flush();
          for (const listener of reconnectListeners) listener();
        },
        lose() {
          outbox = [];
          for (const { inbox } of parties.values())
            for (let at = inbox.length - 1; at >= 0; at -= 1)
              if (inbox[at]?.sender === id) inbox.splice(at, 1);
        },
        async close() {},
      };
      const party: Party = { member, inbox: [], read };
      parties.set(id, party);
      return member;
    },
  };
}
