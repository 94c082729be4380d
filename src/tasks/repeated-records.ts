import { LRUCache } from 'lru-cache';
import type { KnownReply } from '../gateway/known-reply.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import {
  compareListedObjects,
  findListedObjects,
  keepListedObjects,
  type ListedObjects,
} from '../lib/json-items.ts';
import type { Task } from '../store/records.ts';
import { mayRepeat } from './record-reading.ts';
import type { BatchRead, TaskHandle } from './task-kinds.ts';

interface RepeatedReply {
  /** For the request. */
  readonly lastReply: KnownReply;
  /** The records in the reply, by upstream id, apart from those that are repeated. */
  findRecords(reply: Json): ReadonlyMap<string, JsonObject>;
  /** Whether the reply repeats the record of this task, which then changes nothing, whatever the time. */
  isRepeated(reply: Json, index: number): boolean;
  /** Remembers what each task is after this reply. */
  remember(reply: Json, tasks: readonly (Task | undefined)[]): void;
}

type Members = readonly (Task | TaskHandle)[];

interface Entry {
  readonly objects: ListedObjects;
  /** Which of the tasks each object describes. */
  readonly order: readonly number[];
  readonly upstreamIds: readonly string[];
  /** Undefined for a task that has to be read, although its record is repeated. */
  readonly tasks: readonly (Task | undefined)[];
}

/** In characters of replies. The same tasks are also in the records. */
const maxChars = 16_000_000;

/**
 * Detects records in the replies to batch reads that repeat those of the last reply, by their text. Only the others are
 * parsed, because most tasks do not change between two reads.
 */
export function createRepeatedRecords() {
  const known = new LRUCache<string, Entry>({
    maxSize: maxChars,
    sizeCalculation: ({ objects }) => objects.text.length,
  });
  return {
    /** Call it for each read of these tasks, whose records have just been found. */
    open(owner: string, members: Members, find: BatchRead['find']): RepeatedReply {
      const key = `${owner} ${members.length} ${members[0]?.upstreamId}`;
      let whole: Whole | undefined;
      let rest: Rest | undefined;
      return {
        lastReply: {
          find(text, parse) {
            const entry = known.get(key);
            rest = entry && findRest(entry, { text, parse, members, find });
            return rest?.body;
          },
          keep(text, body) {
            whole = { text, body, records: find(body) };
          },
        },
        findRecords(reply) {
          return [rest, whole].find((part) => part?.body === reply)?.records ?? find(reply);
        },
        isRepeated: (reply, index) => reply === rest?.body && !rest.read.has(index),
        remember(reply, tasks) {
          const entryOfWhole = whole?.body === reply ? toEntry(whole, members) : undefined;
          const read = entryOfWhole ?? (rest?.body === reply ? rest.entry : undefined);
          // The usual case: nothing has changed.
          if (read && read === known.peek(key) && isEqual(read.tasks, tasks)) return;
          const kept = tasks.map((task) => (mayRepeat(task) ? task : undefined));
          if (read) known.set(key, { ...read, tasks: kept });
          // Replies that may contain the credential are not kept.
          else known.delete(key);
        },
      };
    },
  };
}

interface Whole {
  readonly text: string;
  readonly body: Json;
  readonly records: ReadonlyMap<string, JsonObject>;
}

/** What is left of a reply without the repeated records. */
interface Rest extends Omit<Whole, 'text'> {
  /** The tasks whose records are left. */
  readonly read: ReadonlySet<number>;
  readonly entry: Entry;
}

interface Reply {
  readonly text: string;
  readonly parse: (part: string) => Json | undefined;
  readonly members: Members;
  readonly find: BatchRead['find'];
}

/** Undefined if the whole reply has to be parsed. */
function findRest(entry: Entry, { text, parse, members, find }: Reply): Rest | undefined {
  if (members.some(({ upstreamId }, index) => upstreamId !== entry.upstreamIds[index])) return undefined;
  const compared = compareListedObjects(text, entry.objects);
  if (compared?.objects.starts.length !== members.length) return undefined;
  const changed = new Set(compared.changed);
  // A record of this server with a change is another object.
  let place = 0;
  for (const index of entry.order) {
    if (entry.tasks[index] === undefined || entry.tasks[index] !== members[index]) changed.add(place);
    place += 1;
  }
  // One record at least, so that the reply is also refused as the whole one would be.
  if (changed.size === 0) changed.add(0);
  const kept = [...changed].toSorted((left, right) => left - right);
  const body = parse(keepListedObjects(compared.objects, kept));
  if (body === undefined) return undefined;
  const records = find(body);
  const read = kept.flatMap((place) => entry.order[place] ?? []);
  const found = [...records.keys()];
  // Otherwise the order differs, or the records are elsewhere in the reply.
  const isSame =
    found.length === read.length && read.every((index, nth) => entry.upstreamIds[index] === found[nth]);
  const isSameText = compared.objects === entry.objects;
  return isSame
    ? {
        body,
        records,
        read: new Set(read),
        entry: isSameText ? entry : { ...entry, objects: compared.objects },
      }
    : undefined;
}

/** Undefined unless the reply has one record of each task, and they are its first list. */
function toEntry({ text, records }: Whole, members: Members): Entry | undefined {
  const objects = findListedObjects(text);
  if (objects?.starts.length !== members.length || records.size !== members.length) return undefined;
  const upstreamIds = members.map(({ upstreamId }) => upstreamId);
  const indexOf = new Map(upstreamIds.map((id, index) => [id, index]));
  const order = [...records.keys()].flatMap((id) => indexOf.get(id) ?? []);
  return order.length === members.length ? { objects, order, upstreamIds, tasks: [] } : undefined;
}

function isEqual(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index]);
}
