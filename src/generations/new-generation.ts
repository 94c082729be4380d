import type { Caller } from '../gateway/caller.ts';
import { recordId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { isLarge } from '../lib/json-size.ts';
import type { Generation } from '../store/records.ts';
import { isInlineImage, sizeOfImages } from './inline-images.ts';
import { inputStateOf } from './input-state.ts';
import { limitInput, limitPrompt } from './recorded-input.ts';
import { withoutMedia, withoutMediaInPieces } from './without-media.ts';

export interface NewGeneration extends Pick<
  Generation,
  'kind' | 'status' | 'model' | 'prompt' | 'traceparent'
> {
  readonly caller: Caller;
  readonly collection: string | null | undefined;
  /** The request body. Recorded without its inline media. */
  readonly body: JsonObject;
  /** Limit of the recorded request, and of the prompt. */
  readonly maxInputBytes: number;
  readonly now: number;
  /** For a kind whose messages later creates can continue. */
  readonly messages?: { readonly keepsImages: boolean } | undefined;
}

/** The record of a create that the gateway has not accepted yet. */
export async function newGeneration({
  caller,
  collection,
  body,
  prompt,
  maxInputBytes,
  now,
  messages,
  ...fields
}: NewGeneration): Promise<Generation> {
  const replaced = new Set<string>();
  const onReplaced = messages && ((description: string) => void replaced.add(description));
  const limit = { maxBytes: maxInputBytes, onReplaced, sizes: new Map<string, number>() };
  const keeps = messages?.keepsImages ? isInlineImage : undefined;
  const recorded = isLarge(body)
    ? await withoutMediaInPieces(body, { keeps, onReplaced })
    : withoutMedia(body, { keeps, onReplaced });
  const input = await limitInput(recorded, limit);
  const imageBytes = keeps ? sizeOfImages(input['messages']) : 0;
  return {
    ...fields,
    id: recordId('generation', now),
    owner: caller.owner,
    collection: collection ?? undefined,
    createdAt: now,
    prompt: await limitPrompt(prompt, limit),
    input,
    isVisible: false,
    ...(messages && { inputState: inputStateOf(input['messages'], replaced) }),
    ...(imageBytes > 0 && { inlineImageBytes: imageBytes }),
  };
}
