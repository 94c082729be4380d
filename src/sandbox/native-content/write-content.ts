import { composeReply } from '../chat/compose-reply.ts';
import type { ModelName } from '../chat/model-name.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Reply } from '../chat/reply.ts';
import type { Services } from '../http/routes.ts';
import { parseRatio } from '../images/sizes.ts';
import type { ReadContents } from './read-contents.ts';
import type { ContentRequest } from './requests.ts';
import { findUrls } from './url-context.ts';
import { toCandidate, type ContentReply } from './wire.ts';

/** An admitted request with its decoded contents. */
export interface ContentOrder {
  readonly services: Services;
  readonly request: ContentRequest;
  readonly name: ModelName;
  readonly contents: ReadContents;
}

/** The tokens of one piece of inline data in a prompt. */
const tokensPerAttachment = 258;
const tokensPerImage = 1290;

/** The text that the chat writes for the same conversation. */
export function composeText(order: ContentOrder): Reply {
  const { services, request, name, contents } = order;
  const { generationConfig = {} } = request;
  const { temperature, candidateCount, maxOutputTokens, stopSequences, seed } = generationConfig;
  const chat: ChatRequest = {
    model: name.base,
    messages: contents.messages,
    temperature,
    n: candidateCount,
    max_tokens: maxOutputTokens,
    stop: stopSequences,
    seed,
    // The chat looks for a thinking configuration here.
    extra_body: { google: generationConfig },
  };
  const received = [...contents.received, ...listUrls(order).map((url) => `the page at ${url}`)];
  const reply = composeReply({ request: chat, name, random: services.random, received });
  const promptTokens = reply.usage.promptTokens + contents.attachments * tokensPerAttachment;
  return { ...reply, usage: { ...reply.usage, promptTokens } };
}

export function toTextReply(order: ContentOrder, { choices, usage }: Reply): ContentReply {
  return { candidates: choices.map(toCandidate), usage, urls: listUrls(order) };
}

/** Whether a request asks for an image, by its model's name or its modalities. */
export function isForImage({ request, name }: ContentOrder): boolean {
  return request.generationConfig?.responseModalities?.some(isImage) ?? /image/i.test(name.base);
}

/** An image for the prompt, with a sentence about it unless the request asks for images only. */
export async function paintReply(order: ContentOrder, { usage }: Reply): Promise<ContentReply> {
  const { services, request, contents } = order;
  const { responseModalities = ['TEXT', 'IMAGE'], imageConfig, seed } = request.generationConfig ?? {};
  const bytes = await services.media.make({
    kind: 'picture',
    prompt: contents.lastText,
    seed: String(seed ?? services.random()),
    ...toSize(imageConfig?.aspectRatio),
    format: 'png',
  });
  const image = { inlineData: { mimeType: 'image/png', data: Buffer.from(bytes.buffer).toString('base64') } };
  const text = { text: 'Here is the image that you asked for.' };
  return {
    candidates: [
      { parts: responseModalities.every(isImage) ? [image] : [text, image], finishReason: 'STOP' },
    ],
    usage: { ...usage, completionTokens: tokensPerImage, reasoningTokens: 0 },
    urls: listUrls(order),
  };
}

function isImage(modality: string): boolean {
  return modality.toUpperCase() === 'IMAGE';
}

/** The addresses of the last content, if the request enables URL context. */
function listUrls({ request: { tools = [] }, contents }: ContentOrder): readonly string[] {
  const isEnabled = tools.some(({ urlContext, url_context: documented }) => urlContext ?? documented);
  return isEnabled ? findUrls(contents.lastText) : [];
}

function toSize(aspectRatio = ''): { readonly width: number; readonly height: number } {
  const ratio = parseRatio(aspectRatio) ?? 1;
  const round = (length: number): number => Math.round(length / 16) * 16;
  return { width: round(1024 * Math.sqrt(ratio)), height: round(1024 / Math.sqrt(ratio)) };
}
