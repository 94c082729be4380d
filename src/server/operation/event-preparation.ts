import type { DocumentNode, ExecutionResult } from 'graphql';
import { maxWrittenChars } from './compiled/event-writers.ts';
import { type ByteHold, type ByteHolds, createByteHolds } from '../../lib/fairness/byte-holds.ts';
import type { SlicedTurns } from '../../lib/fairness/fair-work.ts';
import type { Clock } from '../../lib/clock.ts';
import { isLater } from '../../lib/follow.ts';
import { isObject } from '../../lib/json.ts';
import { type JsonText, lengthOfJson, stringifyInPieces } from '../../lib/json-pieces.ts';
import { sizeOfValue } from '../../lib/json-size.ts';
import { joinResult } from '../sending/large-answers.ts';

/**
 * Prepares the events of subscriptions that are executed: reads, resolves and writes them. Owners take turns with the steps of
 * this work. The bytes that it takes are limited per owner, and equal subscriptions of one owner share one preparation.
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

type Execute = (event: unknown, hold: ByteHold) => ExecutionResult | Promise<ExecutionResult>;

export interface PreparedEvent {
  /** The result as JSON. */
  readonly text: JsonText;
  readonly errors: ExecutionResult['errors'];
}

export interface EventPreparationOptions {
  /** Bytes of one owner that are prepared at the same time, and of prepared texts that are kept for equal subscriptions. */
  readonly maxBytes: number;
  /** Bytes of all owners that are prepared or held at the same time. @default no limit */
  readonly maxTotalBytes?: number | undefined;
  /** Of the events of all owners. */
  readonly turns: Pick<SlicedTurns, 'wait'>;
  readonly clock: Pick<Clock, 'after'>;
}

/** The open subscriptions of one owner with the same selection. */
interface Group {
  subscriptions: number;
  /** Holds no event: one refers to the whole text of a reply so far, far more than the text that is kept. */
  readonly events: WeakMap<object, SharedEvent>;
  readonly remove: () => void;
}

/** An event that equal subscriptions prepare once. */
interface SharedEvent {
  /** Undefined once it is forgotten. */
  prepared: Promise<PreparedEvent> | undefined;
}

/** Equal subscriptions that are slower prepare the event again. */
const sharedForMs = 1000;

export function createEventPreparation(options: EventPreparationOptions): EventPreparation {
  const work = new PreparationWork(options);
  const groups = new WeakMap<DocumentNode, Map<string, Group>>();
  const join = ({ owner, document, view }: EventSelection): Group | undefined => {
    if (view === undefined) return undefined;
    const ofDocument = groups.get(document) ?? new Map<string, Group>();
    groups.set(document, ofDocument);
    const key = `${owner} ${view}`;
    const remove = (): void => void ofDocument.delete(key);
    const group = ofDocument.get(key) ?? { subscriptions: 0, events: new WeakMap(), remove };
    ofDocument.set(key, group);
    group.subscriptions += 1;
    return group;
  };
  return {
    open: (selection) => new EventPreparer(work, selection.owner, join(selection)),
    get bytes() {
      return work.bytes;
    },
  };
}

/** A class: every open subscription holds one. */
class EventPreparer {
  readonly #work: PreparationWork;
  readonly #owner: string;
  #group: Group | undefined;

  constructor(work: PreparationWork, owner: string, group: Group | undefined) {
    this.#work = work;
    this.#owner = owner;
    this.#group = group;
  }

  /**
   * Reads an event if it must be read, executes it and writes its result. Resolves to undefined if there is nothing to deliver.
   * `hold` counts what the execution reads. The event counts until it is `sent`. Absent: something else counts its text as
   * unsent.
   */
  async prepare(value: unknown, execute: Execute, sent?: Promise<void>): Promise<PreparedEvent | undefined> {
    const hold = this.#work.hold(this.#owner);
    try {
      const event = isLater(value) ? await value(hold) : value;
      if (event === undefined) return undefined;
      const counted = { owner: this.#owner, hold, isHeld: sent !== undefined };
      const prepare = (): Promise<PreparedEvent> => this.#work.prepare(() => execute(event, hold), counted);
      const group = this.#group;
      return await (group && group.subscriptions > 1 && isObject(event)
        ? this.#work.share({ ...counted, events: group.events, event, prepare })
        : prepare());
    } finally {
      // The text is sent by then. From then on it counts as unsent.
      if (sent) void sent.then(() => hold.release());
      else setImmediate(() => hold.release());
    }
  }

  /** Call when the subscription ends. */
  close(): void {
    const group = this.#group;
    this.#group = undefined;
    if (!group) return;
    group.subscriptions -= 1;
    if (group.subscriptions === 0) group.remove();
  }
}

interface EventOwner {
  readonly owner: string;
  readonly hold: ByteHold;
  /** Whether its bytes count until it is sent. */
  readonly isHeld: boolean;
}

interface SharedPreparation extends EventOwner {
  readonly events: Group['events'];
  readonly event: object;
  readonly prepare: () => Promise<PreparedEvent>;
}

/** What all subscriptions of the process share. */
class PreparationWork {
  readonly #options: EventPreparationOptions;
  readonly #holds: ByteHolds;
  /** The least recently used first, with the functions that remove them. */
  readonly #kept = new Map<SharedEvent, () => void>();
  #keptBytes = 0;

  constructor(options: EventPreparationOptions) {
    this.#options = options;
    this.#holds = createByteHolds(options);
  }

  get bytes(): number {
    return this.#holds.bytes;
  }

  hold(owner: string): ByteHold {
    return this.#holds.open(owner);
  }

  /** A step that follows I/O has a turn of its own, with the promise reactions that send the text. */
  async prepare(
    execute: () => ExecutionResult | Promise<ExecutionResult>,
    event: EventOwner,
  ): Promise<PreparedEvent> {
    await this.#waitForTurn(event.owner);
    const executed = execute();
    if (!(executed instanceof Promise)) return this.#write(executed, event);
    const result = await executed;
    await this.#waitForTurn(event.owner);
    return this.#write(result, event);
  }

  #waitForTurn(owner: string): Promise<void> | undefined {
    return this.#options.turns.wait(owner);
  }

  async #write(
    { data, ...rest }: ExecutionResult,
    { owner, hold, isHeld }: EventOwner,
  ): Promise<PreparedEvent> {
    const { errors } = rest;
    const shown = { ...rest, ...(errors && { errors: errors.map((error) => error.toJSON()) }) };
    const size = sizeOfValue(data, maxWrittenChars);
    if (size <= maxWrittenChars) {
      if (isHeld) await hold.reserve(size);
      return { text: JSON.stringify({ data, ...shown }), errors };
    }
    await hold.reserve(sizeOfValue(data, Number.POSITIVE_INFINITY));
    const waitForTurn = async (): Promise<void> => this.#waitForTurn(owner);
    await waitForTurn();
    const parts = joinResult(shown, await stringifyInPieces(data, waitForTurn));
    // One part: what a slow socket has not taken of it counts as a whole.
    return { text: [Buffer.concat(parts)], errors };
  }

  /** Prepares an event unless an equal subscription has, or is about to. */
  async share({ events, event, prepare, ...receiver }: SharedPreparation): Promise<PreparedEvent> {
    const known = events.get(event);
    if (known?.prepared) return this.#receive(known, known.prepared, { ...receiver, prepare });
    const preparing = prepare();
    const shared: SharedEvent = { prepared: preparing };
    events.set(event, shared);
    try {
      const prepared = await preparing;
      if (prepared.errors) shared.prepared = undefined;
      else this.#keep(shared, lengthOfJson(prepared.text));
      return prepared;
    } catch (error) {
      shared.prepared = undefined;
      throw error;
    }
  }

  async #receive(
    shared: SharedEvent,
    preparing: Promise<PreparedEvent>,
    { owner, hold, isHeld, prepare }: EventOwner & Pick<SharedPreparation, 'prepare'>,
  ): Promise<PreparedEvent> {
    this.#use(shared);
    const prepared = await preparing.catch(() => undefined);
    // Errors have the request id of their subscription.
    if (!prepared || prepared.errors) return prepare();
    // A transport that holds events copies it.
    if (isHeld) await hold.reserve(lengthOfJson(prepared.text));
    // One iteration of the event loop must not send it to all.
    await this.#waitForTurn(owner);
    return prepared;
  }

  /** Keeps a text that equal subscriptions will soon ask for. */
  #keep(shared: SharedEvent, length: number): void {
    const { clock, maxBytes } = this.#options;
    const remove = (): void => {
      cancel();
      this.#kept.delete(shared);
      this.#keptBytes -= length;
      shared.prepared = undefined;
    };
    const cancel = clock.after(sharedForMs, remove);
    this.#kept.set(shared, remove);
    this.#keptBytes += length;
    for (const removeOldest of this.#kept.values()) {
      if (this.#keptBytes <= maxBytes) return;
      removeOldest();
    }
  }

  #use(shared: SharedEvent): void {
    const remove = this.#kept.get(shared);
    if (!remove) return;
    this.#kept.delete(shared);
    this.#kept.set(shared, remove);
  }
}
