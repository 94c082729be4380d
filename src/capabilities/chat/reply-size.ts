import { type ExpectedError, GatewayError } from '../../errors.ts';
import type { ChatChoice, ChatState } from './completion.ts';

const million = 1024 * 1024;
/** Ten times the longest reply of any model. Saving or sending a longer text would keep other clients waiting. */
const maxTextChars = 8 * million;
/** With the text, as much as one answer may have by default. Base64 text costs less than other text. */
const maxImageChars = 24 * million;
/** What a choice, a call or an image counts in addition to its texts: they are copied whenever one of them changes. */
const objectChars = 4096;

/** The error of a stream whose reply is too long to continue. */
export function findExcess({ choices }: ChatState): ExpectedError | undefined {
  let text = 0;
  let images = 0;
  for (const choice of choices) {
    text += sizeOfTexts(choice);
    if (choice.images) for (const { url } of choice.images) images += objectChars + url.length;
  }
  if (text <= maxTextChars && images <= maxImageChars) return undefined;
  const limit = text > maxTextChars ? `${maxTextChars} characters` : `${maxImageChars} characters of images`;
  return new GatewayError(`The reply is longer than ${limit}, so the chat was stopped.`, { status: 200 });
}

function sizeOfTexts({ content, reasoningContent, refusal, functionCall, toolCalls }: ChatChoice): number {
  let size = objectChars + lengthOf(content) + lengthOf(reasoningContent) + lengthOf(refusal);
  if (functionCall) size += lengthOf(functionCall.arguments);
  if (toolCalls) for (const call of toolCalls) size += objectChars + lengthOf(call.arguments);
  return size;
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.length;
}
