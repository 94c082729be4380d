import { reportsError } from '../../gateway/decode-error.ts';
import {
  asArray,
  asId,
  asIndex,
  asJsonObject,
  asRecord,
  asString,
  isRecord,
  stringifyJson,
} from '../../lib/json.ts';
import type { ChatChoice, ChatRole, FunctionCall, ToolCall } from './completion.ts';
import { decodeContent, type ImagePart, type TextPart } from './image-parts.ts';
import { createToolCallGroups, type ToolCallGroups, type ToolCallPart } from './tool-call-groups.ts';

/** A message in the graph, from a request or a reply. */
export interface ChatMessage {
  readonly role?: ChatRole | undefined;
  readonly content?: string | undefined;
  readonly parts?: readonly (TextPart | ImagePart)[] | undefined;
  readonly name?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  readonly functionCall?: FunctionCall | undefined;
  readonly toolCallId?: string | undefined;
  readonly reasoningContent?: string | undefined;
  readonly refusal?: string | undefined;
}

const roles: readonly ChatRole[] = ['system', 'user', 'assistant', 'tool', 'developer'];

export function decodeRole(value: unknown): ChatRole | undefined {
  return roles.find((role) => role === value);
}

/**
 * Reads one choice of a reply (`message`) or of a chunk (`delta`). The gateway's document does not show the shape: this is
 * the common chat-completions shape. Members that are missing or have another type are omitted.
 */
export function decodeChoice(
  value: unknown,
  position: number,
  groupsOf: (index: number) => ToolCallGroups = () => createToolCallGroups(),
): ChatChoice | undefined {
  if (!isRecord(value)) return undefined;
  const delta = asRecord(value['delta']);
  const body = delta ?? asRecord(value['message']) ?? {};
  const index = asIndex(value['index']) ?? position;
  const parts = asArray(body['tool_calls']).flatMap(decodeToolCall);
  const toolCalls = parts.length > 0 ? groupsOf(index).add(parts, delta === undefined) : [];
  const { content = asString(value['text']), images } = decodeContent(body);
  return {
    index,
    role: decodeRole(body['role']),
    content,
    images,
    reasoningContent:
      asWord(body['reasoning_content']) ?? asString(body['reasoning']) ?? asString(body['reasoning_content']),
    refusal: asString(body['refusal']),
    toolCalls: toolCalls.length > 0 ? toolCalls : undefined,
    functionCall: decodeFunction(body['function_call']),
    finishReason: asWord(value['finish_reason']),
  };
}

/** Some gateways send an empty string for an absent value. */
function asWord(value: unknown): string | undefined {
  return asString(value) || undefined;
}

function decodeToolCall(value: unknown): readonly ToolCallPart[] {
  if (!isRecord(value)) return [];
  const extraContent = asJsonObject(value['extra_content']);
  return [
    {
      index: asIndex(value['index']),
      id: asId(value['id']),
      ...decodeFunction(value['function']),
      extraContent: extraContent && Object.keys(extraContent).length > 0 ? extraContent : undefined,
      members: value,
    },
  ];
}

function decodeFunction(value: unknown): FunctionCall | undefined {
  if (!isRecord(value)) return undefined;
  const { arguments: given } = value;
  // Some models send the arguments as a value instead of text.
  return {
    name: asWord(value['name']),
    arguments: typeof given === 'object' && given !== null ? stringifyJson(given) : asString(given),
  };
}

/** Whether a reply, or one chunk of it, reports that the chat failed. */
export function isChatError(body: unknown): boolean {
  return isRecord(body) && reportsError(body) && !hasMessage(body);
}

/** Whether a whole reply has what was paid for, so it was not refused. */
export function hasMessage(body: unknown): boolean {
  return asArray(asRecord(body)?.['choices']).some((choice) => {
    const { content, tool_calls: toolCalls } = asRecord(asRecord(choice)?.['message']) ?? {};
    return [content, toolCalls].some((value) =>
      typeof value === 'string' ? value !== '' : asArray(value).length > 0,
    );
  });
}

/** Reads a message of a recorded request. */
export function decodeMessage(value: unknown): ChatMessage {
  const message = asRecord(value) ?? {};
  const { content } = message;
  const choice = decodeChoice({ message }, 0);
  return {
    ...choice,
    // Empty text beside tool calls is an absent content, which the gateway requires.
    content: content === '' && choice?.toolCalls ? undefined : asString(content),
    parts: Array.isArray(content) ? content.flatMap(decodePart) : undefined,
    name: asString(message['name']),
    toolCallId: asString(message['tool_call_id']),
  };
}

/** Parts of other kinds are omitted: requests have text and images only. */
function decodePart(value: unknown): readonly (TextPart | ImagePart)[] {
  const part = asRecord(value) ?? {};
  const image = asRecord(part['image_url']);
  const url = asString(image?.['url']);
  if (url !== undefined) return [{ type: 'image', url, detail: asString(image?.['detail']) }];
  const text = asString(part['text']);
  return text === undefined ? [] : [{ type: 'text', text }];
}
