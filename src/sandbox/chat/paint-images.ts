import { asArray } from '../../lib/json.ts';
import type { Services } from '../http/routes.ts';
import { tokensPerImage, type Choice, type Reply } from './reply.ts';
import type { ChatRequest } from './request.ts';
import { readConversation } from './text/conversation.ts';

const side = 512;

/** Adds an image to each choice that is a text, if `extra_body.google` asks for images. */
export async function paintImages(reply: Reply, request: ChatRequest, services: Services): Promise<Reply> {
  if (!isForImages(request)) return reply;
  const { prompt } = readConversation(request.messages);
  const seed = request.seed ?? (request.temperature === 0 ? 0 : services.random());
  const paint = async (choice: Choice): Promise<Choice> => {
    if (choice.calls.length > 0) return choice;
    const bytes = await services.media.make({
      kind: 'picture',
      prompt,
      seed: `${seed}/${choice.index}`,
      width: side,
      height: side,
      format: 'png',
    });
    return { ...choice, images: [`data:image/png;base64,${Buffer.from(bytes.buffer).toString('base64')}`] };
  };
  const choices = await Promise.all(reply.choices.map(paint));
  const count = choices.filter(({ images }) => images).length;
  const completionTokens = reply.usage.completionTokens + count * tokensPerImage;
  return { choices, usage: { ...reply.usage, completionTokens } };
}

function isForImages({ extra_body: extra }: ChatRequest): boolean {
  const { response_modalities: listed, responseModalities = listed } = extra?.google ?? {};
  return asArray(responseModalities).some((name) => typeof name === 'string' && /^image$/i.test(name));
}
