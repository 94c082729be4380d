import { z } from 'zod';
import { isBase64 } from '../../lib/base64.ts';

/** A URL that a gateway could fetch. */
export const link = z
  .string()
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'expected an http or https URL');

/** A base64 data URI of an image. Undefined for any other text. */
export function readImageUri(url: string): { readonly type: string; readonly data: string } | undefined {
  const comma = url.indexOf(',');
  const type = /^data:image\/([a-z0-9.+-]+)(?:;[^;,]*)*;base64$/i.exec(url.slice(0, comma))?.[1];
  const data = url.slice(comma + 1);
  return comma < 0 || type === undefined || !isBase64(data) ? undefined : { type, data };
}

/** An integer of any size: one beyond 2^53 arrives as a bigint. */
export const wideInteger = z.union([z.int(), z.bigint()], 'expected an integer');
