import type { Insertable } from 'kysely';
import { stringifyJson } from '../../../lib/json.ts';
import { type ContentName, contentNames, type GenerationPatch } from '../../records.ts';
import type { ContentRow } from '../basics/tables.ts';

export interface ContentChanges {
  readonly saved: readonly Insertable<ContentRow>[];
  readonly removed: readonly ContentName[];
}

/** The changes that a record or patch makes to the content rows. `texts` are contents that are JSON text already. */
export function toContentChanges(
  id: string,
  patch: GenerationPatch,
  texts: ReadonlyMap<ContentName, string>,
): ContentChanges {
  const present = contentNames.filter((part) => part in patch);
  return {
    saved: present
      .filter((part) => patch[part] !== undefined)
      .map((part) => ({ generation_id: id, part, body: texts.get(part) ?? stringifyJson(patch[part]) })),
    removed: present.filter((part) => patch[part] === undefined),
  };
}
