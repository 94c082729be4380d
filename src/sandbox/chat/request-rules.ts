import { invalidRequest } from '../http/errors.ts';
import { describeImageUrl } from './image-parts.ts';
import type { ChatMessage, ChatRequest } from './request.ts';
import { toText } from './text/conversation.ts';

/** Refuses (400) members that are valid by themselves but not together. */
export function refuseContradictions(request: ChatRequest): void {
  refuseBadMessages(request.messages);
  refuseBadToolChoice(request);
  refuseBadFormat(request);
}

function refuseBadMessages(messages: readonly ChatMessage[]): void {
  const callIds = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_calls: calls = [], tool_call_id: callId } = message;
    const at = `messages[${index}]`;
    refuseIf(
      (content ?? null) === null && message.tool_calls === undefined,
      `${at}.content: ${content === null ? 'null is only possible with tool_calls' : 'is required'}`,
    );
    for (const [position, call] of calls.entries()) {
      callIds.add(call.id);
      const member = `${at}.tool_calls[${position}].function.arguments`;
      refuseIf(!isJson(call.function.arguments), `${member}: expected a string holding JSON`);
    }
    if (role === 'tool') {
      refuseIf(callId === undefined, `${at}.tool_call_id: is required when role is tool`);
      const isKnown = callId !== undefined && callIds.has(callId);
      refuseIf(!isKnown, `${at}.tool_call_id: matches no tool_calls[].id of an earlier message`);
    }
    for (const [position, part] of Array.isArray(content) ? content.entries() : []) {
      const isWrong = part.type === 'image_url' && describeImageUrl(part.image_url.url) === undefined;
      refuseIf(isWrong, `${at}.content[${position}].image_url.url: not a valid base64 data URI or URL`);
    }
  }
}

function refuseBadToolChoice(request: ChatRequest): void {
  const choice = request.tool_choice;
  const names = [
    ...(request.tools ?? []).map((tool) => tool.function.name),
    ...(request.functions ?? []).map((item) => item.name),
  ];
  refuseIf(
    choice === 'required' && names.length === 0,
    'tool_choice: "required" needs at least one of tools',
  );
  const wanted = typeof choice === 'object' ? choice.function.name : undefined;
  const isKnown = wanted === undefined || names.includes(wanted);
  refuseIf(!isKnown, `tool_choice.function.name: "${wanted}" is not one of tools`);
}

function refuseBadFormat({ response_format: format, messages }: ChatRequest): void {
  refuseIf(
    format?.type === 'json_object' && !messages.some((message) => /json/i.test(toText(message))),
    'messages: must contain the word "json" to use response_format of type json_object',
  );
  refuseIf(
    format?.type === 'json_schema' && format.json_schema === undefined,
    'response_format.json_schema: is required when type is json_schema',
  );
}

function refuseIf(isWrong: boolean, message: string): void {
  if (isWrong) throw invalidRequest(message);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
