import { GatewayError } from '../../errors.ts';
import { isErrorBody } from '../../gateway/decode-error.ts';
import { findStream, type StreamedKind, type StreamProgress } from '../../streams/streamed-kind.ts';
import type { Engine } from '../../generations/engine.ts';
import { isRecord } from '../../lib/json.ts';
import type { Generation, StoredOutput } from '../../store/records.ts';
import { createChatLog } from './chat-log.ts';
import { createChunkReader } from './chunk-reader.ts';
import { applyDelta, type ChatDelta, type ChatState, emptyChat, mergeDeltas } from './completion.ts';
import { isChatError } from './wire.ts';

/** A chat's reply as far as it goes, with the request that it answers. */
export interface ChatCompletion extends StreamProgress<ChatState> {
  readonly type: 'chat-completion';
  readonly generation: Generation | undefined;
}

export const chatKind: StreamedKind<ChatState, ChatDelta> = {
  kind: 'CHAT',
  noun: 'chat',
  shape: { initial: emptyChat, apply: applyDelta, merge: mergeDeltas, createLog: createChatLog },
  // One that is asked for as a whole, too.
  isStreamed: () => true,
  createReader: createChunkReader,
  isRefusal: (body) => isChatError(body) || isErrorBody(body),
  // A stream that says it is done is done, whatever it said.
  findFailure: ({ choices }, isWhole) =>
    isWhole && choices.length === 0
      ? new GatewayError('The gateway answered without a single choice.', { status: 200 })
      : undefined,
  toOutput: ({ sequence, state }) => ({ type: 'chat-completion', sequence, state }) as StoredOutput,
  fromOutput(output) {
    const state = output?.type === 'chat-completion' && 'state' in output ? output.state : undefined;
    const sequence =
      output && 'sequence' in output && typeof output.sequence === 'number' ? output.sequence : 0;
    // Written by `toOutput`.
    return { sequence, state: isRecord(state) ? (state as unknown as ChatState) : emptyChat };
  },
};

/** The reply as of now: of a running chat from its log, else as recorded. */
export function findCompletion(generation: Generation, engine: Engine): ChatCompletion | undefined {
  const stream = findStream(engine, chatKind, generation.id);
  const isRunning = stream !== undefined && stream.end === undefined;
  if (!isRunning && !generation.output) return undefined;
  const { sequence, state } = isRunning ? stream : chatKind.fromOutput(generation.output);
  return { type: 'chat-completion', sequence, state, generation };
}
