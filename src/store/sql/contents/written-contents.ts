import { joinPieces, jsonPieces } from '../../../lib/json-pieces.ts';
import { isLarge } from '../../../lib/json-size.ts';
import type { Pauses } from '../../../lib/pauses.ts';
import type { GenerationPatch } from '../../records.ts';
import { contentParts } from './content-rows.ts';
import type { ContentPart } from '../basics/tables.ts';

/** Large contents as JSON text, written before the transaction that saves them. */
export interface WrittenContents {
  readonly texts: ReadonlyMap<ContentPart, string>;
  /** Pauses between the rows. Absent if all contents are small. */
  readonly pauses?: Pauses;
  /** Whether a new output may replace parts of the old one. @default false */
  readonly removesParts?: boolean;
}

export const noContents: WrittenContents = { texts: new Map() };

/** Writes the large contents of a patch as JSON text, with pauses. */
export async function writeContents(
  patch: GenerationPatch | undefined,
  pauses: Pauses,
): Promise<WrittenContents> {
  const large = patch ? contentParts.filter((part) => isLarge(patch[part])) : [];
  if (large.length === 0) return noContents;
  const texts = new Map<ContentPart, string>();
  for (const part of large) texts.set(part, await textInPieces(patch?.[part], pauses));
  return { texts, pauses };
}

/** Like `stringifyJson`, with pauses. */
export async function textInPieces(value: unknown, pauses: Pauses): Promise<string> {
  const pieces: string[] = [];
  for (const piece of joinPieces(jsonPieces(value))) {
    await pauses.next();
    pieces.push(piece);
  }
  return pieces.join('');
}
