import type { Asset } from '../generations/asset.ts';
import { isMoved } from '../generations/moved-content.ts';
import type { Context } from './context.ts';

/** The base64 of an inline file, also if its content is only in the store. Null if it has been removed from there. */
export function base64Of(
  { base64, file }: Pick<Asset, 'base64' | 'file'>,
  context: Context,
): string | null | Promise<string | null> {
  if (!isMoved(base64)) return base64 ?? null;
  return import('./stored-files.ts').then(({ readMoved }) => readMoved({ file }, context));
}
