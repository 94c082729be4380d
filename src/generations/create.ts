import { type InputIssue, NotFoundError } from '../errors.ts';
import type { CredentialForm } from '../gateway/caller.ts';
import type { CreateEvidence } from '../gateway/create-evidence.ts';
import type { InputFile } from '../files/files.ts';
import type { GatewayRequest } from '../gateway/gateway.ts';
import type { FilledPath } from '../gateway/path.ts';
import type { ByteHold } from '../lib/fairness/byte-holds.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import type { Generation, Turn } from '../store/records.ts';
import { checkInput, type InputLimits } from './check-input.ts';
import { describeFiles, hasReferences, resolveReferences, toCheckable } from './file-references.ts';
import type { Claim, CreateRequest, IdempotencyKey } from './create-once.ts';
import type { Engine, Operation } from './engine.ts';
import type { ImageRoom } from './inline-images.ts';
import { newGeneration } from './new-generation.ts';
import { noteOrigin, type OperationNotes } from './operation-notes.ts';
import type { LoggedCreate } from './logged-creates.ts';

/** One call of a creating root field. */
export interface CreateCall extends Operation {
  /** The root field. Creates that may share an idempotency key override it in their {@link CreateSpec}. */
  readonly operation: string;
  readonly key: IdempotencyKey | undefined;
  /** Whether the client still waits for the operation. Undefined if that is unknown. */
  readonly isAwaited: (() => boolean) | undefined;
  readonly collection: string | undefined;
  /** Problems of arguments other than `input`. They are reported together with those of the input. */
  readonly issues: readonly InputIssue[];
}

/** The request of a create: its input, limits, path and body. */
export interface CreateSpec<Input> extends CreateEvidence {
  readonly input: Input;
  readonly limits: InputLimits<Input>;
  /** @default the call's root field */
  readonly operation?: string;
  /** Absolute path on the gateway. A function when a member of the checked input is one of its segments. */
  readonly path: string | ((input: Input) => FilledPath);
  readonly toBody: (input: Input) => JsonObject;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  /** Caller headers that this endpoint accepts. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Only of a stream: detects further refusals under HTTP 200. */
  readonly isRefusal?: (reply: Json) => boolean;
  /** Accepts a reply of plain text. @default false */
  readonly acceptsText?: boolean;
}

/** The record that a create makes, and how to run the create. */
export type CreateSubject<Result> = Pick<
  CreateRequest<Result>,
  'subjectId' | 'generation' | 'prepare' | 'run' | 'onReplay' | 'replay' | 'findRunning' | 'isShownOnce'
>;

/**
 * Checks every limit, builds the request, and runs the create at most once per owner and key.
 * @throws InvalidInputError with every problem, before anything is sent
 */
export async function runCreate<Input extends object, Result>(
  call: CreateCall,
  spec: CreateSpec<Input> & Pick<GenerationSpec<Input>, 'continue'>,
  toSubject: (
    request: GatewayRequest & { readonly body: JsonObject },
    sent: LoggedCreate,
  ) => CreateSubject<Result> | Promise<CreateSubject<Result>>,
): Promise<Result> {
  const { caller, requestId, notes } = call;
  const { input, limits, path, form, headers, isAccepted, hasSecret, isRefusal, acceptsText } = spec;
  if (!spec.continue) checkInput(limits, toCheckable(call.engine, input), call.issues);
  const sent: LoggedCreate = {
    requestId,
    rootField: call.operation,
    transport: notes?.transport,
    address: notes?.address,
  };
  const request = {
    path: typeof path === 'string' ? path : path(input),
    body: spec.toBody(input),
    caller,
    requestId,
    onReply: noteReplies(sent, notes),
    ...(form && { form }),
    ...(headers && { headers }),
    ...(isAccepted && { isAccepted }),
    ...(hasSecret && { hasSecret }),
    ...(isRefusal && { isRefusal }),
    ...(acceptsText && { acceptsText }),
  };
  const subject = await toSubject(request, sent);
  const { key, isAwaited } = call;
  const { creations, acceptedCallers, limitsOf } = call.engine;
  const onReplay = (result: Result): void => {
    if (notes) notes.isReplay = true;
    subject.onReplay?.(result);
  };
  const result = await creations.create({
    ...subject,
    owner: caller.owner,
    operation: spec.operation ?? call.operation,
    input,
    key,
    isCallerAccepted: acceptedCallers.has(caller),
    isAwaited,
    sent,
    limits: limitsOf(caller),
    onReplay,
  });
  if (notes && subject.isShownOnce?.(result)) notes.isShownOnce = true;
  return result;
}

/** Adds the times of the creates of one operation. */
function noteReplies(
  sent: LoggedCreate,
  notes: OperationNotes | undefined,
): NonNullable<GatewayRequest['onReply']> {
  const before = notes?.upstreamMs ?? 0;
  return ({ status, durationMs }) => {
    sent.upstreamStatus = status;
    if (!notes) return;
    notes.upstreamStatus = status;
    notes.upstreamMs = before + durationMs;
  };
}

/** A create that makes a generation. */
export interface GenerationSpec<Input>
  extends CreateSpec<Input>, Pick<Generation, 'kind'>, Partial<Pick<Generation, 'model' | 'prompt'>> {
  /** Whether later creates can continue its `messages`. @default false */
  readonly isContinuable?: boolean;
  /** Whether its run opens a stream with the id of its generation. @default false */
  readonly opensStream?: boolean;
  /**
   * Reads what the input continues, and checks the whole input instead of `runCreate`. `issues` are problems of other
   * arguments. `hold` has the bytes that it reads, until the gateway replies. Not called for a duplicate. @default the input continues nothing
   * @throws ExpectedError: nothing was sent
   */
  readonly continue?: ((issues: readonly InputIssue[], hold: ByteHold) => Promise<Continuation>) | undefined;
}

/** A create with what it continues. */
export interface Continuation {
  /** The whole request. The record has only the part of this turn. */
  readonly body: JsonObject;
  readonly turn: Turn;
  readonly continued: Pick<Generation, 'collection' | 'createdAt'>;
}

/** Runs a create whose generation is recorded together with the claim of its key. */
export async function runGenerationCreate<Input extends object>(
  call: CreateCall,
  spec: GenerationSpec<Input> & Pick<Generation, 'status'>,
  run: (claim: Claim, generation: Generation, request: GatewayRequest) => Promise<Generation>,
): Promise<Generation> {
  const { engine, caller, notes } = call;
  let room: ImageRoom | undefined;
  let hold: ByteHold | undefined;
  let sentFiles: readonly InputFile[] = [];
  let onEnded = (): void => {};
  try {
    return await runCreate(call, spec, async (own, sent) => {
      // A duplicate may need no records.
      let imageFailure: unknown;
      if (spec.isContinuable)
        try {
          room = await engine.inlineImages?.admit(caller.owner, own.body['messages']);
        } catch (error) {
          imageFailure = error;
        }
      let request = own;
      let generation = await toGeneration(call, spec, {
        body: own.body,
        keepsImages: room?.isAdmitted ?? false,
      });
      if (spec.opensStream) onEnded = engine.streams.announce(generation.id);
      const { continue: readContinued } = spec;
      /** Replaces references to files in what is sent. The record has them, and says how they were sent. */
      const sendFiles = async (): Promise<void> => {
        if (!engine.files || !hasReferences(engine, request.body)) return;
        const { owner } = caller;
        const { input, limits } = spec;
        const found = await resolveReferences(engine.files, { owner, body: request.body, input, limits });
        request = { ...request, body: found.body };
        sentFiles = found.files;
        generation = { ...generation, input: { ...generation.input, ...describeFiles(found.files) } };
      };
      const readThread = async (read: NonNullable<typeof readContinued>): Promise<void> => {
        const held = (hold = engine.histories.open(caller.owner));
        const { body, turn, continued } = await read(call.issues, held);
        const onReply: GatewayRequest['onReply'] = (reply) => {
          held.release();
          own.onReply?.(reply);
        };
        request = { ...own, body, onReply };
        generation = {
          ...generation,
          turn,
          collection: generation.collection ?? continued.collection,
          // Also if the clock of the server that made the continued one is ahead.
          createdAt: Math.max(generation.createdAt, continued.createdAt + 1),
        };
      };
      return {
        subjectId: generation.id,
        generation,
        ...((imageFailure !== undefined || readContinued || hasReferences(engine, own.body)) && {
          async prepare() {
            try {
              if (imageFailure !== undefined) throw imageFailure;
              if (readContinued) await readThread(readContinued);
              await sendFiles();
              return generation;
            } catch (error) {
              // If another instance has the key, this create waits for it, and may be prepared again.
              hold?.release();
              throw error;
            }
          },
        }),
        run(claim) {
          room?.release();
          engine.loggedCreates.add(generation.id, sent);
          keepFiles(call, generation.id, sentFiles);
          return runTraced(call, { generation, request }, (traced) => run(claim, generation, traced));
        },
        onReplay: ({ traceparent }) => noteOrigin(notes, traceparent),
        findRunning(id) {
          const running = engine.streams.findRunning(caller.owner, id);
          return running && { result: running.generation, ended: running.ended };
        },
        replay: (id) => getOwnGeneration(call, id),
      };
    });
  } finally {
    onEnded();
    room?.release();
    hold?.release();
  }
}

/** The create does not wait for it: an upload is kept for a day anyway. */
function keepFiles({ engine, caller }: CreateCall, generationId: string, files: readonly InputFile[]): void {
  if (files.length === 0) return;
  engine.files
    ?.keepInputs(caller.owner, generationId, files)
    .catch((err: unknown) => engine.log.warn({ err, generationId }, 'could not keep the files of a request'));
}

function toGeneration<Input>(
  { engine, caller, collection }: CreateCall,
  { kind, status, model, prompt, isContinuable = false }: GenerationSpec<Input> & Pick<Generation, 'status'>,
  { body, keepsImages }: { readonly body: JsonObject; readonly keepsImages: boolean },
): Promise<Generation> {
  return newGeneration({
    caller,
    body,
    kind,
    status,
    model,
    prompt,
    collection,
    maxInputBytes: engine.maxInputBytes,
    now: engine.clock.now(),
    traceparent: engine.generationTraces?.reserve(caller.trace),
    ...(isContinuable && { messages: { keepsImages } }),
  });
}

interface TracedCreate {
  readonly generation: Generation;
  readonly request: GatewayRequest;
}

/** Runs a create in a span of its generation. If the reply is a stream or the result, the end of the generation ends it. */
async function runTraced(
  { engine: { generationTraces: traces }, caller }: CreateCall,
  { generation, request }: TracedCreate,
  run: (request: GatewayRequest) => Promise<Generation>,
): Promise<Generation> {
  if (!traces) return run(request);
  const trace = traces.start(generation, caller.trace);
  try {
    const made = await run({ ...request, caller: { ...request.caller, trace } });
    if (made.taskId !== undefined) traces.end(made);
    return made;
  } catch (error) {
    traces.fail(generation.id, error);
    throw error;
  }
}

/** @throws NotFoundError if the generation of the key was deleted. The create is not sent again. */
async function getOwnGeneration(
  { engine, caller }: Operation<Pick<Engine, 'store'>>,
  id: string,
): Promise<Generation> {
  const [generation] = await engine.store.findGenerations(caller.owner, [id]);
  if (generation) return generation;
  throw new NotFoundError(
    'The generation of this idempotency key was deleted. The create was not sent again; use a new key to send it.',
    { retry: 'MAY_CHARGE_AGAIN' },
  );
}
