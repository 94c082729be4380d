import { InvalidInputError, type InputIssue, type NotContinuableReason } from '../../errors.ts';
import { checkInput } from '../../generations/check-input.ts';
import { toCheckable } from '../../generations/file-references.ts';
import type { Continuation } from '../../generations/create.ts';
import type { Operation } from '../../generations/engine.ts';
import { guessInputState } from '../../generations/input-state.ts';
import { readThread, type RecordedTurn, refuse } from '../../generations/read-thread.ts';
import type { ByteHold } from '../../lib/fairness/byte-holds.ts';
import { asArray, asRecord, type Json, type JsonObject } from '../../lib/json.ts';
import type { ChatInput } from './inputs.ts';
import { chatLimits, chatLimitsAfter } from './limits.ts';
import type { History } from './message-rules.ts';
import {
  answersIn,
  type AnswerableCall,
  choicesOf,
  hasMovedImages,
  isPartial,
  toReplyMessage,
  withAnsweredCalls,
} from './reply-message.ts';

/** A recorded chat without the rest of its thread. */
export interface RecordedChat extends Pick<RecordedTurn, 'output'> {
  readonly generation: Pick<RecordedTurn['generation'], 'status' | 'inputState'>;
  /** Needed if the record does not say whether it is whole. */
  readonly input?: JsonObject | undefined;
}

/** Why the record of a chat cannot be continued, whatever precedes it. */
export function findChatReason({
  generation,
  input,
  output,
}: RecordedChat): NotContinuableReason | undefined {
  const state = generation.inputState ?? guessInputState(input?.['messages']);
  if (state !== 'WHOLE') return state;
  const reply = { ...generation, output };
  const message = toReplyMessage(reply, 0);
  if ('reason' in message) return message.reason;
  return isPartial(reply) ? 'PARTIAL_REPLY' : undefined;
}

/** Reads what a chat continues. `toBody` makes the request without it. */
export function continueChat(
  operation: Pick<Operation, 'engine' | 'caller'>,
  input: ChatInput & { readonly continueFrom: string },
  toBody: () => JsonObject,
): (issues: readonly InputIssue[], hold: ByteHold) => Promise<Continuation> {
  return async (issues, hold) => {
    const thread = await readChats(operation, input, { issues, hold });
    const { last, choice } = thread;
    const reply = toReplyMessage({ ...last.generation, output: last.output }, choice);
    const history = 'reason' in reply ? undefined : toHistory(thread.turns, reply.toolCalls);
    checkInput(chatLimitsAfter(history), toCheckable(operation.engine, input), [
      ...issues,
      ...choiceIssues(thread),
    ]);
    if ('reason' in reply) return refuse(last.generation, reply.reason);
    if (isPartial(last.generation) && input.continuePartial !== true)
      return refuse(last.generation, 'PARTIAL_REPLY');
    if (!operation.engine.files && thread.turns.some(hasMovedImages))
      return refuse(last.generation, 'MEDIA_NOT_RECORDED');
    const body = toBody();
    const own = asArray(body['messages']);
    const lastMessage = withAnsweredCalls(reply.message, reply.toolCalls, answersIn(own));
    const { id, turn } = last.generation;
    return {
      body: {
        ...body,
        messages: [...messagesBefore(thread.turns), ...messagesOf(last), lastMessage, ...own],
      },
      turn: { parentId: id, choice, rootId: turn?.rootId ?? id, depth: (turn?.depth ?? 0) + 1 },
      continued: last.generation,
    };
  };
}

interface ChatThread {
  /** With the last one. */
  readonly turns: readonly RecordedTurn[];
  readonly last: RecordedTurn;
  /** The candidate of the last one that is continued. */
  readonly choice: number;
}

/** @throws NotContinuableError, or InvalidInputError with the other problems of the input */
async function readChats(
  operation: Pick<Operation, 'engine' | 'caller'>,
  input: ChatInput & { readonly continueFrom: string },
  { issues, hold }: { readonly issues: readonly InputIssue[]; readonly hold: ByteHold },
): Promise<ChatThread> {
  try {
    const turns = await readThread(operation, input.continueFrom, {
      isContinuable: ({ kind }) => kind === 'CHAT',
      hold,
    });
    const last = turns.at(-1);
    if (!last) throw new Error('a thread without turns');
    const reason = findChatReason(last);
    const isWanted = reason === 'PARTIAL_REPLY' && input.continuePartial === true;
    // The reply of the wanted candidate is judged later.
    const isOfReply = reason === 'NO_REPLY' || reason === 'UNSUPPORTED_REPLY';
    const isMissing = reason === 'NO_REPLY' && choicesOf(last).length === 0;
    if (reason && !isWanted && (!isOfReply || isMissing)) return refuse(last.generation, reason);
    return { turns, last, choice: input.continueChoice ?? 0 };
  } catch (error) {
    checkInput(
      chatLimits,
      toCheckable(operation.engine, input),
      error instanceof InvalidInputError ? [...issues, ...error.issues] : issues,
    );
    throw error;
  }
}

function choiceIssues({ last, choice }: ChatThread): readonly InputIssue[] {
  const choices = choicesOf(last);
  if (choices.includes(choice)) return [];
  const limit = `one of ${choices.join(', ')}`;
  return [
    {
      path: ['input', 'continueChoice'],
      message: `The reply has no candidate ${choice}: must be ${limit}.`,
      limit,
      received: String(choice),
    },
  ];
}

function messagesOf({ input }: RecordedTurn): readonly Json[] {
  return asArray(input['messages']);
}

/** The messages of all turns but the last, each with the candidate that the next one continues. */
function messagesBefore(turns: readonly RecordedTurn[]): readonly Json[] {
  return turns.slice(0, -1).flatMap((turn, index) => {
    const next = turns[index + 1];
    const reply = toReplyMessage(
      { ...turn.generation, output: turn.output },
      next?.generation.turn?.choice ?? 0,
    );
    if (!next || 'reason' in reply) return refuse(turn.generation, 'NO_REPLY');
    const answers = answersIn(messagesOf(next));
    return [...messagesOf(turn), withAnsweredCalls(reply.message, reply.toolCalls, answers)];
  });
}

/** What the rules of a continued chat need. */
function toHistory(turns: readonly RecordedTurn[], openCalls: readonly AnswerableCall[]): History {
  return { openCalls, mentionsJson: () => turns.some((turn) => messagesOf(turn).some(mentionsJson)) };
}

function mentionsJson(message: Json): boolean {
  const content = asRecord(message)?.['content'];
  const texts =
    typeof content === 'string' ? [content] : asArray(content).map((part) => asRecord(part)?.['text']);
  return texts.some((text) => typeof text === 'string' && /json/i.test(text));
}
