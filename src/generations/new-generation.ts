import type { Caller } from '../gateway/caller.ts';
import { randomId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import { isLarge } from '../lib/json-size.ts';
import type { Pauses } from '../lib/pauses.ts';
import type { Generation } from '../store/records.ts';
import { limitInput, limitPrompt } from './recorded-input.ts';
import { withoutMedia } from './without-media.ts';

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
  readonly pauses: Pauses;
  readonly now: number;
}

/** The record of a create that the gateway has not accepted yet. */
export async function newGeneration({
  caller,
  collection,
  body,
  prompt,
  maxInputBytes,
  pauses,
  now,
  ...fields
}: NewGeneration): Promise<Generation> {
  const limit = { maxBytes: maxInputBytes, pauses, sizes: new Map<string, number>() };
  if (isLarge(body)) await pauses.next();
  return {
    ...fields,
    id: randomId('generation'),
    owner: caller.owner,
    collection: collection ?? undefined,
    createdAt: now,
    prompt: await limitPrompt(prompt, limit),
    input: await limitInput(withoutMedia(body), limit),
    isVisible: false,
  };
}
