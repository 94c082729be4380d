import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { creationTopic } from './publish-changes.ts';

/** Lets a duplicate wait for the create of another instance that holds its key. */
export interface CreationWatch {
  /**
   * Returns immediately the first time that it is called for a create: it may have ended before the watch began. Then waits
   * until the create ends, or for the interval.
   */
  waitForEnd(creationId: string): Promise<void>;
  close(): void;
}

export interface CreationWatchOptions {
  /** Reports the ends of creates. */
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  /** How often a duplicate checks whether another instance has finished, if the bus reports nothing. */
  readonly duplicateIntervalMs: number;
}

export function watchCreation({ bus, clock, duplicateIntervalMs }: CreationWatchOptions): CreationWatch {
  let watchedId: string | undefined;
  let unsubscribe: (() => void) | undefined;
  let changed = Promise.withResolvers<void>();
  return {
    async waitForEnd(creationId) {
      if (creationId === watchedId) {
        await withTimeout(changed.promise, { clock, timeoutMs: duplicateIntervalMs });
        changed = Promise.withResolvers();
        return;
      }
      unsubscribe?.();
      watchedId = creationId;
      changed = Promise.withResolvers();
      unsubscribe = bus.subscribe(creationTopic(creationId), () => changed.resolve());
    },
    close() {
      unsubscribe?.();
    },
  };
}
