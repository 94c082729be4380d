import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../lib/clock.ts';
import { type Feed, follow, type TakeResult } from '../lib/follow.ts';
import type { ChangePosition } from '../store/changes.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Entry } from './change-history.ts';
import { ChangeLog, type ChangeLogOptions } from './change-log.ts';
import { generationTopic } from './publish-changes.ts';

/** One or more changes of a generation, with its record after the last of them. */
export interface GenerationChange {
  readonly id: string;
  /** Undefined if the record was deleted. */
  readonly generation: GenerationSummary | undefined;
  /** A feed from here on continues after this change. */
  readonly position: ChangePosition;
}

export interface FeedOptions<Event> {
  readonly owner: string;
  /** The feed begins after this change. Other owners and older records have other positions. */
  readonly after: ChangePosition;
  /** What the watcher receives for a change. Undefined: nothing. */
  readonly toEvent: (change: GenerationChange) => Event | undefined;
  /** What it receives instead of changes that are unknown or too many. It must read everything again. */
  readonly toReset: (position: ChangePosition) => Event;
  /** Watchers of one owner with the same key receive the same objects. @default objects of its own */
  readonly key?: string | undefined;
}

/** The changes of all generations of an owner, for any number of watchers. */
export interface GenerationFeeds {
  /**
   * The changes after a position: first those that are recorded, then new ones, without a gap and each once. Changes of one
   * generation coalesce, and each is read when it is delivered. Never completes on its own.
   */
  watch<Event extends object>(options: FeedOptions<Event>): Feed<Event>;
  /** The position after the last change, or after an earlier one if this instance does not know the last one yet. */
  findLast(owner: string): Promise<ChangePosition>;
  /** Watchers without a subscription of the bus of their own. */
  readonly sharing: number;
}

export interface GenerationFeedsOptions extends Pick<ChangeLogOptions, 'store' | 'maxBehind'> {
  readonly bus: Bus;
  readonly clock: Clock;
}

const retryMs = 1000;

export function createGenerationFeeds({
  store,
  bus,
  clock,
  maxBehind,
}: GenerationFeedsOptions): GenerationFeeds {
  const logs = new Map<string, ChangeLog>();
  let watchers = 0;

  const join = (owner: string): ChangeLog => {
    const known = logs.get(owner);
    if (known) return known;
    const log: ChangeLog = new ChangeLog({
      store,
      owner,
      maxBehind,
      retry: (read) => clock.after(retryMs, read),
      onEmpty() {
        unsubscribe();
        logs.delete(owner);
      },
    });
    logs.set(owner, log);
    const look = (): void => log.look();
    const unsubscribe = bus.subscribe(generationTopic(owner), look, look);
    return log;
  };
  return {
    watch<Event extends object>({ owner, after, toEvent, toReset, key }: FeedOptions<Event>): Feed<Event> {
      let take = (): TakeResult<Event> => 'wait';
      return follow<Event>({
        open(wake) {
          const log = join(owner);
          const watcher = log.add(after, wake);
          watchers += 1;
          take = () => {
            const entry = log.takeNext(watcher);
            if (entry === 'reset') return { value: toReset(watcher.at ?? after) };
            return entry ? { value: () => eventOf(log, entry, { toEvent, key }) } : 'wait';
          };
          return () => {
            watchers -= 1;
            log.remove(watcher);
          };
        },
        take: () => take(),
      });
    },
    findLast: async (owner) => logs.get(owner)?.last ?? store.findLastChange(owner),
    get sharing() {
      return watchers - logs.size;
    },
  };
}

/** What the watchers of a key receive for an entry. */
function eventOf<Event extends object>(
  log: ChangeLog,
  entry: Entry,
  { toEvent, key }: Pick<FeedOptions<Event>, 'toEvent' | 'key'>,
): Promise<Event | undefined> {
  // Equal keys have equal functions.
  const known =
    key === undefined ? undefined : (entry.events?.get(key) as Promise<Event | undefined> | undefined);
  if (known) return known;
  const { generationId: id, number, mark } = entry;
  const event = log
    .recordOf(entry)
    .then((generation) => toEvent({ id, generation, position: { number, mark } }));
  if (key !== undefined) log.keepEvent(entry, key, event);
  return event;
}
