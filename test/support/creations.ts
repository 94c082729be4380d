import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { Creations } from '../../src/generations/create-once.ts';
import { createWriteRetries } from '../../src/generations/write-retries.ts';
import type { Store } from '../../src/store/store.ts';
import { noneAbandoned } from '../store/support.ts';
import type { Clock } from '../../src/lib/clock.ts';

/** The creates of one server without a gateway. */
export function openCreations(store: Store, clock: Clock) {
  return new Creations({
    store,
    bus: createInProcessBus(),
    clock,
    writeRetries: createWriteRetries({ clock, onFailed: () => {} }),
    abandonment: () => noneAbandoned,
    duplicateIntervalMs: 200,
  });
}
