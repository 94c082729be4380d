import { composeReply } from '../chat/compose-reply.ts';
import type { ModelName } from '../chat/model-name.ts';
import type { ChatRequest } from '../chat/request.ts';
import type { Reply } from '../chat/reply.ts';
import type { Services } from '../http/routes.ts';
import { parseRatio } from '../images/sizes.ts';
import type { PictureRecipe } from '../media/recipes.ts';
import type { ReadContents } from './read-contents.ts';
import type { ContentRequest } from './requests.ts';
import { findUrls } from './url-context.ts';
import { countTokensOf, toCandidate, type ContentReply, type ReplyPart } from './wire.ts';

/** An admitted request, as far as it was understood. */
export interface ContentOrder {
  readonly services: Services;
  readonly request: ContentRequest;
  readonly name: ModelName;
  readonly contents: ReadContents;
}

/** What one piece of inline data in a prompt counts. */
const tokensPerAttachment = 258;
const tokensPerImage = 1290;

/** The text that the chat's writer has for the same conversation. */
export function composeText({ services, request, name, contents }: ContentOrder): Reply {
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
    // Where the chat looks for a thinking configuration.
    extra_body: { google: generationConfig },
  };
  const pages = (listUrls(request, contents) ?? []).map((url) => `the page at ${url}`);
  const received = [...contents.received, ...pages];
  const reply = composeReply({ request: chat, name, random: services.random, received });
  const promptTokens = reply.usage.promptTokens + contents.attachments * tokensPerAttachment;
  return { ...reply, usage: { ...reply.usage, promptTokens } };
}

export function toTextReply(order: ContentOrder, reply: Reply): ContentReply {
  return {
    candidates: reply.choices.map(toCandidate),
    tokens: countTokensOf(reply),
    urls: listUrls(order.request, order.contents),
  };
}

/** Whether a request is for an image: by its model's name, or because it says so. */
export function isForImage({ request, name }: ContentOrder): boolean {
  const modalities = request.generationConfig?.responseModalities;
  return modalities ? modalities.some(isImage) : /image/i.test(name.base);
}

/** An image for the prompt, with a word about it unless nothing but images is asked for. */
export async function paintReply(order: ContentOrder, reply: Reply): Promise<ContentReply> {
  const { services, request, contents } = order;
  const modalities = request.generationConfig?.responseModalities ?? ['TEXT', 'IMAGE'];
  const recipe: PictureRecipe = {
    kind: 'picture',
    prompt: contents.lastText,
    seed: String(request.generationConfig?.seed ?? services.random()),
    ...toSize(request.generationConfig?.imageConfig?.aspectRatio),
    format: 'png',
  };
  const bytes = await services.media.make(recipe);
  const image: ReplyPart = {
    inlineData: { mimeType: 'image/png', data: Buffer.from(bytes.buffer).toString('base64') },
  };
  const words: ReplyPart[] = modalities.every(isImage)
    ? []
    : [{ text: 'Here is the image that you asked for.' }];
  return {
    candidates: [{ parts: [...words, image], finishReason: 'STOP' }],
    tokens: { prompt: reply.usage.promptTokens, candidates: tokensPerImage, thoughts: 0 },
    urls: listUrls(request, contents),
  };
}

function isImage(modality: string): boolean {
  return modality.toUpperCase() === 'IMAGE';
}

/** The addresses of the last content, where URL context is enabled. */
function listUrls({ tools = [] }: ContentRequest, { lastText }: ReadContents): readonly string[] | undefined {
  const isEnabled = tools.some(({ urlContext, url_context: documented }) => urlContext ?? documented);
  return isEnabled ? findUrls(lastText) : undefined;
}

function toSize(aspectRatio = ''): { readonly width: number; readonly height: number } {
  const ratio = parseRatio(aspectRatio) ?? 1;
  const round = (length: number): number => Math.round(length / 16) * 16;
  return { width: round(1024 * Math.sqrt(ratio)), height: round(1024 / Math.sqrt(ratio)) };
}
