import type { DocumentNode, ExecutionResult } from 'graphql';
import { type ByteHold, createByteHolds } from '../lib/byte-holds.ts';
import type { Clock } from '../lib/clock.ts';
import { isLater } from '../lib/follow.ts';
import { stringifyInPieces } from '../lib/json-pieces.ts';
import { isLarge, sizeOfValue } from '../lib/json-size.ts';
import type { Pauses } from '../lib/pauses.ts';
import { joinResult } from './large-answers.ts';
import { maxStringLength } from './send-buffers.ts';

/**
 * Prepares the events of subscriptions that are executed: reads, resolves and writes them. The bytes that this takes are
 * limited per owner, and equal subscriptions of one owner share one preparation.
 */
export interface EventPreparation {
  /** Call when a subscription opens. */
  open(subscription: EventSelection): EventPreparer;
  /** Bytes of records and answers that are being prepared. */
  readonly bytes: number;
}

/** What decides the text of an event, beside the event. */
export interface EventSelection {
  readonly owner: string;
  readonly document: DocumentNode;
  /** What else decides it, as text. Undefined: the subscription equals no other. */
  readonly view: string | undefined;
}

export interface EventPreparer {
  /**
   * Reads an event if it must be read, executes it and writes its result. Resolves to undefined if there is nothing to
   * deliver. `hold` counts what the execution reads.
   */
  prepare(event: unknown, execute: Execute): Promise<PreparedEvent | undefined>;
  /** Call when the subscription ends. */
  close(): void;
}

type Execute = (event: unknown, hold: ByteHold) => ExecutionResult | Promise<ExecutionResult>;

export interface PreparedEvent {
  /** The result as JSON. */
  readonly text: string | Buffer;
  readonly errors: ExecutionResult['errors'];
}

export interface EventPreparationOptions {
  /** Bytes of one owner that are prepared at the same time, and of prepared texts that are kept for equal subscriptions. */
  readonly maxBytes: number;
  readonly pauses: Pauses;
  readonly clock: Pick<Clock, 'after'>;
}

/** The open subscriptions of one owner with the same selection. */
interface Group {
  subscriptions: number;
  readonly events: Map<unknown, Promise<PreparedEvent>>;
}

/** Equal subscriptions that are slower prepare the event again. */
const keepMs = 1000;

export function createEventPreparation({ maxBytes, pauses, clock }: EventPreparationOptions): EventPreparation {
  const holds = createByteHolds(maxBytes);
  const groups = new WeakMap<DocumentNode, Map<string, Group>>();
  /** The least recently used first. */
  const kept = new Map<Promise<PreparedEvent>, () => void>();
  let keptBytes = 0;

  const join = ({ owner, document, view }: EventSelection): { group: Group; leave: () => void } => {
    const ofDocument = groups.get(document) ?? new Map<string, Group>();
    groups.set(document, ofDocument);
    const key = `${owner} ${view}`;
    const group = ofDocument.get(key) ?? { subscriptions: 0, events: new Map() };
    ofDocument.set(key, group);
    group.subscriptions += 1;
    let isOpen = true;
    const leave = (): void => {
      if (!isOpen) return;
      isOpen = false;
      group.subscriptions -= 1;
      if (group.subscriptions > 0) return;
      ofDocument.delete(key);
      group.events.clear();
    };
    return { group, leave };
  };
  const write = async ({ data, ...rest }: ExecutionResult, hold: ByteHold): Promise<PreparedEvent> => {
    const { errors } = rest;
    const shown = { ...rest, ...(errors && { errors: errors.map((error) => error.toJSON()) }) };
    if (!isLarge(data)) return { text: JSON.stringify({ data, ...shown }), errors };
    await hold.reserve(sizeOfValue(data, Number.POSITIVE_INFINITY));
    await pauses.beginAnswer();
    return { text: joinResult(shown, await stringifyInPieces(data, pauses)), errors };
  };
  /** Keeps a text that equal subscriptions will soon ask for. */
  const keep = (preparing: Promise<PreparedEvent>, { length }: string | Buffer, forget: () => void): void => {
    keptBytes += length;
    const remove = (): void => {
      cancel();
      kept.delete(preparing);
      keptBytes -= length;
      forget();
    };
    const cancel = clock.after(keepMs, remove);
    kept.set(preparing, remove);
    for (const removeOldest of kept.values()) {
      if (keptBytes <= maxBytes) return;
      removeOldest();
    }
  };
  const use = (preparing: Promise<PreparedEvent>): void => {
    const remove = kept.get(preparing);
    if (!remove) return;
    kept.delete(preparing);
    kept.set(preparing, remove);
  };
  return {
    open(selection) {
      const { group, leave } = join(selection);
      const share = async (
        event: unknown,
        prepare: () => Promise<PreparedEvent>,
      ): Promise<PreparedEvent> => {
        const { events } = group;
        if (selection.view === undefined || group.subscriptions < 2) return prepare();
        const known = events.get(event);
        if (known) {
          use(known);
          const shared = await known.catch(() => undefined);
          // Errors have the request id of their subscription.
          if (!shared || shared.errors) return prepare();
          // One iteration of the event loop must not send it to all.
          if (shared.text.length > maxStringLength) await pauses.beginAnswer();
          return shared;
        }
        const preparing = prepare();
        events.set(event, preparing);
        const forget = (): void => {
          if (events.get(event) === preparing) events.delete(event);
        };
        try {
          const prepared = await preparing;
          if (prepared.errors) forget();
          else keep(preparing, prepared.text, forget);
          return prepared;
        } catch (error) {
          forget();
          throw error;
        }
      };
      return {
        async prepare(value, execute) {
          const hold = holds.open(selection.owner);
          try {
            const event = isLater(value) ? await value(hold) : value;
            if (event === undefined) return undefined;
            return await share(event, async () => write(await execute(event, hold), hold));
          } finally {
            // The text is sent by then. From then on it counts as unsent.
            setImmediate(() => hold.release());
          }
        },
        close: leave,
      };
    },
    get bytes() {
      return holds.bytes;
    },
  };
}
