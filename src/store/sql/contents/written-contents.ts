import { joinPieces, jsonPieces } from '../../../lib/json-pieces.ts';
import { isLarge } from '../../../lib/json-size.ts';
import { largeWork } from '../../../lib/fairness/large-work.ts';
import { type ContentName, contentNames, type GenerationPatch } from '../../records.ts';

/** Large contents as JSON text, written before the transaction that saves them. */
export interface WrittenContents {
  readonly texts: ReadonlyMap<ContentName, string>;
  /** Whether a new output may replace parts of the old one. @default false */
  readonly removesParts?: boolean;
}

export const noContents: WrittenContents = { texts: new Map() };

/** Writes the large contents of a patch as JSON text, in pieces. */
export async function writeContents(patch: GenerationPatch | undefined): Promise<WrittenContents> {
  const large = patch ? contentNames.filter((part) => isLarge(patch[part])) : [];
  if (large.length === 0) return noContents;
  const texts = new Map<ContentName, string>();
  for (const part of large) texts.set(part, await textInPieces(patch?.[part]));
  return { texts };
}

/** Like `stringifyJson`, in pieces. */
export async function textInPieces(value: unknown): Promise<string> {
  const pieces: string[] = [];
  for (const piece of joinPieces(jsonPieces(value))) {
    await largeWork.nextPiece();
    pieces.push(piece);
  }
  return pieces.join('');
}
