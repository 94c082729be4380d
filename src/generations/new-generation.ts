import type { Caller } from '../gateway/caller.ts';
import { randomId } from '../lib/ids.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Generation } from '../store/records.ts';
import { withoutMedia } from './without-media.ts';

export interface NewGeneration extends Pick<Generation, 'kind' | 'status' | 'model' | 'prompt'> {
  readonly caller: Caller;
  readonly group: string | null | undefined;
  /** The request body, which is kept without its inline media. */
  readonly body: JsonObject;
  readonly now: number;
}

/** The record of a create that has not been accepted yet. */
export function newGeneration({ caller, group, body, now, ...told }: NewGeneration): Generation {
  return {
    ...told,
    id: randomId('generation'),
    owner: caller.owner,
    group: group ?? undefined,
    createdAt: now,
    input: withoutMedia(body),
    isVisible: false,
  };
}
