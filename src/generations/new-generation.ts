import type { Caller } from '../gateway/caller.ts';
import { randomId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Generation } from '../store/records.ts';
import { limitInput, limitPrompt } from './recorded-input.ts';
import { withoutMedia } from './without-media.ts';

export interface NewGeneration extends Pick<Generation, 'kind' | 'status' | 'model' | 'prompt'> {
  readonly caller: Caller;
  readonly collection: string | null | undefined;
  /** The request body. Recorded without its inline media. */
  readonly body: JsonObject;
  /** Limit of the recorded request, and of the prompt. */
  readonly maxInputBytes: number;
  readonly now: number;
}

/** The record of a create that the gateway has not accepted yet. */
export function newGeneration({
  caller,
  collection,
  body,
  prompt,
  maxInputBytes,
  now,
  ...fields
}: NewGeneration): Generation {
  return {
    ...fields,
    id: randomId('generation'),
    owner: caller.owner,
    collection: collection ?? undefined,
    createdAt: now,
    prompt: limitPrompt(prompt, maxInputBytes),
    input: limitInput(withoutMedia(body), maxInputBytes),
    isVisible: false,
  };
}
