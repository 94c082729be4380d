import { createHmac } from 'node:crypto';
import { ExpectedError, IdempotencyConflictError, LostReplyError, OutcomeUnknownError } from '../errors.ts';
import { canonicalJson } from '../lib/canonical-json.ts';
import type { Clock } from '../lib/clock.ts';
import { randomId } from '../lib/ids.ts';
import type { Creation, Generation, GenerationPatch } from '../store/records.ts';
import type { Settlement, Store } from '../store/store.ts';
import { createKeyReturns } from './key-returns.ts';
import type { RecordLater } from './record-later.ts';
import { withoutMedia } from './without-media.ts';

/** What makes two creates the same: chosen by the client, or derived from its operation over a WebSocket. */
export interface IdempotencyKey {
  readonly source: 'client' | 'operation';
  readonly value: string;
}

export interface CreateRequest<Result> {
  readonly owner: string;
  /** Operations that may share a key carry the same name. */
  readonly operation: string;
  /** The coerced input, as the client sent it. */
  readonly input: unknown;
  readonly key: IdempotencyKey | undefined;
  /** Id of the Generation or AccessToken that this makes. */
  readonly subjectId: string;
  /** Recorded with the claim, for creates that make a Generation. */
  readonly generation?: Generation | undefined;
  /** Sends the request, once. What it returns is recorded before anybody learns of it. */
  readonly send: (claim: Claim) => Promise<Sent<Result>>;
  /** The result for a later twin, from the record. */
  readonly replay: (subjectId: string) => Promise<Result>;
}

export interface Claim {
  /** Frees the key of a create that was answered before the gateway refused it. Its generation stays, as failed. */
  release(): Promise<void>;
}

export interface Sent<Result> {
  readonly settlement?: Omit<Settlement, 'phase'>;
  /** Called once the settlement is recorded. */
  readonly result: () => Promise<Result> | Result;
}

export interface Creations {
  /**
   * Runs a create at most once per owner and key. A twin that comes while it runs waits for it; a later one gets the
   * recorded result.
   * @throws IdempotencyConflictError OutcomeUnknownError and whatever `send` is refused with
   */
  create<Result>(request: CreateRequest<Result>): Promise<Result>;
  /** What a key made, whatever became of it. */
  findByKey(owner: string, value: string): Promise<Creation | undefined>;
}

/** How a record looks when nobody can know what became of it. */
export function unknownOutcome(now: number): GenerationPatch {
  const { code, message } = new OutcomeUnknownError(undefined);
  return { status: 'UNKNOWN', finishedAt: now, error: { code, message }, isVisible: true };
}

export interface CreationsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly later: RecordLater;
}

export function createCreations({ store, clock, later }: CreationsOptions): Creations {
  const running = new Map<string, Promise<unknown>>();
  const keys = createKeyReturns(store, later);

  const fingerprintOf = async ({ operation, input }: CreateRequest<unknown>): Promise<string> =>
    createHmac('sha256', await store.secret())
      .update(canonicalJson([operation, input]))
      .digest('base64url');

  /** What the holder of the key made; undefined while another instance still sends it. */
  const attach = async <Result>(
    held: Creation,
    mine: Creation,
    request: CreateRequest<Result>,
  ): Promise<{ readonly result: Result } | undefined> => {
    const generationId = request.generation && held.subjectId;
    if (held.operation !== mine.operation || held.fingerprint !== mine.fingerprint) {
      throw new IdempotencyConflictError(generationId);
    }
    const first = running.get(held.id);
    // The same operation and input made it, hence the same type of result.
    if (first) return { result: (await first) as Result };
    if (held.phase === 'SETTLED') return { result: await request.replay(held.subjectId) };
    if (held.phase === 'UNKNOWN' || held.instanceId === store.instanceId)
      throw new OutcomeUnknownError(generationId);
    return undefined;
  };

  const run = async <Result>(creation: Creation, request: CreateRequest<Result>): Promise<Result> => {
    let sent: Sent<Result>;
    try {
      sent = await request.send({ release: () => keys.giveBack(creation.id, { keepGeneration: true }) });
    } catch (error) {
      // Refused or never sent: nothing was spent, so the key is free again.
      if (error instanceof ExpectedError) {
        await keys.giveBack(creation.id);
        throw error;
      }
      // Lost on the way, or a defect of ours after bytes may have left: the key stays taken.
      const settlement: Settlement = {
        phase: 'UNKNOWN',
        ...(request.generation && { generation: { ...unknownOutcome(clock.now()), ...keptReply(error) } }),
      };
      await store
        .settle(creation.id, settlement)
        .catch(() => later.add('an unknown outcome', () => store.settle(creation.id, settlement)));
      throw error instanceof LostReplyError ? new OutcomeUnknownError(request.generation?.id, error) : error;
    }
    const settlement: Settlement = { phase: 'SETTLED', ...sent.settlement };
    try {
      await store.settle(creation.id, settlement);
    } catch (cause) {
      later.add(nameOf(settlement), () => store.settle(creation.id, settlement));
      // What was accepted goes on, but nobody is told that it is kept before it is.
      void Promise.resolve(sent.result()).catch(() => {});
      const lost = new LostReplyError('it could not be recorded yet', { cause });
      throw new OutcomeUnknownError(request.generation?.id, lost);
    }
    return sent.result();
  };

  /** Where what is written before sending fails, nothing leaves: a key that was taken all the same is free again. */
  const orGiveBack = async <Written>(creationId: string, write: Promise<Written>): Promise<Written> => {
    try {
      return await write;
    } catch (error) {
      await keys.giveBack(creationId);
      throw error;
    }
  };

  const claimOrAttach = async <Result>(
    creation: Creation,
    request: CreateRequest<Result>,
  ): Promise<Result> => {
    for (;;) {
      const held = await orGiveBack(creation.id, store.claim(creation, request.generation));
      if (held && keys.isOverdue(held.id)) {
        await keys.giveBackNow(held.id);
      } else if (held) {
        const attached = await attach(held, creation, request);
        if (attached) return attached.result;
        await pause(clock, twinIntervalMs);
      } else if (await orGiveBack(creation.id, store.markSending(creation.id))) {
        return run(creation, request);
      }
      // Taken for dead meanwhile, before anything was sent: once more.
    }
  };

  return {
    async create<Result>(request: CreateRequest<Result>): Promise<Result> {
      const { owner, operation, subjectId } = request;
      const creation: Creation = {
        id: randomId('creation'),
        owner,
        key: request.key && toStoredKey(request.key),
        operation,
        fingerprint: await fingerprintOf(request),
        phase: 'CLAIMED',
        subjectId,
        createdAt: clock.now(),
      };
      // Known as running before the claim is seen by anybody, so that a twin always finds it.
      const outcome = Promise.withResolvers<unknown>();
      outcome.promise.catch(() => {});
      running.set(creation.id, outcome.promise);
      try {
        const result = await claimOrAttach(creation, request);
        outcome.resolve(result);
        return result;
      } catch (error) {
        outcome.reject(error);
        throw error;
      } finally {
        running.delete(creation.id);
      }
    },
    findByKey: (owner, value) => store.findCreation(owner, toStoredKey({ source: 'client', value })),
  };
}

/** How often a twin looks whether another instance is done. */
const twinIntervalMs = 200;

function pause(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.after(delayMs, resolve));
}

/** For the log: an operator who loses the records can still ask the gateway for the work. */
function nameOf({ task }: Settlement): string {
  return task ? `the create of ${task.kind} ${task.upstreamId}` : 'a create';
}

/** What came in place of an acknowledgement: it may hold what was paid for. */
function keptReply(error: unknown): GenerationPatch {
  return error instanceof LostReplyError && error.reply !== undefined
    ? { raw: withoutMedia(error.reply) }
    : {};
}

/** Keys from clients and keys from operations live in namespaces of their own. */
function toStoredKey({ source, value }: IdempotencyKey): string {
  return `${source}:${value}`;
}
