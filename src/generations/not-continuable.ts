import type { NotContinuableReason } from '../errors.ts';
import { type GenerationSummary, maxTurns } from '../store/records.ts';
import type { ThreadSize } from '../store/store.ts';

/** What a thread alone decides, without the contents of its records. */
export function findThreadReason(
  { finishedAt, inputState }: Pick<GenerationSummary, 'finishedAt' | 'inputState'>,
  { turns, bytes, isWhole }: ThreadSize,
  maxThreadBytes: number,
): NotContinuableReason | undefined {
  if (finishedAt === undefined) return 'RUNNING';
  if (turns >= maxTurns) return 'TOO_MANY_TURNS';
  if (!isWhole) return 'ANCESTOR_DELETED';
  if (inputState !== undefined && inputState !== 'WHOLE') return inputState;
  return bytes > maxThreadBytes ? 'TOO_LARGE' : undefined;
}

const advice: Readonly<Record<NotContinuableReason, string>> = {
  NOT_A_CHAT: 'Only chats can be continued.',
  RUNNING: 'It has not ended yet. Wait for its end, or cancel it.',
  PARTIAL_REPLY: 'Its reply is not complete. Set continuePartial to continue from the part that arrived.',
  NO_REPLY: 'It has no reply to continue. Send its messages again.',
  UNSUPPORTED_REPLY:
    'Its reply cannot be sent back: it has a functionCall, or a tool call without id or with arguments that are not JSON. Send the messages yourself.',
  MEDIA_NOT_RECORDED:
    'Inline media of its messages is not recorded. Send the messages yourself, or give images by URL.',
  TEXT_NOT_RECORDED: 'A text of its messages was too long for the record. Send the messages yourself.',
  ANCESTOR_DELETED: 'An earlier turn of its conversation was deleted. Send the messages yourself.',
  TOO_MANY_TURNS: `Its conversation has ${maxTurns} turns, which is the limit. Send the messages yourself.`,
  TOO_LARGE: 'The records of its conversation are too large.',
};

export function describeReason(reason: NotContinuableReason): string {
  return advice[reason];
}
