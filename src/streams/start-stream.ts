import { ExpectedError, OutcomeUnknownError } from '../errors.ts';
import type { StreamReply } from '../gateway/gateway.ts';
import {
  type CreateCall,
  type CreateSpec,
  type GenerationSpec,
  runGenerationCreate,
} from '../generations/create.ts';
import type { Claim } from '../generations/create-once.ts';
import { toFailure } from '../generations/failure.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { Generation, LazyGeneration } from '../store/records.ts';
import { drainReply } from './drain-reply.ts';
import { endStream, withoutLargeRequest } from './end-stream.ts';
import { followStream } from './follow-stream.ts';
import { openStream, type StreamRun } from './open-stream.ts';
import type { StreamedKind, StreamOutcome } from './streamed-kind.ts';

/** One create whose reply may arrive as a stream. */
export interface StreamedCreation<State, Delta, Input>
  extends
    Omit<CreateSpec<Input>, 'form' | 'isRefusal'>,
    Pick<GenerationSpec<Input>, 'model' | 'prompt' | 'isContinuable' | 'continue'> {
  readonly streamed: StreamedKind<State, Delta>;
}

/** Recorded once the gateway has accepted the create: its generation becomes visible to clients. */
const accepted = { generation: { isVisible: true } } as const;

/**
 * Starts a generation whose reply is drained in the background, with or without watchers. Returns when the gateway has
 * accepted it, at the latest after `CHAT_ACCEPT_SECONDS`.
 * @throws ExpectedError when it is refused; no generation remains
 */
export function startStream<State, Delta, Input extends object>(
  call: CreateCall,
  creation: StreamedCreation<State, Delta, Input> & {
    /** Whether the stream stops after `CHAT_DETACH_SECONDS` without watchers. */
    readonly isDetachable: boolean;
  },
): Promise<Generation> {
  const { streaming, gateway, clock } = call.engine;
  const detachMs = creation.isDetachable ? streaming.detachMs : undefined;
  return runStreamCreate(call, { ...creation, detachMs }, async (run, claim) => {
    const pendingReply = gateway.stream(run.request);
    let reply: StreamReply | undefined;
    try {
      reply = await withTimeout(pendingReply, { clock, timeoutMs: streaming.acceptMs });
    } catch (error) {
      return settleWithoutReply(run, claim, error);
    }
    try {
      await claim.settle(accepted);
    } finally {
      // Drain only after settling: the settlement must not overwrite the end of a quick reply. The gateway has accepted
      // the work, so drain it even when the settlement could not be recorded.
      if (reply) drain(run, reply);
      else inBackground(run, drainLate(run, pendingReply, claim));
    }
    return { ...run.generation, isVisible: true };
  });
}

/** Requests the reply as one document and waits for it. Reads a stream in its place. @throws ExpectedError as startStream */
export async function createWithoutStreaming<State, Delta, Input extends object>(
  call: CreateCall,
  creation: StreamedCreation<State, Delta, Input>,
): Promise<Generation> {
  const { engine } = call;
  const { streamed } = creation;
  const generation = await runStreamCreate(call, creation, async (run, claim) => {
    let reply: StreamReply;
    try {
      reply = await engine.gateway.stream({ ...run.request, accept: 'application/json' });
    } catch (error) {
      return settleWithoutReply(run, claim, error);
    }
    try {
      await claim.settle(accepted);
    } finally {
      drain(run, reply);
    }
    return { ...run.generation, ...(await run.stream.waitForEnd()).generation };
  });
  if (generation.finishedAt !== undefined) return generation;
  // Of a duplicate: the first create still reads the reply, on any instance.
  let last: LazyGeneration = generation;
  for await (const event of followStream({ engine, streamed, generation })) last = event.generation ?? last;
  return { ...generation, ...last };
}

/** Checks and claims the create, and opens its stream before anything is sent. */
function runStreamCreate<State, Delta, Input extends object>(
  call: CreateCall,
  creation: StreamedCreation<State, Delta, Input> & { readonly detachMs?: number | undefined },
  run: (run: StreamRun<State, Delta>, claim: Claim) => Promise<Generation>,
): Promise<Generation> {
  const { engine, caller } = call;
  const { streamed, detachMs } = creation;
  const { kind, isRefusal } = streamed;
  // Record RUNNING with the claim: a later write could overwrite the end of a stream that was canceled meanwhile.
  const spec = { ...creation, kind, isRefusal, status: 'RUNNING', opensStream: true } as const;
  return runGenerationCreate(call, spec, (claim, generation, request) =>
    run(openStream({ streamed, engine, caller, generation, request }, detachMs), claim),
  );
}

/**
 * Handles a request that failed before its reply. If the stream was stopped meanwhile (canceled, detached), settles the
 * create and returns its generation. @throws the error otherwise
 */
async function settleWithoutReply<State, Delta>(
  run: StreamRun<State, Delta>,
  claim: Claim,
  error: unknown,
): Promise<Generation> {
  if (!run.stream.signal.aborted) {
    if (error instanceof ExpectedError)
      run.engine.streams.drop(run.stream, { end: toRefusedOutcome(run, error), refusal: error });
    else {
      const outcome = { type: 'failed', error: new OutcomeUnknownError(run.generation.id, error) } as const;
      inBackground(run, endStream(run, outcome));
      // Without the records, the create is settled later too.
      await run.stream.waitForEnd().catch(() => {});
    }
    // Another instance may have canceled it first.
    if (run.stream.end?.type !== 'canceled') throw error;
  }
  try {
    const { generation } = await run.stream.waitForEnd();
    return { ...run.generation, ...generation, isVisible: true };
  } finally {
    // The outcome of the create is known, also while its end cannot be recorded.
    await claim.settle(accepted);
  }
}

/** The end of a stream whose generation is discarded. */
function toRefusedOutcome<State, Delta>(
  { generation, engine }: StreamRun<State, Delta>,
  error: ExpectedError,
): StreamOutcome {
  const end = { status: 'FAILED', error: toFailure(error), finishedAt: engine.clock.now() } as const;
  return { type: 'failed', generation: { ...withoutLargeRequest(generation), ...end }, error };
}

/** Holds no request meanwhile, because its body may be large. */
function drainToEnd<State, Delta>(
  { streamed, engine, caller, generation, stream }: StreamRun<State, Delta>,
  reply: StreamReply,
): Promise<void> {
  const { clock } = engine;
  const { credential, heldKey } = caller;
  const isServerKey = heldKey !== undefined;
  const outcome = drainReply({ streamed, reply, stream, credential, isServerKey, clock });
  return outcome.then((ended) => endStream({ streamed, engine, generation, stream }, ended));
}

function drain<State, Delta>(run: StreamRun<State, Delta>, reply: StreamReply): void {
  inBackground(run, drainToEnd(run, reply));
}

/** The end of a stream may wait long for the records. */
function inBackground({ engine }: Pick<StreamRun<never, never>, 'engine'>, ended: Promise<void>): void {
  ended.catch((err: unknown) => engine.log.error({ err }, 'could not end a stream'));
}

/**
 * Drains a reply that arrives after the create was answered. A refusal fails the generation and releases the key. The error of
 * a request that was stopped meanwhile (canceled, detached, shut down) is no refusal: the gateway may have accepted it.
 */
async function drainLate<State, Delta>(
  run: StreamRun<State, Delta>,
  pendingReply: Promise<StreamReply>,
  claim: Claim,
): Promise<void> {
  try {
    await drainToEnd(run, await pendingReply);
  } catch (error) {
    const isRefused = error instanceof ExpectedError && !run.stream.signal.aborted;
    if (isRefused) await claim.release();
    const failure = isRefused ? error : new OutcomeUnknownError(run.generation.id, error);
    await endStream(run, { type: 'failed', error: failure });
  }
}
