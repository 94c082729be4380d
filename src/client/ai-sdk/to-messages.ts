import type { ProviderMetadata, UIMessage } from 'ai';
import type { ChatAsset } from '../chat-events.ts';
import { addUsage, type GengraphMessage, type GengraphMetadata, metadataOf } from './message.ts';
import { readSources } from './sources.ts';
import type { RecordedCall, RecordedMessage, Turn } from './thread.ts';

type Part = UIMessage['parts'][number];
type JsonValue = NonNullable<ProviderMetadata[string][string]>;
type ReplyFields = Pick<RecordedMessage, 'content' | 'reasoningContent' | 'refusal' | 'toolCalls' | 'parts'>;

/**
 * The messages of a recorded conversation. A reply and the results of its tools, with the replies to them, are one message.
 * Ids follow from the record, so they are the same at each reading.
 */
export function toMessages(turns: readonly Turn[]): GengraphMessage[] {
  const messages: GengraphMessage[] = [];
  for (const turn of turns) {
    const { messages: sent = [], choices = [], raw } = turn.output ?? {};
    sent.forEach((message, index) => addMessage(messages, message, `${turn.id}.${index}`));
    const [choice] = choices;
    const parts = choice ? toReplyParts(turn.id, choice.message, isWhole(turn)) : [];
    if (parts.length > 0)
      addReply(messages, turn.id, [...parts, ...readSources(raw)], (earlier) => ({
        generationId: turn.id,
        status: statusOf(turn),
        finishReason: choice?.finishReason ?? null,
        ...pickUsage(addUsage(earlier?.usage, turn.usage)),
        ...(turn.error && { error: turn.error }),
      }));
  }
  return messages;
}

function pickUsage(usage: GengraphMetadata['usage']) {
  return usage && { usage };
}

/** Whether the tool calls of the reply are complete. */
function isWhole({ status }: Turn): boolean {
  return status === 'SUCCEEDED';
}

/** How the last turn ended. Undefined if it runs. One that was removed has failed. */
export function findEnd(turns: readonly Turn[] | undefined): 'completed' | 'canceled' | 'failed' | undefined {
  const last = turns?.at(-1);
  if (!last) return 'failed';
  const status = statusOf(last);
  return status === 'starting' || status === 'streaming' ? undefined : status;
}

function statusOf({ status, isTerminal }: Turn): GengraphMetadata['status'] {
  if (!isTerminal) return 'streaming';
  return status === 'SUCCEEDED' ? 'completed' : status === 'CANCELED' ? 'canceled' : 'failed';
}

function addMessage(messages: GengraphMessage[], message: RecordedMessage, id: string): void {
  if (message.role === 'TOOL') return addResult(messages, message);
  if (message.role === 'ASSISTANT')
    return addReply(messages, id, toReplyParts(id, message, true), (earlier) => earlier);
  const role = message.role === 'USER' ? 'user' : 'system';
  messages.push({ id, role, parts: toParts(message) });
}

/** Adds a step to the last message, if that is a reply whose tools have answered. */
function addReply(
  messages: GengraphMessage[],
  id: string,
  parts: readonly Part[],
  describe: (earlier: GengraphMetadata | undefined) => GengraphMetadata | undefined,
): void {
  const last = messages.at(-1);
  const isStep = last?.role === 'assistant';
  const metadata = describe(isStep ? metadataOf(last) : undefined);
  const step: Part[] = [{ type: 'step-start' }, ...parts];
  if (isStep) messages.pop();
  messages.push({
    id: isStep ? last.id : id,
    role: 'assistant',
    ...(metadata && { metadata }),
    parts: isStep ? [...last.parts, ...step] : step,
  });
}

function addResult(messages: GengraphMessage[], { toolCallId, content, parts }: RecordedMessage): void {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return;
  const index = last.parts.findLastIndex(
    (part) => 'toolCallId' in part && part.toolCallId === toolCallId && part.state === 'input-available',
  );
  const part = last.parts[index];
  if (!part || !('toolCallId' in part) || part.state !== 'input-available') return;
  const text = content ?? parts?.map((item) => item.text ?? '').join('') ?? '';
  const answered = { ...part, state: 'output-available', output: parseJson(text) ?? text } as const;
  messages.pop();
  messages.push({ ...last, parts: last.parts.with(index, answered) });
}

function toParts({ content, parts }: RecordedMessage): Part[] {
  if (!parts) return [{ type: 'text', text: content ?? '' }];
  return parts.flatMap(({ text, url }): readonly Part[] =>
    url === undefined ? [{ type: 'text', text: text ?? '' }] : [toSentPart(url)],
  );
}

/** The record has only the size and hash of an inline image. */
const description = /^data:([^;,]*)(?:;[^,]*)?: (\d+) bytes, sha256 /;

function toSentPart(url: string): Part {
  const [, type, bytes] = description.exec(url) ?? [];
  return bytes === undefined ? toFile(url) : { type: 'text', text: `[${type}, ${bytes} bytes]` };
}

/** In the order in which a live reply shows them. */
export function toReplyParts(id: string, reply: ReplyFields, isComplete: boolean): Part[] {
  const { content, reasoningContent, refusal, toolCalls, parts } = reply;
  const text = (content ?? parts?.map((part) => part.text ?? '').join('') ?? '') + (refusal ?? '');
  return [
    ...(reasoningContent ? [{ type: 'reasoning', text: reasoningContent, state: 'done' } as const] : []),
    ...(text ? [{ type: 'text', text, state: 'done' } as const] : []),
    ...(isComplete ? (toolCalls ?? []).map((call, index) => toCallPart(id, call, index)) : []),
    ...(parts ?? []).flatMap(({ url }) => (url === undefined ? [] : [toFile(url)])),
  ];
}

function toCallPart(id: string, call: RecordedCall, index: number): Part {
  const { extraContent } = call;
  const input = toInput(call.arguments);
  const part = {
    type: `tool-${call.name ?? ''}`,
    toolCallId: callIdOf(id, call, index),
    ...(extraContent !== undefined && extraContent !== null
      ? { callProviderMetadata: { gengraph: { extraContent: extraContent as JsonValue } } } // A scalar of JSON.
      : {}),
  } as const;
  return input === undefined
    ? { ...part, state: 'output-error', input, rawInput: call.arguments ?? '', errorText: notJson }
    : { ...part, state: 'input-available', input };
}

/** The input of a tool's call. Undefined if its arguments are not JSON. A call without arguments may have no text at all. */
export function toInput(text: string | null): unknown {
  return text ? parseJson(text) : {};
}

export const notJson = 'The arguments of this call are not JSON.';

/** Some gateways send calls without an id. */
export function callIdOf(id: string, call: Pick<RecordedCall, 'id'>, index: number): string {
  return call.id ?? `${id}.${index}`;
}

function toFile(url: string, contentType?: string | null) {
  const [, mediaType] = /^data:([^;,]+)/.exec(url) ?? [];
  return { type: 'file', url, mediaType: contentType ?? mediaType ?? 'image' } as const;
}

/** An image of a reply. */
export function toAssetFile({ url, base64, contentType }: ChatAsset) {
  return toFile(url ?? `data:${contentType ?? 'image/png'};base64,${base64}`, contentType);
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
