import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../lib/clock.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { creationTopic } from './publish-changes.ts';

export interface CreationWatchOptions {
  /** Reports the ends of creates. */
  readonly bus: Pick<Bus, 'subscribe'>;
  readonly clock: Clock;
  /** How often a duplicate checks whether another instance has finished, if the bus reports nothing. */
  readonly duplicateIntervalMs: number;
}

/** Lets a duplicate wait for the create of another instance that holds its key. */
export function watchCreation({ bus, clock, duplicateIntervalMs }: CreationWatchOptions) {
  let watchedId: string | undefined;
  let unsubscribe: (() => void) | undefined;
  let changed = Promise.withResolvers<void>();
  return {
    /**
     * Returns immediately the first time that it is called for a create: it may have ended before the watch began. Then waits
     * until the create ends, or for the interval.
     */
    async waitForEnd(creationId: string): Promise<void> {
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
    close(): void {
      unsubscribe?.();
    },
  };
}
