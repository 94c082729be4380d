import type { LRUCache } from 'lru-cache';
import type { Bus } from '../bus/bus.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Clock } from '../lib/clock.ts';
import type { InFlight } from '../lib/in-flight.ts';
import type { Log } from '../lib/log.ts';
import type { Store } from '../store/store.ts';
import type { Streams } from '../streams/streams.ts';
import type { Poller } from '../tasks/poller.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Creations } from './create-once.ts';
import type { RecordLater } from './record-later.ts';

/** What the program is made of, as capabilities see it. Wired in `app.ts`. */
export interface Engine {
  readonly gateway: Gateway;
  readonly store: Store;
  readonly creations: Creations;
  /** Writes that failed, and are tried again. */
  readonly later: RecordLater;
  readonly streams: Streams;
  readonly tasks: Tasks;
  readonly poller: Poller;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent where nobody asked for it. */
  readonly tracing?: Tracing | undefined;
  /** Queries and mutations that are being executed. */
  readonly executions: InFlight;
  /** Pages of slow-changing gateway listings, per owner. Short-lived. */
  readonly pages: LRUCache<string, Promise<object>>;
  readonly streaming: {
    /** How long a start waits for the gateway's acceptance before it answers all the same. */
    readonly acceptMs: number;
    /** How long a stream without a key of the client's own goes on when nobody watches. */
    readonly detachMs: number;
  };
}
