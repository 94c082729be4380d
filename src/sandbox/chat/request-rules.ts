import { invalidRequest } from '../http/errors.ts';
import { readImageReference } from './image-parts.ts';
import type { ChatMessage, ChatRequest } from './request.ts';

/** Refuses (400) what each member allows by itself but the request as a whole does not. */
export function refuseContradictions(request: ChatRequest): void {
  refuseBadMessages(request.messages);
  refuseBadToolChoice(request);
  refuseBadFormat(request);
}

function refuseBadMessages(messages: readonly ChatMessage[]): void {
  const callIds = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`;
    if (message.content === null && message.tool_calls === undefined) {
      throw invalidRequest(`${at}.content: null is only possible beside tool_calls`);
    }
    for (const [position, call] of (message.tool_calls ?? []).entries()) {
      callIds.add(call.id);
      if (!isJson(call.function.arguments)) {
        throw invalidRequest(
          `${at}.tool_calls[${position}].function.arguments: expected a string holding JSON`,
        );
      }
    }
    if (message.role === 'tool') refuseBadToolMessage(message, at, callIds);
    if (Array.isArray(message.content)) {
      for (const [position, part] of message.content.entries()) {
        if (part.type === 'image_url' && readImageReference(part.image_url.url) === undefined) {
          throw invalidRequest(
            `${at}.content[${position}].image_url.url: not a valid base64 data URI or URL`,
          );
        }
      }
    }
  }
}

function refuseBadToolMessage(message: ChatMessage, at: string, callIds: ReadonlySet<string>): void {
  if (message.tool_call_id === undefined) {
    throw invalidRequest(`${at}.tool_call_id: is required when role is tool`);
  }
  if (!callIds.has(message.tool_call_id)) {
    throw invalidRequest(`${at}.tool_call_id: matches no tool_calls[].id of an earlier message`);
  }
}

function refuseBadToolChoice(request: ChatRequest): void {
  const choice = request.tool_choice;
  const names = [
    ...(request.tools ?? []).map((tool) => tool.function.name),
    ...(request.functions ?? []).map((item) => item.name),
  ];
  if (choice === 'required' && names.length === 0) {
    throw invalidRequest('tool_choice: "required" needs at least one of tools');
  }
  if (typeof choice === 'object' && !names.includes(choice.function.name)) {
    throw invalidRequest(`tool_choice.function.name: "${choice.function.name}" is not one of tools`);
  }
}

function refuseBadFormat({ response_format: format, messages }: ChatRequest): void {
  if (format?.type === 'json_object' && !messages.some(asksForJson)) {
    throw invalidRequest('messages: must contain the word "json" to use response_format of type json_object');
  }
  if (format?.type === 'json_schema' && format.json_schema === undefined) {
    throw invalidRequest('response_format.json_schema: is required when type is json_schema');
  }
}

function asksForJson({ content }: ChatMessage): boolean {
  if (typeof content === 'string') return /json/i.test(content);
  return (content ?? []).some((part) => part.type === 'text' && /json/i.test(part.text));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
