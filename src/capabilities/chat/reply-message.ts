import { asRecord, type Json, type JsonObject } from '../../lib/json.ts';
import { withoutAbsent } from '../../generations/request-body.ts';
import type { NotContinuableReason } from '../../errors.ts';
import type { GenerationSummary, StoredOutput } from '../../store/records.ts';
import { assetIdOf } from '../../files/files.ts';
import { isMoved } from '../../generations/moved-content.ts';
import { readDataUri } from '../../lib/addresses.ts';
import { chatKind } from './chat-kind.ts';
import type { ChatChoice, ChatImage, ToolCall } from './completion.ts';
import { partsOf } from './image-parts.ts';
import { createArgumentsCheck } from './tool-limits.ts';

/** A candidate of a recorded reply as a message of a request, or why it cannot be one. */
export type ReplyMessage =
  | { readonly message: JsonObject; readonly toolCalls: readonly AnswerableCall[] }
  | { readonly reason: NotContinuableReason };

/** A tool call that a message with role TOOL answers. */
export interface AnswerableCall {
  readonly id: string;
  readonly name: string;
  /** As it is sent. */
  readonly wire: JsonObject;
}

export interface RecordedReply {
  /** Of the generation. Needed for images that are only in the store of files. */
  readonly id?: string | undefined;
  readonly status: GenerationSummary['status'];
  readonly output: StoredOutput | undefined;
}

/** A reply that ended early has no tool calls here: any of them may be incomplete. */
export function isPartial({ status }: Pick<RecordedReply, 'status'>): boolean {
  return status !== 'SUCCEEDED';
}

/** The indexes of the candidates. */
export function choicesOf({ output }: Pick<RecordedReply, 'output'>): readonly number[] {
  return chatKind.fromOutput(output).state.choices.map(({ index }) => index);
}

/** The message without its tool calls, and these. */
export function toReplyMessage(reply: RecordedReply, index: number): ReplyMessage {
  const choice = toReferences(reply).find((each) => each.index === index);
  if (!choice) return { reason: 'NO_REPLY' };
  if (isPartial(reply)) return hasText(choice) ? withCalls(choice, []) : { reason: 'NO_REPLY' };
  const findProblem = createArgumentsCheck();
  const calls = (choice.toolCalls ?? []).map((call) => toAnswerableCall(call, findProblem));
  const whole = calls.filter((call) => call !== undefined);
  if (choice.functionCall || whole.length < calls.length) return { reason: 'UNSUPPORTED_REPLY' };
  return withCalls(choice, whole);
}

/** The candidates, with ids of assets in place of images whose content is only in the store. */
function toReferences({ id = '', output }: Pick<RecordedReply, 'id' | 'output'>): readonly ChatChoice[] {
  let position = 0;
  return chatKind.fromOutput(output).state.choices.map((choice) => {
    if (!choice.images) return choice;
    const images = choice.images.map((image) => {
      const assetId = assetIdOf(id, position++);
      return isMovedImage(image) ? { ...image, url: assetId } : image;
    });
    return { ...choice, images };
  });
}

/** Whether a request with this reply needs the store of files. */
export function hasMovedImages({ output }: Pick<RecordedReply, 'output'>): boolean {
  return chatKind.fromOutput(output).state.choices.some(({ images }) => images?.some(isMovedImage));
}

function isMovedImage({ url }: ChatImage): boolean {
  return isMoved(readDataUri(url)?.base64);
}

function hasText({ content, images, refusal, reasoningContent }: ChatChoice): boolean {
  return Boolean(content) || Boolean(images?.length) || Boolean(refusal) || Boolean(reasoningContent);
}

function withCalls(choice: ChatChoice, toolCalls: readonly AnswerableCall[]): ReplyMessage {
  const { content, refusal, reasoningContent } = choice;
  const parts = partsOf(choice)?.map((part): JsonObject =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: part.url } },
  );
  return {
    message: withoutAbsent({
      role: 'assistant',
      // The gateway's document has no member for a refusal.
      content: parts ?? (content || refusal || ''),
      reasoning_content: reasoningContent || undefined,
    }),
    toolCalls,
  };
}

function toAnswerableCall(
  { id, name, arguments: text, extraContent }: ToolCall,
  findProblem: ReturnType<typeof createArgumentsCheck>,
): AnswerableCall | undefined {
  // Some models send no arguments to a function without parameters.
  const json = text || '{}';
  if (id === undefined || name === undefined || findProblem(json) !== undefined) return undefined;
  const wire = withoutAbsent({
    id,
    type: 'function',
    function: { name, arguments: json },
    extra_content: extraContent,
  });
  return { id, name, wire };
}

export function withAnsweredCalls(
  message: JsonObject,
  toolCalls: readonly AnswerableCall[],
  answers: ReadonlySet<string>,
): JsonObject {
  const answered = toolCalls.filter(({ id }) => answers.has(id));
  return answered.length === 0 ? message : { ...message, tool_calls: answered.map(({ wire }) => wire) };
}

/** The tool calls that wire messages answer. */
export function answersIn(messages: readonly Json[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) => {
      const id = asRecord(message)?.['tool_call_id'];
      return typeof id === 'string' ? [id] : [];
    }),
  );
}
