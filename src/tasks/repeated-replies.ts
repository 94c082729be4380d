import { LRUCache } from 'lru-cache';
import type { LastReply } from '../gateway/gateway.ts';
import type { Json } from '../lib/json.ts';
import type { Task } from '../store/records.ts';
import type { TaskHandle } from './task-kinds.ts';

/** Detects replies of batch reads that change nothing, by their text, because most replies repeat the one before. */
export interface RepeatedReplies {
  /** Call it for each read of these tasks, whose records have just been found. */
  open(owner: string, members: readonly (Task | TaskHandle)[]): RepeatedReply;
}

interface RepeatedReply {
  /** For the request. */
  readonly lastReply: LastReply;
  /** Returns the recorded tasks if this reply repeats the last one, which changed none of them. */
  findUnchanged(reply: Json): readonly Task[] | undefined;
  /** Remembers a reply that changed none of the tasks. Its text decides alone, whatever the time. */
  remember(tasks: readonly Task[]): void;
}

interface Entry {
  readonly tasks: readonly Task[];
  readonly text: string;
}

/** In characters of replies. The same tasks are also in the records. */
const maxChars = 16_000_000;

/** Takes the place of a parsed reply, so that only its text is retained. */
const repeated: Json = Object.freeze({});

export function createRepeatedReplies(): RepeatedReplies {
  const known = new LRUCache<string, Entry>({
    maxSize: maxChars,
    sizeCalculation: ({ text }) => text.length,
  });
  return {
    open(owner, members) {
      const key = `${owner} ${members.length} ${members[0]?.upstreamId}`;
      const entry = known.get(key);
      // A record with a change is another object.
      const last = entry?.tasks.every((task, index) => task === members[index]) ? entry : undefined;
      const lastReply: LastReply = last ? { text: last.text, body: repeated } : {};
      return {
        lastReply,
        findUnchanged: (reply) => (reply === repeated ? last?.tasks : undefined),
        remember(tasks) {
          const { text } = lastReply;
          // Replies that may contain the credential have no text.
          if (text === undefined || text === '') known.delete(key);
          else known.set(key, { tasks, text });
        },
      };
    },
  };
}
