import { ExpectedError, OutcomeUnknownError } from '../errors.ts';
import type { StreamReply } from '../gateway/gateway.ts';
import {
  type CreateCall,
  type CreateSpec,
  type GenerationSpec,
  runGenerationCreate,
} from '../generations/create.ts';
import type { Claim } from '../generations/create-once.ts';
import type { Engine } from '../generations/engine.ts';
import { isRecord, type Json } from '../lib/json.ts';
import type { Generation } from '../store/records.ts';
import { drainReply } from './drain-reply.ts';
import { endStream } from './end-stream.ts';
import { openStream, type StreamRun } from './open-stream.ts';
import type { StreamedKind } from './streamed-kind.ts';

/** One create whose reply may arrive as a stream. */
export interface StreamedCreation<State, Delta, Input>
  extends Omit<CreateSpec<Input>, 'form' | 'isRefusal'>, Pick<GenerationSpec<Input>, 'model' | 'prompt'> {
  readonly streamed: StreamedKind<State, Delta>;
}

/** What clients may see once the gateway has accepted the create. */
const accepted = { generation: { isVisible: true } } as const;

/**
 * Starts a generation that is drained in the background, watched or not. Returns once the gateway has accepted it, or
 * after `CHAT_ACCEPT_SECONDS`.
 * @throws ExpectedError when it is refused, which leaves no generation
 */
export function startStream<State, Delta, Input extends object>(
  call: CreateCall,
  creation: StreamedCreation<State, Delta, Input> & {
    /** Whether it is stopped when nobody has watched it for `CHAT_DETACH_SECONDS`. */
    readonly isDetachable: boolean;
  },
): Promise<Generation> {
  const { streaming, gateway, log } = call.engine;
  const detachMs = creation.isDetachable ? streaming.detachMs : undefined;
  return runStreamCreate(call, { ...creation, detachMs }, async (run, claim) => {
    const coming = gateway.stream(run.request);
    let reply: StreamReply | undefined;
    try {
      reply = await withinAcceptTime(coming, call.engine);
    } catch (error) {
      return settleStopped(run, claim, error);
    }
    try {
      await claim.settle(accepted);
    } finally {
      // Only now: the settlement must not overwrite the end of a quick reply. The gateway has accepted the work, so it
      // is drained even when the settlement cannot be recorded yet.
      const drained = reply ? drain(run, reply) : drainLate(run, coming, claim);
      drained.catch((err: unknown) => log.error({ err }, 'a stream could not be ended'));
    }
    return { ...run.generation, isVisible: true };
  });
}

/** Requests the whole reply at once and waits for it. @throws ExpectedError as startStream */
export function createWhole<State, Delta, Input extends object>(
  call: CreateCall,
  creation: StreamedCreation<State, Delta, Input>,
): Promise<Generation> {
  return runStreamCreate(call, creation, async (run, claim) => {
    const { stream } = run;
    let document: Json;
    try {
      document = await call.engine.gateway.create(run.request);
    } catch (error) {
      return settleStopped(run, claim, error);
    }
    try {
      await claim.settle(accepted);
    } finally {
      const delta = isRecord(document) ? stream.reader.read(document) : undefined;
      if (delta !== undefined) stream.append([delta]);
      await endStream(run, { type: 'completed', document });
    }
    return (await stream.ended).generation;
  });
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
  // RUNNING is recorded with the claim: written later, it could overwrite the end of a stream cancelled meanwhile.
  const spec = { ...creation, kind, isRefusal, status: 'RUNNING' } as const;
  return runGenerationCreate(call, spec, (claim, generation, request) =>
    run(openStream({ streamed, engine, caller, generation, request }, detachMs), claim),
  );
}

/** A create whose stream was stopped meanwhile (cancelled, detached) has its end already. @throws any other error */
async function settleStopped<State, Delta>(
  run: StreamRun<State, Delta>,
  claim: Claim,
  error: unknown,
): Promise<Generation> {
  if (!run.stream.signal.aborted) {
    if (error instanceof ExpectedError) run.engine.streams.drop(run.stream);
    else await endStream(run, { type: 'failed', error: new OutcomeUnknownError(run.generation.id, error) });
    // Unless another instance cancelled it before that.
    if (run.stream.end?.type !== 'canceled') throw error;
  }
  const { generation } = await run.stream.ended;
  await claim.settle(accepted);
  return { ...generation, isVisible: true };
}

/** The reply, or undefined when the gateway takes longer to accept the create than a client should wait. */
async function withinAcceptTime(
  coming: Promise<StreamReply>,
  { clock, streaming }: Engine,
): Promise<StreamReply | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.after(streaming.acceptMs, () => late.resolve(undefined));
  try {
    return await Promise.race([coming, late.promise]);
  } finally {
    cancel();
  }
}

async function drain<State, Delta>(run: StreamRun<State, Delta>, reply: StreamReply): Promise<void> {
  const { clock } = run.engine;
  await endStream(run, await drainReply({ ...run, reply, credential: run.caller.credential, clock }));
}

/** The create was answered before the gateway accepted it. A refusal now fails the generation and releases the key. */
async function drainLate<State, Delta>(
  run: StreamRun<State, Delta>,
  coming: Promise<StreamReply>,
  claim: Claim,
): Promise<void> {
  try {
    await drain(run, await coming);
  } catch (error) {
    const isRefused = error instanceof ExpectedError;
    if (isRefused) await claim.release();
    const failure = isRefused ? error : new OutcomeUnknownError(run.generation.id, error);
    await endStream(run, { type: 'failed', error: failure });
  }
}
