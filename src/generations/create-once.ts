import { ExpectedError, LostReplyError, OutcomeUnknownError, RecordsUnavailableError } from '../errors.ts';
import type { CallerLimits } from '../caller-limits.ts';
import { recordId } from '../lib/ids.ts';
import type { Creation, Generation, GenerationPatch, GenerationSummary } from '../store/records.ts';
import type { Abandonment, CommonEnd, Settlement, Store } from '../store/store.ts';
import { type ClaimWithRoom, claimWithRoom } from './claim-with-room.ts';
import { fromFailure, toFailure } from './failure.ts';
import { createFingerprints } from './fingerprint.ts';
import { createHeldCreates, type HeldCreate, type HeldKey, toStoredKey } from './held-creates.ts';
import { createKeptRefusals, type KeepsRefusal } from './kept-refusals.ts';
import { createKeyReleases, type KeyReleases } from './key-releases.ts';
import { assertSameCreate, isSameCreate, prepareCreate, type PreparedCreate } from './prepare-create.ts';
import { toUnawaited } from './unawaited.ts';
import { type CreationWatchOptions, watchCreation } from './watch-creation.ts';
import type { LoggedCreate } from './logged-creates.ts';
import type { WriteRetries } from './write-retries.ts';
import { withoutMedia } from './without-media.ts';

/** Identifies duplicates of one create: chosen by the client, or derived from its operation id over a WebSocket. */
export interface IdempotencyKey {
  readonly source: 'client' | 'operation';
  readonly value: string;
}

export interface CreateRequest<Result> {
  readonly owner: string;
  /** Root fields that may share a key use the same name. */
  readonly operation: string;
  /** The coerced input, as the client sent it. */
  readonly input: unknown;
  readonly key: IdempotencyKey | undefined;
  /** Whether the gateway has accepted the credential. @default true */
  readonly isCallerAccepted?: boolean;
  /** Whether the client still waits for the operation. @default unknown */
  readonly isAwaited?: (() => boolean) | undefined;
  /** For the log. */
  readonly sent?: LoggedCreate | undefined;
  /** How much the owner may spend. @default any amount */
  readonly limits?: CallerLimits | undefined;
  /** Id of the Generation, AccessToken or Voice that this makes. */
  readonly subjectId: string;
  /** Recorded with the claim, for creates that make a Generation. */
  readonly generation?: Generation | undefined;
  /**
   * Completes the generation before it is claimed, and returns it. Not called for a duplicate.
   * @throws ExpectedError: nothing was sent
   */
  readonly prepare?: (() => Promise<Generation>) | undefined;
  /**
   * Sends the request, once, and settles the claim before it returns. When it throws before that, a refusal
   * (`ExpectedError`) releases the key, and anything else leaves the outcome unknown and keeps the key. A repeated operation
   * over a WebSocket gets the refusal of its first attempt.
   */
  readonly run: (claim: Claim) => Promise<Result>;
  /** Called when the result is that of an earlier create with the same key. */
  readonly onReplay?: ((result: Result) => void) | undefined;
  /** The result for a later duplicate, from the record. */
  readonly replay: (subjectId: string) => Promise<Result>;
  /** Of a create whose reply streams: its result for a duplicate while it runs in this process. */
  readonly findRunning?: ((subjectId: string) => RunningResult<Result> | undefined) | undefined;
  /** If a result can have what no record has: whether this one does. Its claim settles also while it cannot be recorded. */
  readonly isShownOnce?: ((result: Result) => boolean) | undefined;
}

interface RunningResult<Result> {
  readonly result: Result;
  readonly ended: Promise<unknown>;
}

/** The right to send one create. */
export interface Claim {
  /**
   * Records what the create made. Clients must not see that it was accepted before this settles.
   * @throws RecordsUnavailableError, or OutcomeUnknownError if no key can find it, while it cannot be recorded: it is retried
   */
  settle(settlement?: Omit<ClaimSettlement, 'phase'>): Promise<GenerationSummary | undefined>;
  /**
   * Releases the client's key of a settled create that the gateway refuses later. Its generation stays, as failed, and so does
   * a key from an operation id: a repeated operation gets this generation.
   */
  release(): Promise<void>;
}

interface ClaimSettlement extends Settlement {
  /** Called when it is recorded, which may be later. */
  readonly onRecorded?: () => void;
}

/** The record of a create whose outcome is unknown, with its cause if that is a lost or incomplete reply. */
export function unknownOutcome(now: number, cause?: unknown): CommonEnd {
  const { code, message } = new OutcomeUnknownError(undefined, cause);
  return { status: 'UNKNOWN', finishedAt: now, error: { code, message }, isVisible: true };
}

export interface CreationsOptions extends CreationWatchOptions {
  readonly store: Store;
  readonly writeRetries: WriteRetries;
  /** A create was answered from the record of an earlier one. */
  readonly onDeduplicated?: (() => void) | undefined;
  /** A create was refused, and nothing was charged. */
  readonly onRefused?: ((facts: RefusedCreate) => void) | undefined;
  /** Which unfinished tasks may be deleted to make room. */
  readonly abandonment: () => Abandonment;
}

/** For the log. */
interface RefusedCreate extends Partial<Omit<LoggedCreate, 'rootField' | 'chunks'>> {
  readonly owner: string;
  /** The root field. */
  readonly operation: string;
  readonly model: string | undefined;
  readonly code: string;
  /** Who refused it: the server also if the gateway did not reply. */
  readonly refusedBy: 'gateway' | 'server';
}

export class Creations {
  readonly #options: CreationsOptions;
  readonly #store: Store;
  readonly #held = createHeldCreates();
  /** Settlements that are not recorded yet, by the id of the creation. */
  readonly #unrecorded = new Map<string, Promise<unknown>>();
  readonly #keys: KeyReleases;
  readonly #keepsRefusal: KeepsRefusal;
  readonly #fingerprint: (operation: string, input: unknown) => Promise<string>;

  constructor(options: CreationsOptions) {
    const { store, writeRetries, clock } = options;
    this.#options = options;
    this.#store = store;
    this.#keys = createKeyReleases(store, writeRetries, clock);
    this.#keepsRefusal = createKeptRefusals(clock);
    this.#fingerprint = createFingerprints(store);
  }

  /**
   * Runs a create at most once per owner and key. A concurrent duplicate waits for the first, a later one gets its record.
   * @throws IdempotencyConflictError OutcomeUnknownError, and the error that refused the create
   */
  async create<Result>(request: CreateRequest<Result>): Promise<Result> {
    const { owner, operation, subjectId } = request;
    const createdAt = this.#options.clock.now();
    const creation: Creation = {
      id: recordId('creation', createdAt),
      owner,
      key: request.key && toStoredKey(request.key),
      operation,
      fingerprint: await this.#fingerprint(operation, request.input),
      phase: 'SENDING',
      subjectId,
      createdAt,
    };
    const twin = this.#held.find(owner, creation.key);
    if (twin && (twin.isClaimed || isSameCreate(twin.creation, creation)))
      return this.#replay(await this.#attachHeld(twin, creation, request), request);
    // Hold it before the claim is visible: a concurrent duplicate must find it.
    const outcome = Promise.withResolvers<unknown>();
    outcome.promise.catch(() => {});
    const hold = this.#held.hold(creation, outcome.promise, request.isAwaited);
    try {
      const result = await this.#claimOrAttach(creation, request, hold);
      outcome.resolve(result);
      return result;
    } catch (error) {
      outcome.reject(error);
      throw error;
    } finally {
      hold.release([request.findRunning?.(subjectId)?.ended, this.#unrecorded.get(creation.id)]);
    }
  }

  /** The create that holds a key, in any phase, or that is about to. */
  async findByKey(owner: string, given: IdempotencyKey): Promise<Creation | undefined> {
    const key = toStoredKey(given);
    const held = this.#held.find(owner, key);
    return held?.isClaimed ? held.creation : ((await this.#store.findCreation(owner, key)) ?? held?.creation);
  }

  /** Whether this process still claims the key of the create of a generation: nothing is sent yet that could be stopped. */
  isClaiming(owner: string, generationId: string): boolean {
    const held = this.#held.findBySubject(generationId);
    return held?.isClaimed === false && held.creation.owner === owner;
  }

  /** The result of the create that holds the key. Undefined if its record may change: read it again. */
  async #attach<Result>(
    holder: Creation,
    creation: Creation,
    request: CreateRequest<Result>,
  ): Promise<{ readonly result: Result } | undefined> {
    assertSameCreate(holder, creation, request);
    const generationId = request.generation && holder.subjectId;
    if (holder.failure) throw fromFailure(holder.failure, holder.subjectId);
    if (holder.phase === 'SETTLED') return { result: await request.replay(holder.subjectId) };
    if (holder.phase === 'UNKNOWN') {
      // Fails if its record was deleted.
      if (generationId !== undefined) await request.replay(generationId);
      throw new OutcomeUnknownError(generationId);
    }
    if (holder.instanceId !== this.#store.instanceId) return undefined;
    const held = this.#held.findBySubject(holder.subjectId);
    if (held) return { result: await this.#attachHeld(held, creation, request) };
    // This instance works on it no longer. It may have ended after it was read.
    const last = await this.#store.findCreation(holder.owner, holder.key ?? '');
    if (last?.id !== holder.id || last.phase !== holder.phase) return undefined;
    throw new OutcomeUnknownError(generationId);
  }

  /** The result of a create that this process works on, from memory. */
  async #attachHeld<Result>(
    { creation: holder, join, isClaimed, waiting }: HeldCreate,
    creation: Creation,
    request: CreateRequest<Result>,
  ): Promise<Result> {
    assertSameCreate(holder, creation, request);
    if (!isClaimed) waiting.push(request.isAwaited);
    const ended = await join();
    // It may run although its acceptance could not be recorded yet.
    const running = request.findRunning?.(holder.subjectId);
    // The operation and the input are the same, so the result has the same type.
    return running ? running.result : (ended() as Result);
  }

  async #run<Result>(creation: Creation, request: CreateRequest<Result>): Promise<Result> {
    let isSettled = false;
    const claim: Claim = {
      settle: (settlement) => {
        isSettled = true;
        return this.#settle(creation.id, { phase: 'SETTLED', ...settlement }, request);
      },
      release: async () => {
        if (request.key?.source === 'client') await this.#keys.release(creation.id, { keepGeneration: true });
      },
    };
    try {
      return await request.run(claim);
    } catch (error) {
      const shown = isSettled ? error : await this.#abandon(creation, request, error);
      // Without a key, no retry can find what it made.
      if (request.key || !(shown instanceof RecordsUnavailableError)) throw shown;
      throw toUnrecorded(request, shown);
    }
  }

  async #settle(
    creationId: string,
    { onRecorded, ...settlement }: ClaimSettlement,
    request: Pick<CreateRequest<never>, 'generation' | 'isShownOnce'>,
  ): Promise<GenerationSummary | undefined> {
    const record = async () => {
      const settled = await this.#store.settle(creationId, settlement);
      onRecorded?.();
      return settled;
    };
    try {
      return await record().catch((error: unknown) => {
        // The gateway has answered, so waiting is better than an error. A paused instance loses its locks meanwhile.
        if (error instanceof RecordsUnavailableError && error.isLocked) return record();
        throw error;
      });
    } catch (cause) {
      const recorded = Promise.withResolvers<void>();
      this.#unrecorded.set(creationId, recorded.promise);
      this.#options.writeRetries.add(describeSettlement(settlement), async () => {
        await record();
        this.#unrecorded.delete(creationId);
        recorded.resolve();
      });
      // A retry gets the result once it is recorded.
      if (!request.isShownOnce)
        throw cause instanceof RecordsUnavailableError ? cause : toUnrecorded(request, cause);
      return undefined;
    }
  }

  /** Records that a create was refused, or that its outcome is unknown. Returns the error for the caller. */
  async #abandon(
    creation: Creation,
    request: Pick<CreateRequest<unknown>, 'generation' | 'key' | 'isCallerAccepted' | 'sent'>,
    error: unknown,
  ): Promise<unknown> {
    const { generation, sent } = request;
    // The gateway refused the create, or it was never sent. Nothing was charged.
    if (error instanceof ExpectedError) {
      const keepsKey = this.#keepsRefusal(request);
      const refusal = { failure: toFailure(error), at: this.#options.clock.now(), keepsKey };
      await this.#keys.release(creation.id, { refusal });
      const { rootField, chunks: _chunks, ...logged }: Partial<LoggedCreate> = sent ?? {};
      this.#options.onRefused?.({
        ...logged,
        owner: creation.owner,
        operation: rootField ?? creation.operation,
        model: generation?.model,
        code: error.code,
        refusedBy: logged.upstreamStatus === undefined ? 'server' : 'gateway',
      });
      return error;
    }
    // The reply was lost, or a defect occurred after bytes may have left.
    const settlement: Settlement = {
      phase: 'UNKNOWN',
      ...(generation && {
        generation: { ...unknownOutcome(this.#options.clock.now(), error), ...replyPatch(error) },
      }),
    };
    const record = () => this.#store.settle(creation.id, settlement);
    await record().catch(() => this.#options.writeRetries.add('an unknown outcome', record));
    return error instanceof LostReplyError ? new OutcomeUnknownError(generation?.id, error) : error;
  }

  #replay<Result>(result: Result, { onReplay }: Pick<CreateRequest<Result>, 'onReplay'>): Result {
    this.#options.onDeduplicated?.();
    onReplay?.(result);
    return result;
  }

  async #claimOrAttach<Result>(
    creation: Creation,
    request: CreateRequest<Result>,
    hold: HeldKey,
  ): Promise<Result> {
    const { clock } = this.#options;
    const keepsRefusal = () => this.#keepsRefusal(request);
    let prepared: PreparedCreate | undefined;
    const watch = watchCreation(this.#options);
    try {
      for (;;) {
        if (!prepared || prepared.holder)
          prepared = await prepareCreate(this.#store, creation, { ...request, keepsRefusal, clock });
        const holder =
          prepared.holder ?? (await this.#claim(creation, { ...request, ...prepared, keepsRefusal }));
        if (!holder) return await this.#send(creation, request, hold);
        if (await this.#keys.releaseOverdue(holder.id)) continue;
        const attached = await this.#attach(holder, creation, request);
        if (attached) return this.#replay(attached.result, request);
        await watch.waitForEnd(holder.id);
      }
    } finally {
      watch.close();
    }
  }

  /** Sends a create that has its key, unless its client has gone meanwhile. */
  async #send<Result>(creation: Creation, request: CreateRequest<Result>, hold: HeldKey): Promise<Result> {
    if (request.key?.source === 'operation' && !hold.isAwaited()) {
      const error = toUnawaited();
      const released = this.#keys.releaseUnsent(creation.id, toFailure(error));
      hold.release([]);
      await released;
      throw error;
    }
    hold.claim();
    return this.#run(creation, request);
  }

  #claim(
    creation: Creation,
    request: Pick<ClaimWithRoom, 'generation' | 'limits' | 'keepsRefusal'>,
  ): Promise<Creation | undefined> {
    const { abandonment, clock } = this.#options;
    // It may have waited long: for what it continues, or for a duplicate.
    const claimed = { ...creation, createdAt: clock.now() };
    this.#keys.assertRoom();
    const deadline = this.#store.createDeadline();
    return this.#keys.releaseOnFailure(
      creation.id,
      claimWithRoom(this.#store, { ...request, creation: claimed, deadline, abandonment, clock }),
    );
  }
}

function toUnrecorded(
  { generation }: Pick<CreateRequest<unknown>, 'generation'>,
  cause: unknown,
): OutcomeUnknownError {
  const lost = new LostReplyError('it could not be recorded yet', { problem: 'unknown', cause });
  return new OutcomeUnknownError(generation?.id, lost);
}

/** For the log. An operator who loses the records can still query the gateway for the task. */
function describeSettlement({ task }: Settlement): string {
  return task ? `the create of ${task.kind} ${task.upstreamId}` : 'a create';
}

/** Keeps an incomplete reply in the record, because it may contain the paid result. */
function replyPatch(error: unknown): GenerationPatch {
  return error instanceof LostReplyError && error.reply !== undefined
    ? { raw: withoutMedia(error.reply) }
    : {};
}
