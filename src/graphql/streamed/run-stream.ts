import { ExpectedError, type InputIssue, OutcomeUnknownError, StreamError } from '../../errors.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { GatewayRequest, StreamReply } from '../../gateway/gateway.ts';
import { checkInput, type InputLimits } from '../../generations/check-input.ts';
import type { Claim, IdempotencyKey, Sent } from '../../generations/create-once.ts';
import { newGeneration } from '../../generations/new-generation.ts';
import { isRecord, type JsonObject } from '../../lib/json.ts';
import type { Generation } from '../../store/records.ts';
import { type Context, requireCaller } from '../context.ts';
import type { Engine } from '../../generations/engine.ts';
import { argumentIssues, type CreateCall, getOwnGeneration, idempotencyKeyOf } from '../create.ts';
import { drainReply } from './drain-reply.ts';
import { endStream, stopStream } from './end-stream.ts';
import type { GenerationStream, StreamedKind, StreamOutcome } from './streamed-kind.ts';

/** One create whose reply may come as a stream. */
export interface StreamedCreation<State, Delta, Input> {
  readonly streamed: StreamedKind<State, Delta>;
  /** Operations that may share a key carry the same name. */
  readonly operation: string;
  readonly input: Input;
  readonly limits: InputLimits<Input>;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  readonly key: IdempotencyKey | undefined;
  readonly group: string | null | undefined;
  /** What is wrong with the arguments beside the input. */
  readonly issues: readonly InputIssue[];
  /** Absolute path on the gateway. */
  readonly path: string;
  readonly toBody: (input: Input) => JsonObject;
  /** Headers of the caller's that this endpoint takes. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One stream being made: what its parts share. */
interface Run<State, Delta> {
  readonly streamed: StreamedKind<State, Delta>;
  readonly engine: Engine;
  readonly caller: Caller;
  readonly generation: Generation;
  readonly request: GatewayRequest;
  readonly stream: GenerationStream<State, Delta>;
}

/** What a call of a creating root field says of its key and its arguments. */
export function toKeyedCall({ args, context, info }: CreateCall): {
  readonly key: IdempotencyKey | undefined;
  readonly group: string | null | undefined;
  readonly issues: readonly InputIssue[];
} {
  const key = idempotencyKeyOf(args, context, info);
  return { key, group: args.group, issues: argumentIssues(args) };
}

/**
 * Starts a generation that is drained in the background, whoever watches; returns once the gateway has accepted it, or
 * after a while all the same.
 * @throws ExpectedError when it is refused, which leaves no generation
 */
export async function startStream<State, Delta, Input extends object>(
  context: Context,
  creation: StreamedCreation<State, Delta, Input> & { readonly isDetachable: boolean },
): Promise<Generation> {
  const { engine } = context;
  const detachMs = creation.isDetachable ? engine.streaming.detachMs : undefined;
  return createStreamed(context, { ...creation, detachMs }, async (run, claim) => {
    const reply = engine.gateway.stream(run.request);
    const accepted = await settledWithin(reply, engine);
    return {
      settlement: { generation: { isVisible: true } },
      result() {
        // Not before the settlement is recorded: a quick reply's end must not be overwritten by it.
        const drained = accepted ? drain(run, accepted) : drainLate(run, reply, claim);
        // Nobody waits for it: what goes wrong here may not take the process with it.
        drained.catch((err: unknown) => engine.log.error({ err }, 'a stream could not be ended'));
        return { ...run.generation, isVisible: true };
      },
    };
  });
}

/** Asks for the whole reply at once and waits for it. @throws ExpectedError as startStream */
export async function createWhole<State, Delta, Input extends object>(
  context: Context,
  creation: StreamedCreation<State, Delta, Input>,
): Promise<Generation> {
  return createStreamed(context, { ...creation, detachMs: undefined }, async (run) => {
    const body = await context.engine.gateway.create(run.request);
    return {
      settlement: { generation: { isVisible: true } },
      async result() {
        const delta = isRecord(body) ? run.stream.reader.read(body) : undefined;
        if (delta !== undefined) run.stream.append([delta]);
        await endStream(run, { type: 'completed', document: body });
        return (await run.stream.ended).generation;
      },
    };
  });
}

type Send<State, Delta> = (run: Run<State, Delta>, claim: Claim) => Promise<Sent<Generation>>;

async function createStreamed<State, Delta, Input extends object>(
  context: Context,
  creation: StreamedCreation<State, Delta, Input> & { readonly detachMs: number | undefined },
  send: Send<State, Delta>,
): Promise<Generation> {
  const { engine, requestId } = context;
  const { streamed, input, key, operation, path, headers, detachMs } = creation;
  const caller = requireCaller(context);
  checkInput(creation.limits, input, creation.issues);
  const body = creation.toBody(input);
  const generation = newGeneration({
    caller,
    body,
    kind: streamed.kind,
    // Said with the claim: written later, it could overwrite the end of a stream that was cancelled meanwhile.
    status: 'RUNNING',
    model: creation.model,
    prompt: creation.prompt,
    group: creation.group,
    now: engine.clock.now(),
  });
  const request = {
    path,
    caller,
    requestId,
    body,
    isRefusal: streamed.isRefusal,
    ...(headers && { headers }),
  };
  return engine.creations.create<Generation>({
    owner: caller.owner,
    operation,
    input,
    key,
    subjectId: generation.id,
    generation,
    replay: (id) => getOwnGeneration(engine, caller, id),
    async send(claim) {
      const run = openRun({ streamed, engine, caller, generation, request }, detachMs);
      try {
        return await send(run, claim);
      } catch (error) {
        return await recoverStopped(run, error);
      }
    },
  });
}

function openRun<State, Delta>(
  options: Omit<Run<State, Delta>, 'stream'>,
  detachMs: number | undefined,
): Run<State, Delta> {
  const { streamed, engine, generation, request } = options;
  const { shape, noun } = streamed;
  const stop = (status: 'CANCELED' | 'FAILED', error: StreamError): Promise<unknown> =>
    stopStream({ ...options, stream }, { status, error });
  /** Cancelled through another instance, or taken for dead by one: the record says which. */
  const onEndedElsewhere = (): void =>
    void stop('FAILED', new StreamError('INTERRUPTED', `This ${noun} was ended elsewhere.`));
  const opened = engine.streams.open<State, Delta, StreamOutcome>(shape, generation.id, {
    detachMs,
    async save(state, sequence) {
      const output = streamed.toOutput({ state, sequence });
      if (!(await engine.store.saveOutput(generation.id, output))) onEndedElsewhere();
    },
    onEndedElsewhere,
    onDetached: () =>
      void stop(
        'CANCELED',
        new StreamError('DETACHED', `Nobody watched this ${noun} for too long, so it was stopped.`),
      ),
    interrupt: () =>
      stop('FAILED', new StreamError('INTERRUPTED', `The server stopped while this ${noun} was running.`)),
  });
  const stream: GenerationStream<State, Delta> = Object.assign(opened, { reader: streamed.createReader() });
  return { ...options, request: { ...request, signal: stream.signal }, stream };
}

/** A create whose stream was stopped meanwhile (cancelled, detached) has an end already; any other error is its own. */
async function recoverStopped<State, Delta>(
  run: Run<State, Delta>,
  error: unknown,
): Promise<Sent<Generation>> {
  if (!run.stream.signal.aborted) {
    if (error instanceof ExpectedError) run.engine.streams.drop(run.stream);
    else await endStream(run, { type: 'failed', error: new OutcomeUnknownError(run.generation.id, error) });
    // Unless it was cancelled through another instance before that.
    if (run.stream.end?.type !== 'canceled') throw error;
  }
  const { generation } = await run.stream.ended;
  return {
    settlement: { generation: { isVisible: true } },
    result: () => ({ ...generation, isVisible: true }),
  };
}

/** The reply when it comes, or undefined when that takes longer than a start may. */
async function settledWithin(
  reply: Promise<StreamReply>,
  { clock, streaming }: Engine,
): Promise<StreamReply | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.after(streaming.acceptMs, () => late.resolve(undefined));
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    cancel();
  }
}

async function drain<State, Delta>(run: Run<State, Delta>, reply: StreamReply): Promise<void> {
  const { clock } = run.engine;
  await endStream(run, await drainReply({ ...run, reply, credential: run.caller.credential, clock }));
}

/** The start was answered before the gateway was heard: a refusal now shows in the generation and frees the key. */
async function drainLate<State, Delta>(
  run: Run<State, Delta>,
  reply: Promise<StreamReply>,
  claim: Claim,
): Promise<void> {
  try {
    await drain(run, await reply);
  } catch (error) {
    if (error instanceof ExpectedError) await claim.release();
    const failure =
      error instanceof ExpectedError ? error : new OutcomeUnknownError(run.generation.id, error);
    await endStream(run, { type: 'failed', error: failure });
  }
}

/** Over transports whose clients give operations no id, only a key of the client's own makes a retry safe. */
export function missingKeyIssues(key: IdempotencyKey | undefined): readonly InputIssue[] {
  if (key) return [];
  const message = 'Over this transport an idempotencyKey is required, so that a retry is never paid twice.';
  return [{ path: ['idempotencyKey'], message, limit: 'required' }];
}
