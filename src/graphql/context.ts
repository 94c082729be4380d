import type { LRUCache } from 'lru-cache';
import { RequestError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import type { Bus } from '../bus/bus.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Creations } from '../generations/create-once.ts';
import type { RecordLater } from '../generations/record-later.ts';
import type { Clock } from '../lib/clock.ts';
import type { InFlight } from '../lib/in-flight.ts';
import type { TraceContext } from '../lib/trace-context.ts';
import type { Store } from '../store/store.ts';
import type { Streams } from '../streams/streams.ts';
import type { Poller } from '../tasks/poller.ts';
import type { Tasks } from '../tasks/tasks.ts';
import type { Tracing } from '../tracing/tracing.ts';
import type { Loaders } from './loaders.ts';

/** What the program is made of, as capabilities see it. Wired in `app.ts`. */
export interface Kernel {
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

/** One structured line per event. Never a credential, prompt or body. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export type Transport = 'http' | 'sse' | 'websocket';

/** One per operation. */
export interface Context {
  readonly kernel: Kernel;
  /** Absent where the request carries no credential. */
  readonly caller: Caller | undefined;
  readonly requestId: string;
  readonly transport: Transport;
  /** What it is part of. */
  readonly trace?: TraceContext | undefined;
  /** The operation's id on its WebSocket: the stock client keeps it across its silent retries. */
  readonly operationId?: string | undefined;
  readonly loaders: Loaders;
}

/** @throws RequestError UNAUTHENTICATED */
export function requireCaller(context: Context): Caller {
  if (context.caller) return context.caller;
  throw new RequestError(
    'UNAUTHENTICATED',
    'This needs a credential: send "Authorization: Bearer <API key>" as a header or in connectionParams. A system token may stand there bare; other schemes than Bearer are not understood.',
  );
}
