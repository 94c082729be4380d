import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Caller } from '../../gateway/caller.ts';
import { atTime } from '../../lib/at-time.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Json } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { wait } from '../../lib/wait.ts';
import type { CallbackRecord } from '../../store/callback-records.ts';
import { type SubscribedEvents, textOf } from '../operation/subscription.ts';
import type { CallbackBody } from './callback-body.ts';
import type { ProgressSaves } from './progress-saves.ts';
import type { Post, PostOptions, PostOutcome, RouterPosts } from './router-posts.ts';

/** The open events of a subscription. */
export interface OpenedEvents {
  readonly events: SubscribedEvents;
  /** Of the event that was taken last. */
  readonly position: () => Json | undefined;
  /** Ends its accounting. */
  readonly release: () => void;
}

/** What all subscriptions of an instance share. */
export interface CallbackHost {
  readonly clock: Clock;
  readonly log: Log;
  readonly posts: RouterPosts;
  readonly saves: ProgressSaves;
  /** Whether another instance may take the subscriptions. */
  readonly isShared: boolean;
  /** Opens the events after the acknowledged ones. Resolves to the errors that prevent it, for the router. */
  reopen(subscription: CallbackSubscription): Promise<OpenedEvents | readonly GraphQLError[]>;
  /** The error of a subscription whose caller's token has expired, for the router. */
  expired(body: CallbackBody): GraphQLError;
  /** The error of a subscription that a defect ends, for the router. */
  toError(body: CallbackBody, error: unknown): GraphQLError;
  /** Resolves when events may be posted. Undefined if they may be now. */
  mayPost(): Promise<void> | undefined;
  /** Removes the record of a subscription that is not open: now, or when the records are available. Never rejects. */
  remove(id: string): Promise<void>;
  onEnd(subscription: CallbackSubscription): void;
}

/** Shares of the router's interval, at most. Another instance needs the rest to take over. */
const beatShare = 0.4;
/** If the router expects no heartbeat: how soon the server finds out that it has forgotten the subscription. */
const ownBeatMs = 60_000;
/** After the last post. Then the position is exact, so that a takeover repeats nothing. */
const settleMs = 250;
/** Between two attempts while the records are unavailable, or a limit is reached. */
const retryMs = 500;

/**
 * Posts the events of one subscription to its router: one at a time, each after a save that proves that this instance still
 * holds it. Events coalesce while a post is in flight. Heartbeats go on meanwhile.
 */
export class CallbackSubscription {
  readonly id: string;
  readonly body: CallbackBody;
  readonly owner: string;
  /** Absent after a takeover. */
  readonly caller: Caller | undefined;
  generationId: string | undefined;
  readonly #host: CallbackHost;
  readonly #stopping = new AbortController();
  #position: Json | undefined;
  #isPosting: boolean;
  #opened: OpenedEvents | undefined;
  /** Ends when the posts before have their outcome. */
  #turn = Promise.resolve();
  /** While an event is marked and posted. Its position is not exact then. */
  #sending: Promise<void> | undefined;
  #cancelBeat: (() => void) | undefined;
  #cancelSettling: (() => void) | undefined;
  readonly #cancelExpiry: (() => void) | undefined;
  #isCompleting = false;

  constructor(
    host: CallbackHost,
    record: CallbackRecord,
    { body, caller }: { readonly body: CallbackBody; readonly caller?: Caller | undefined },
  ) {
    this.#host = host;
    this.id = record.id;
    this.owner = record.owner;
    this.body = body;
    this.caller = caller;
    this.generationId = record.generationId;
    this.#position = record.position;
    this.#isPosting = record.isPosting;
    const expire = (): void => void this.#complete([host.expired(body)]);
    if (record.expiresAt !== undefined) this.#cancelExpiry = atTime(host.clock, record.expiresAt, expire);
  }

  get isOver(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Aborts when it is over. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  /** The position of the last acknowledged event, and whether a later one may have reached the router. */
  get progress(): Pick<CallbackRecord, 'position' | 'isPosting'> {
    return { position: this.#position, isPosting: this.#isPosting };
  }

  /** A heartbeat. It does not wait for an event that the router answers late. */
  async check(options: { readonly isFirst?: boolean } = {}): Promise<PostOutcome> {
    try {
      return await this.#postNow({ action: 'check' }, options);
    } finally {
      this.#scheduleBeat();
    }
  }

  /** Continues it after a takeover. */
  resume(): void {
    // At once: the router's time may be almost over.
    void this.#beat();
    void this.run();
  }

  /** Posts the events, from these on, until the subscription ends. Never rejects. */
  async run(opened?: OpenedEvents): Promise<void> {
    let next = opened;
    try {
      while (!this.isOver && !this.#isCompleting) {
        const found = next ?? (await this.#host.reopen(this));
        next = undefined;
        if (this.isOver || this.#isCompleting) {
          if ('events' in found) close(found);
        } else if ('events' in found) await this.#sendAll(found);
        else if (mayPass(found)) await wait(this.#host.clock, retryMs, this.signal);
        else await this.#complete(found);
      }
    } catch (err) {
      const error = this.#host.toError(this.body, err);
      const { requestId } = error.extensions;
      this.#host.log.error({ requestId, callbackId: this.id }, 'a callback subscription failed');
      await this.#complete([error]);
    }
    // It ended while its create was sent.
    if (next) close(next);
  }

  /** Another instance holds it now, or this one closes. Says nothing to the router. */
  drop(): void {
    if (this.isOver) return;
    this.#stopping.abort();
    this.#cancelBeat?.();
    this.#cancelSettling?.();
    this.#cancelExpiry?.();
    if (this.#opened) close(this.#opened);
    this.#opened = undefined;
    this.#host.onEnd(this);
  }

  /** Waits for the event in flight, and records the exact position. */
  async settle(): Promise<void> {
    while (this.#sending) await this.#sending;
    if (!this.isOver && this.#isPosting) await this.#save(false);
  }

  /** Returns when the events have to be opened again, or at the end. */
  async #sendAll(opened: OpenedEvents): Promise<void> {
    this.#opened = opened;
    try {
      for (;;) {
        const { done, value } = await opened.events.next();
        if (this.isOver || this.#isCompleting) return;
        if (done) return await this.#complete();
        await this.#sendOne(value, opened.position());
        if (this.isOver) return;
      }
    } catch (error) {
      if (this.isOver || this.#isCompleting) return;
      if (!(error instanceof GraphQLError)) throw error;
      // For example, the end of a stream, or a change, is not recorded yet.
      if (mayPass([error])) return await wait(this.#host.clock, retryMs, this.signal);
      await this.#complete([error]);
    } finally {
      this.#opened = undefined;
      close(opened);
    }
  }

  async #sendOne(result: ExecutionResult, position: Json | undefined): Promise<void> {
    const outcome = await this.#send({ action: 'next', payload: textOf(result) }, position);
    if (outcome !== 'accepted') return this.#end(outcome);
    this.#cancelSettling = this.#host.clock.after(settleMs, () => void this.settle().catch(() => {}));
  }

  /** Posts what changes the state of the router, if this instance still holds the subscription. */
  async #send(post: Post, position?: Json): Promise<PostOutcome> {
    for (let moving = this.#host.mayPost(); moving; moving = this.#host.mayPost()) await moving;
    this.#cancelSettling?.();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sending = promise;
    try {
      return (await this.#hold()) ? await this.#post(post, position) : 'stopped';
    } finally {
      this.#sending = undefined;
      resolve();
    }
  }

  /** Records that an event may have been posted. False if the subscription is over. */
  async #hold(): Promise<boolean> {
    while (!this.isOver) {
      try {
        if (await this.#save(true)) return true;
      } catch {
        // Nobody else holds it. Until the records are back, only a restart would repeat events.
        if (!this.#host.isShared) return true;
        // Whether this instance still holds it is unknown.
        await wait(this.#host.clock, retryMs, this.signal);
      }
    }
    return false;
  }

  async #save(isPosting: boolean): Promise<boolean> {
    this.#isPosting = isPosting;
    const isHeld = await this.#host.saves.save({ id: this.id, position: this.#position, isPosting });
    if (!isHeld) this.drop();
    return isHeld;
  }

  /** One at a time. `position`: of the event. */
  async #post(post: Post, position?: Json): Promise<PostOutcome> {
    const before = this.#turn;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#turn = promise;
    try {
      await before;
      // Another instance may take it over, and post later events, while the router answers none.
      const outcome = await this.#postNow(post, { isHeld: () => this.#hold() });
      // Before the turn ends: `settle` then records it.
      if (outcome === 'accepted' && position !== undefined) this.#position = position;
      return outcome;
    } finally {
      resolve();
    }
  }

  async #postNow(post: Post, options: Pick<PostOptions, 'isFirst' | 'isHeld'> = {}): Promise<PostOutcome> {
    if (this.isOver) return 'stopped';
    const { owner, signal } = this;
    return this.#host.posts.post(this.body.request, post, { owner, signal, ...options });
  }

  /** Events are no heartbeats: Hive Router ends a subscription that gets nothing else. */
  #scheduleBeat(): void {
    this.#cancelBeat?.();
    if (this.isOver) return;
    const { heartbeatMs } = this.body.request;
    const delayMs = heartbeatMs === 0 ? ownBeatMs : Math.min(heartbeatMs * beatShare, ownBeatMs);
    this.#cancelBeat = this.#host.clock.after(delayMs, () => void this.#beat());
  }

  async #beat(): Promise<void> {
    const outcome = await this.check();
    if (outcome !== 'accepted' && !this.#isCompleting) this.#end(outcome);
  }

  async #complete(errors?: readonly GraphQLError[]): Promise<void> {
    if (this.isOver || this.#isCompleting) return;
    this.#isCompleting = true;
    this.#end(await this.#send({ action: 'complete', errors }));
  }

  #end(outcome: PostOutcome): void {
    if (this.isOver || outcome === 'stopped') return;
    const { log } = this.#host;
    const facts = {
      callbackId: this.id,
      owner: this.owner,
      generationId: this.generationId,
      router: new URL(this.body.request.url).origin,
    };
    if (outcome === 'refused' || outcome === 'failed')
      log.warn({ ...facts, outcome }, 'callback subscription ended: its router does not accept its events');
    else log.debug({ ...facts, outcome }, 'callback subscription ended');
    this.drop();
    void this.#host.remove(this.id);
  }
}

function close({ events, release }: OpenedEvents): void {
  void events.return?.();
  release();
}

/** The records are unavailable, or a limit is reached: of the open subscriptions, or of the gateway. */
function mayPass(errors: readonly GraphQLError[]): boolean {
  return errors.some(({ extensions: { code } }) => code === 'RECORDS_UNAVAILABLE' || code === 'RATE_LIMITED');
}
