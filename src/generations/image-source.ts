import { z } from 'zod';
import { asWebAddress } from '../lib/addresses.ts';
import { type ImageHeader, type ImageType, readImageHeader } from '../lib/image-header.ts';

/** Of inline data only the beginning is looked at: headers that are larger tell no size. */
const maxHeaderChars = 1024 * 1024;

/** Types of a data URI, and what its bytes must be. */
const mimeTypes: ReadonlyMap<string, ImageType> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
]);

/** Endings of addresses that name a file of a type, whatever serves it. Others (none, .php, .html) tell nothing. */
const fileEndings =
  /\.(jpe?g|png|gif|webp|avif|bmp|tiff?|svg|heic|heif|ico|psd|pdf|mp4|mov|webm|mkv|avi|mp3|wav|m4a|ogg|zip)$/;

/**
 * An image in a request: an http(s) address or a base64 data URI. Refused is what is certainly of no accepted type:
 * inline data by its MIME type and by its own first bytes, an address by the ending of a file of another type.
 */
export function imageSource(types: readonly ImageType[]): z.ZodType<string> {
  return z.string().superRefine((source, context) => {
    const problem = findProblem(source, types);
    if (!problem) return;
    const { message, limit, received } = problem;
    context.addIssue({
      code: 'custom',
      message,
      params: { limit },
      ...(received !== undefined && { input: received }),
    });
  });
}

/** The same where the document names no types. */
export const anyImageSource: z.ZodType<string> = z
  .string()
  .refine(
    (source) =>
      asWebAddress(source) !== undefined ||
      /^data:image\/[\w.+-]{1,100};base64,./i.test(source.slice(0, 200)),
    {
      error: 'Must be an http(s) address or a base64 data URI of an image.',
      params: { limit: 'http(s) address or base64 data URI' },
    },
  );

interface Problem {
  readonly message: string;
  readonly limit: string;
  readonly received?: string;
}

function findProblem(source: string, types: readonly ImageType[]): Problem | undefined {
  const limit = types.join(', ');
  const message = `Must be an image of an accepted type: ${limit}.`;
  const inline = readInline(source);
  if (inline) {
    const type = mimeTypes.get(inline.mimeType);
    if (type === undefined || !types.includes(type)) return { message, limit, received: inline.mimeType };
    if (inline.header && types.includes(inline.header.type)) return undefined;
    const found = inline.header ? `are of type ${inline.header.type}` : 'are not of an image';
    return { message, limit, received: `${inline.mimeType} whose bytes ${found}` };
  }
  if (asWebAddress(source) === undefined) {
    return {
      message: 'Must be an http(s) address or a base64 data URI.',
      limit: 'http(s) address or base64 data URI',
    };
  }
  const ending = fileEndings.exec(new URL(source).pathname.toLowerCase())?.[1];
  const isOther = ending !== undefined && !types.some((type) => type === ending.replace('jpg', 'jpeg'));
  return isOther ? { message, limit, received: `a file .${ending}` } : undefined;
}

/** What inline data says of itself; undefined for an address, and for data whose first bytes are of no known image. */
export function readInlineHeader(source: string): ImageHeader | undefined {
  return readInline(source)?.header;
}

function readInline(
  source: string,
): { readonly mimeType: string; readonly header: ImageHeader | undefined } | undefined {
  const head = /^data:([^,;]{1,100})(?:;[^,;]{0,100}){0,5};base64,/i.exec(source.slice(0, 1000));
  if (!head) return undefined;
  const start = head[0].length;
  const bytes = Buffer.from(source.slice(start, start + maxHeaderChars), 'base64');
  return { mimeType: (head[1] ?? '').toLowerCase(), header: readImageHeader(bytes) };
}
