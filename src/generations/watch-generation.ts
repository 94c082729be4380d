import type { Bus } from '../bus/bus.ts';
import { type Feed, follow, type TakeResult } from '../lib/follow.ts';
import type { GenerationSummary } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { generationTopic } from './publish-changes.ts';

interface WatchedGeneration {
  /** Undefined if it was deleted. */
  readonly generation: GenerationSummary | undefined;
}

/** Single generations, for any number of watchers. */
export interface GenerationWatch {
  /** The generation after each change that passes the test. Changes coalesce while the watcher is slow. Completes after `end`. */
  watch(
    subject: { readonly owner: string; readonly id: string },
    test: (changed: WatchedGeneration) => boolean,
  ): Feed<WatchedGeneration>;
  /** Completes all watches, and those that begin later. */
  end(): void;
  /** Watchers without a subscription of the bus of their own. */
  readonly sharing: number;
}

export interface GenerationWatchOptions {
  readonly store: Pick<Store, 'findSummaries'>;
  readonly bus: Bus;
}

/** A generation with its watchers. */
interface Subject {
  readonly wakes: Set<() => void>;
  /** Changes since the first watcher came. */
  changes: number;
  /** The generation after the last change. Read by the first watcher. */
  changed: Promise<WatchedGeneration> | undefined;
  readonly unsubscribe: () => void;
}

export function createGenerationWatch({ store, bus }: GenerationWatchOptions): GenerationWatch {
  const subjects = new Map<string, Subject>();
  let watchers = 0;
  let isEnded = false;

  const add = (owner: string, id: string): Subject => {
    const change = (): void => {
      subject.changes += 1;
      subject.changed = undefined;
      for (const wake of subject.wakes) wake();
    };
    const subject: Subject = {
      wakes: new Set(),
      changes: 0,
      changed: undefined,
      unsubscribe: bus.subscribe(generationTopic(owner), (changed) => changed === id && change(), change),
    };
    return subject;
  };
  return {
    watch({ owner, id }, test) {
      const name = `${owner} ${id}`;
      let take = (): TakeResult<WatchedGeneration> => 'wait';
      return follow<WatchedGeneration>({
        open(wake) {
          const subject = subjects.get(name) ?? add(owner, id);
          subjects.set(name, subject);
          subject.wakes.add(wake);
          watchers += 1;
          let taken = subject.changes;
          take = () => {
            if (isEnded) return 'end';
            if (taken === subject.changes) return 'wait';
            taken = subject.changes;
            return {
              value: async () => {
                subject.changed ??= store.findSummaries(owner, [id]).then(([generation]) => ({ generation }));
                const changed = await subject.changed;
                return test(changed) ? changed : undefined;
              },
            };
          };
          return () => {
            watchers -= 1;
            subject.wakes.delete(wake);
            if (subject.wakes.size > 0) return;
            subject.unsubscribe();
            subjects.delete(name);
          };
        },
        take: () => take(),
      });
    },
    end() {
      isEnded = true;
      for (const { wakes } of subjects.values()) for (const wake of wakes) wake();
    },
    get sharing() {
      return watchers - subjects.size;
    },
  };
}
