import { GatewayError } from '../../errors.ts';
import { findErrorCode, isErrorBody, withWords } from '../../gateway/decode-error.ts';
import { findStream, type StreamedKind, type StreamProgress } from '../../streams/streamed-kind.ts';
import type { Engine } from '../../generations/engine.ts';
import { asArray, asRecord, asString } from '../../lib/json.ts';
import type { LazyGeneration, StoredOutput } from '../../store/records.ts';
import { createChatLog } from './chat-log.ts';
import { createChunkReader } from './chunk-reader.ts';
import {
  applyDelta,
  type ChatChoice,
  type ChatDelta,
  type ChatState,
  emptyChat,
  mergeDeltas,
} from './completion.ts';
import { findExcess } from './reply-size.ts';
import { isChatError } from './wire.ts';

/** The reply of a chat so far, with the request it answers. */
export interface ChatCompletion extends StreamProgress<ChatState> {
  readonly type: 'chat-completion';
  readonly generation: LazyGeneration | undefined;
}

export const chatKind: StreamedKind<ChatState, ChatDelta> = {
  kind: 'CHAT',
  noun: 'chat',
  shape: { initial: emptyChat, apply: applyDelta, merge: mergeDeltas, createLog: createChatLog },
  createReader: createChunkReader,
  // The first chunk often has only the role.
  hasToken: ({ choices }) => choices.some(hasText),
  isRefusal: (body) => isChatError(body) || isErrorBody(body),
  // A stream with an end marker is complete, even without a choice.
  findFailure: ({ choices }, document) =>
    document !== undefined && choices.length === 0
      ? new GatewayError(withWords('The gateway replied without a choice.', document), {
          status: 200,
          upstreamCode: findErrorCode([asRecord(document)]),
        })
      : undefined,
  describeReply(raw) {
    const { id, model, choices } = asRecord(raw) ?? {};
    const finishReasons = asArray(choices).map((choice) => asString(asRecord(choice)?.['finish_reason']));
    return { id: asString(id), model: asString(model), finishReasons };
  },
  findExcess,
  toOutput: ({ sequence, state }) => ({ type: 'chat-completion', sequence, state }),
  fromOutput(output) {
    const { sequence = 0, state = emptyChat }: Partial<StreamProgress<ChatState>> = isReply(output)
      ? output
      : {};
    return { sequence, state };
  },
};

/** Whether `toOutput` wrote it. */
function isReply(
  output: StoredOutput | undefined,
): output is StoredOutput & Partial<StreamProgress<ChatState>> {
  return output?.type === 'chat-completion';
}

function hasText({
  content,
  images,
  reasoningContent,
  refusal,
  functionCall,
  toolCalls,
}: ChatChoice): boolean {
  return (
    (images ?? functionCall ?? toolCalls) !== undefined ||
    [content, reasoningContent, refusal].some((text) => text !== undefined && text !== '')
  );
}

/** The current reply: from the log while the chat runs, otherwise from the record. */
export function findCompletion(
  generation: LazyGeneration,
  engine: Pick<Engine, 'streams'>,
): ChatCompletion | undefined {
  const stream = findStream(engine, chatKind, generation.id);
  const isRunning = stream !== undefined && stream.end === undefined;
  if (!isRunning && !generation.output) return undefined;
  const { sequence, state } = isRunning ? stream : chatKind.fromOutput(generation.output);
  return { type: 'chat-completion', sequence, state, generation };
}
