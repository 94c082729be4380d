import { ExpectedError, OutcomeUnknownError, StreamError, type InputIssue } from '../../errors.ts';
import type { StreamReply } from '../../gateway/gateway.ts';
import { checkInput } from '../../generations/check-input.ts';
import type { Claim, IdempotencyKey, Sent } from '../../generations/create-once.ts';
import { toFailure } from '../../generations/failure.ts';
import { newGeneration } from '../../generations/new-generation.ts';
import { type Context, type Kernel, requireCaller } from '../../graphql/context.ts';
import { getOwnGeneration } from '../../graphql/create.ts';
import { isRecord, type JsonObject } from '../../lib/json.ts';
import type { Caller } from '../../gateway/caller.ts';
import type { Generation, GenerationPatch, StoredOutput } from '../../store/records.ts';
import {
  type ChatEnd,
  type ChatOutcome,
  type ChatStream,
  drainReply,
  findChatStream,
} from './chat-stream.ts';
import { type ChunkReader, createChunkReader } from './chunk-reader.ts';
import { completeChat, streamChat, toChatBody } from './client.ts';
import { chatShape, type ChatState } from './completion.ts';
import type { ChatInput } from './inputs.ts';
import { chatLimits } from './limits.ts';

export interface ChatRequest {
  readonly input: ChatInput;
  readonly key: IdempotencyKey | undefined;
  readonly group: string | null | undefined;
  /** What is wrong with the arguments beside the input. */
  readonly issues: readonly InputIssue[];
}

/** One chat being made: what its parts share. */
interface ChatRun {
  readonly kernel: Kernel;
  readonly caller: Caller;
  readonly requestId: string;
  readonly generation: Generation;
  readonly body: JsonObject;
  readonly stream: ChatStream;
  readonly reader: ChunkReader;
}

/**
 * Starts a chat that is drained in the background, whoever watches; returns once the gateway has accepted it, or after
 * a while all the same.
 * @throws ExpectedError when it is refused, which leaves no generation
 */
export async function startChat(
  context: Context,
  request: ChatRequest & { readonly isDetachable: boolean },
): Promise<Generation> {
  const { kernel } = context;
  const detachMs = request.isDetachable ? kernel.chat.detachMs : undefined;
  return createChat(
    context,
    { ...request, operation: 'chat', stream: true, detachMs },
    async (run, claim) => {
      const reply = streamChat({ ...run, gateway: kernel.gateway, signal: run.stream.signal }, run.body);
      const accepted = await settledWithin(reply, kernel);
      return {
        settlement: { generation: { isVisible: true } },
        result() {
          // Not before the settlement is recorded: a quick reply's end must not be overwritten by it.
          if (accepted) void drain(run, accepted);
          else void drainLate(run, reply, claim);
          return { ...run.generation, isVisible: true };
        },
      };
    },
  );
}

/** Asks for the whole reply at once and waits for it. @throws ExpectedError as startChat */
export async function createChatCompletion(context: Context, request: ChatRequest): Promise<Generation> {
  const { kernel } = context;
  return createChat(
    context,
    { ...request, operation: 'createChatCompletion', stream: false },
    async (run) => {
      const body = await completeChat(
        { ...run, gateway: kernel.gateway, signal: run.stream.signal },
        run.body,
      );
      return {
        settlement: { generation: { isVisible: true } },
        async result() {
          const delta = isRecord(body) ? run.reader.read(body) : undefined;
          if (delta) run.stream.append([delta]);
          await finish(run, { type: 'completed' });
          return (await run.stream.ended).generation;
        },
      };
    },
  );
}

/** Stops a chat at the gateway. The first end wins: the generation is returned as it is then. */
export async function cancelChat(generation: Generation, context: Context): Promise<Generation> {
  const stream = findChatStream(context.kernel, generation.id);
  if (!stream) return generation;
  await stream.stop(new Error('cancelled by its client'), (state, sequence) =>
    commitEnd(context.kernel, { generation, state, sequence, patch: { status: 'CANCELED' } }),
  );
  return (await stream.ended).generation;
}

interface CreateChat extends ChatRequest {
  readonly operation: string;
  readonly stream: boolean;
  readonly detachMs?: number | undefined;
}

type SendChat = (run: ChatRun, claim: Claim) => Promise<Sent<Generation>>;

async function createChat(context: Context, request: CreateChat, send: SendChat): Promise<Generation> {
  const { kernel, requestId } = context;
  const caller = requireCaller(context);
  const { input, key, operation } = request;
  checkInput(chatLimits, input, request.issues);
  const body = toChatBody(input, request.stream);
  const generation = newGeneration({
    caller,
    body,
    kind: 'CHAT',
    // Said with the claim: written later, it could overwrite the end of a chat that was cancelled meanwhile.
    status: 'RUNNING',
    model: input.model,
    prompt: promptOf(input),
    group: request.group,
    now: kernel.clock.now(),
  });
  return kernel.creations.create<Generation>({
    owner: caller.owner,
    operation,
    input,
    key,
    subjectId: generation.id,
    generation,
    replay: (id) => getOwnGeneration(kernel, caller, id),
    async send(claim) {
      const run = openRun({ kernel, caller, requestId, generation, body, detachMs: request.detachMs });
      try {
        return await send(run, claim);
      } catch (error) {
        return await recoverStopped(run, error);
      }
    },
  });
}

function openRun(
  options: Omit<ChatRun, 'stream' | 'reader'> & { readonly detachMs: number | undefined },
): ChatRun {
  const { kernel, generation, detachMs } = options;
  const stop = (status: 'CANCELED' | 'FAILED', error: StreamError): Promise<unknown> =>
    stream.stop(error, (state, sequence) =>
      commitEnd(kernel, { generation, state, sequence, patch: { status, error: toFailure(error) }, error }),
    );
  const stream: ChatStream = kernel.streams.open(chatShape, generation.id, {
    detachMs,
    save: (state, sequence) => kernel.store.saveOutput(generation.id, toOutput(state, sequence)),
    onDetached: () =>
      void stop(
        'CANCELED',
        new StreamError('DETACHED', 'Nobody watched this chat for too long, so it was stopped.'),
      ),
    interrupt: () =>
      stop('FAILED', new StreamError('INTERRUPTED', 'The server stopped while this chat was running.')),
  });
  return { ...options, stream, reader: createChunkReader() };
}

/** A create whose stream was stopped meanwhile (cancelled, detached) has an end already; any other error is its own. */
async function recoverStopped(run: ChatRun, error: unknown): Promise<Sent<Generation>> {
  if (!run.stream.signal.aborted) {
    if (error instanceof ExpectedError) run.kernel.streams.drop(run.stream);
    else await finish(run, { type: 'failed', error: new OutcomeUnknownError(run.generation.id, error) });
    throw error;
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
  { clock, chat }: Kernel,
): Promise<StreamReply | undefined> {
  const late = Promise.withResolvers<undefined>();
  const cancel = clock.after(chat.acceptMs, () => late.resolve(undefined));
  try {
    return await Promise.race([reply, late.promise]);
  } finally {
    cancel();
  }
}

async function drain(run: ChatRun, reply: StreamReply): Promise<void> {
  const { kernel, stream, reader, caller } = run;
  await finish(
    run,
    await drainReply({ reply, stream, reader, credential: caller.credential, clock: kernel.clock }),
  );
}

/** The start was answered before the gateway was heard: a refusal now shows in the generation and frees the key. */
async function drainLate(run: ChatRun, reply: Promise<StreamReply>, claim: Claim): Promise<void> {
  try {
    await drain(run, await reply);
  } catch (error) {
    if (error instanceof ExpectedError) await claim.release();
    const failure =
      error instanceof ExpectedError ? error : new OutcomeUnknownError(run.generation.id, error);
    await finish(run, { type: 'failed', error: failure });
  }
}

async function finish(run: ChatRun, outcome: ChatOutcome): Promise<void> {
  const { kernel, generation, stream, reader } = run;
  const error = outcome.type === 'failed' ? outcome.error : undefined;
  const commit = (state: ChatState, sequence: number): Promise<ChatEnd> => {
    const status =
      error === undefined ? 'SUCCEEDED' : error instanceof OutcomeUnknownError ? 'UNKNOWN' : 'FAILED';
    const patch = {
      status,
      error: error && toFailure(error),
      usage: reader.usage,
      raw: reader.toRaw(state),
    } as const;
    return commitEnd(kernel, { generation, state, sequence, patch, error });
  };
  // A failed stream's source may still be open (an unreadable part, an error in-band): let go of it.
  await (error ? stream.stop(error, commit) : stream.finish(commit));
}

interface CommitEnd {
  readonly generation: Generation;
  readonly state: ChatState;
  readonly sequence: number;
  readonly patch: GenerationPatch;
  readonly error?: ExpectedError | undefined;
}

/** Records how a chat ended; watchers hear of it after that. */
async function commitEnd(
  kernel: Kernel,
  { generation, state, sequence, patch, error }: CommitEnd,
): Promise<ChatEnd> {
  const complete: GenerationPatch = {
    ...patch,
    finishedAt: kernel.clock.now(),
    isVisible: true,
    output: toOutput(state, sequence),
  };
  const type =
    patch.status === 'SUCCEEDED' ? 'completed' : patch.status === 'CANCELED' ? 'canceled' : 'failed';
  try {
    const updated = await kernel.store.updateGeneration(generation.id, complete);
    return { type, generation: updated ?? { ...generation, ...complete }, error };
  } catch (cause) {
    // Watchers are told all the same: what they have seen is true, whatever the record says.
    kernel.log.error({ err: cause, generationId: generation.id }, 'the end of a chat could not be recorded');
    return { type, generation: { ...generation, ...complete }, error };
  }
}

function toOutput(state: ChatState, sequence: number): StoredOutput {
  const output = { type: 'chat-completion', sequence, state };
  return output;
}

/** The text of the last user message. */
function promptOf({ messages }: ChatInput): string | undefined {
  const asked = messages.findLast(({ role }) => role === 'user')?.content;
  const text = asked?.text ?? asked?.parts?.map((part) => part.text ?? '').join('');
  return text === '' ? undefined : text;
}

/** Over transports whose clients give operations no id, only a key of the client's own makes a retry safe. */
export function missingKeyIssues(key: IdempotencyKey | undefined): readonly InputIssue[] {
  if (key) return [];
  const message = 'Over this transport an idempotencyKey is required, so that a retry is never paid twice.';
  return [{ path: ['idempotencyKey'], message, limit: 'required' }];
}
