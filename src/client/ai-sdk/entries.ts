import type { FileUIPart, UIMessage } from 'ai';
import type {
  ChatContentInput,
  ChatContentPartInput,
  ChatMessageInput,
  ToolCallInput,
} from '../documents.generated.ts';
import { GengraphChatError, metadataOf } from './message.ts';
import { type ToolPart, toToolPart } from './tool-part.ts';

/** A message as the graph takes it. */
export interface Entry {
  readonly message: ChatMessageInput;
  /** Of the reply's chat, which can be continued here. */
  readonly generationId?: string;
  /** The reply arrived in part. */
  readonly isPartial?: boolean;
}

type Part = UIMessage['parts'][number];

/**
 * Converts messages to those of the graph. Tool calls without a result cannot be sent: they are dropped, or kept in order to
 * compare.
 */
export function toEntries(messages: readonly UIMessage[], calls: 'answered' | 'all' = 'answered'): Entry[] {
  return messages.flatMap((message): readonly Entry[] => {
    if (message.role === 'assistant') return toReplies(message, calls);
    const role = message.role === 'user' ? 'USER' : 'SYSTEM';
    return [{ message: { role, content: toContent(message.parts) } }];
  });
}

/** Whether both histories say the same to a model. */
export function isSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  return toComparable(one) === toComparable(other);
}

function toComparable(entries: readonly Entry[]): string {
  // Live replies do not have the extra content of calls.
  return JSON.stringify(
    entries.map(({ message }) => message),
    (name, value: unknown) => (name === 'extraContent' ? undefined : value),
  );
}

/** Each step is a reply, and a message for each result of a tool. */
function toReplies(message: UIMessage, kept: 'answered' | 'all'): readonly Entry[] {
  const metadata = metadataOf(message);
  const steps = splitSteps(message.parts);
  return steps.flatMap((parts, index): readonly Entry[] => {
    const isLast = index === steps.length - 1;
    const tools = parts.flatMap((part) => toToolPart(part) ?? []);
    const complete = tools.filter(({ state }) => state !== 'input-streaming');
    const calls = kept === 'all' ? complete : complete.filter(({ result }) => result !== undefined);
    const reasoningContent = joinText(parts, 'reasoning');
    const content = toReplyContent(parts);
    if (!content && calls.length === 0) return [];
    const reply: ChatMessageInput = {
      role: 'ASSISTANT',
      ...(content && { content }),
      ...(reasoningContent && { reasoningContent }),
      ...(calls.length > 0 && { toolCalls: calls.map(toCall) }),
    };
    const { generationId, status } = (isLast && metadata) || {};
    return [
      {
        message: reply,
        ...(generationId !== undefined && { generationId }),
        ...((status === 'canceled' || status === 'failed') && { isPartial: true }),
      },
      ...calls.flatMap(({ id, result }): readonly Entry[] =>
        result === undefined
          ? []
          : [{ message: { role: 'TOOL', toolCallId: id, content: { text: result } } }],
      ),
    ];
  });
}

function splitSteps(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]];
  for (const part of parts)
    if (part.type === 'step-start') steps.push([]);
    else steps.at(-1)?.push(part);
  return steps.filter((step) => step.length > 0);
}

function toCall({ id, name, input, extraContent }: ToolPart): ToolCallInput {
  return {
    id,
    function: { name, arguments: input },
    ...(extraContent !== undefined && { extraContent }),
  };
}

/** Texts first: a gateway's reply may have its images anywhere. */
function toReplyContent(parts: readonly Part[]): ChatContentInput | undefined {
  const text = joinText(parts, 'text');
  const images = parts.filter((part) => part.type === 'file').map(toImage);
  if (images.length > 0) return { parts: [...(text ? [{ text }] : []), ...images] };
  return text ? { text } : undefined;
}

function toContent(parts: readonly Part[]): ChatContentInput {
  const contents = parts.flatMap((part): ChatContentPartInput[] => {
    if (part.type === 'text') return [{ text: part.text }];
    return part.type === 'file' ? [toImage(part)] : [];
  });
  const [first, ...others] = contents;
  if (others.length > 0 || first?.imageUrl) return { parts: contents };
  return { text: first?.text ?? '' };
}

function toImage({ mediaType, url }: FileUIPart) {
  if (!/^image(\/|$)/.test(mediaType))
    throw new GengraphChatError({
      code: 'INVALID_INPUT',
      message: `A chat takes images, not files of type ${mediaType}.`,
      retry: 'FIX_INPUT',
      retryAfterSeconds: null,
    });
  return { imageUrl: { url } };
}

function joinText(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.map((part) => (part.type === type ? part.text : '')).join('');
}
