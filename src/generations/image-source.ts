import { z } from 'zod';
import { asWebAddress, webAddressPattern } from '../lib/addresses.ts';
import { base64Pattern, isBase64 } from '../lib/base64.ts';
import { anyCase } from './rule-schemas.ts';
import { type ImageHeader, type ImageType, readImageHeader } from '../lib/image-header.ts';

/** Length of the inline data that is decoded to find the header. The size of an image with a longer header is unknown. */
const maxHeaderChars = 1024 * 1024;

/** MIME types of a data URI, with the image type that the bytes must have. */
const mimeTypes: ReadonlyMap<string, ImageType> = new Map([
  ['image/jpeg', 'jpeg'],
  ['image/jpg', 'jpeg'],
  ['image/png', 'png'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
]);

/** File extensions that identify the type of a file. Other extensions (.php, .html) do not, nor does an absent one. */
const fileExtensions =
  /\.(jpe?g|png|gif|webp|avif|bmp|tiff?|svg|heic|heif|ico|psd|pdf|mp4|mov|webm|mkv|avi|mp3|wav|m4a|ogg|zip)$/;

/** Of the MIME type of a data URI (RFC 2397), such as the name of a file. */
const parameters = '(;[^,;]{0,100}){0,5}';

/**
 * An image in a request: an http(s) address or a base64 data URI. Of these, rejects only sources that are certainly of
 * another type: inline data by MIME type and first bytes, addresses by file extension.
 */
export function imageSource(types: readonly ImageType[]): z.ZodType<string> {
  const check = (source: string, context: z.core.$RefinementCtx<string>): void => {
    const problem = findProblem(source, types);
    if (!problem) return;
    const { message, limit, received } = problem;
    context.addIssue({
      code: 'custom',
      message,
      params: { limit },
      ...(received !== undefined && { input: received }),
    });
  };
  const limit = `http(s) address or base64 data URI of ${types.join(', ')}`;
  const names = [...mimeTypes].flatMap(([name, type]) => (types.includes(type) ? [name] : []));
  const dataUri = `${anyCase('data')}:(${names.map(anyCase).join('|')})${parameters};${anyCase('base64')},${base64Pattern}`;
  // A refinement that adds its own issues has no parameters.
  return z
    .string()
    .superRefine(check)
    .meta({ description: limit, pattern: `${webAddressPattern}|^${dataUri}` });
}

const anyDataHead = new RegExp(
  String.raw`^${anyCase('data:image')}/[\w.+-]{1,100}${parameters};${anyCase('base64')},`,
);

function isAnyDataUri(source: string): boolean {
  const head = anyDataHead.exec(source.slice(0, 1000));
  return head !== null && isBase64(source.slice(head[0].length));
}

/** Like {@link imageSource}, for endpoints whose document names no accepted types. */
export const anyImageSource: z.ZodType<string> = z
  .string()
  .refine((source) => asWebAddress(source) !== undefined || isAnyDataUri(source), {
    error: 'Must be an http(s) address or a base64 data URI of an image.',
    params: {
      limit: 'http(s) address or base64 data URI',
      schema: { pattern: `${webAddressPattern}|${anyDataHead.source}${base64Pattern}` },
      isPart: true,
    },
  });

interface Problem {
  readonly message: string;
  readonly limit: string;
  readonly received?: string;
}

const notAnImage: Problem = {
  message: 'Must be an http(s) address or a base64 data URI.',
  limit: 'http(s) address or base64 data URI',
};

function findProblem(source: string, types: readonly ImageType[]): Problem | undefined {
  const limit = types.join(', ');
  const message = `Must be an image of an accepted type: ${limit}.`;
  const inline = readInline(source);
  if (inline) {
    const type = mimeTypes.get(inline.mimeType);
    if (type === undefined || !types.includes(type)) return { message, limit, received: inline.mimeType };
    const { mimeType, header, data } = inline;
    if (!header || !types.includes(header.type)) {
      const found = header ? `${header.type} bytes` : 'bytes that are not an image';
      return { message, limit, received: `${mimeType} with ${found}` };
    }
    return isBase64(data)
      ? undefined
      : { ...notAnImage, received: `${mimeType} with data that is not base64` };
  }
  if (asWebAddress(source) === undefined) return notAnImage;
  const extension = fileExtensions.exec(new URL(source).pathname.toLowerCase())?.[1];
  const isOther = extension !== undefined && !types.some((type) => type === extension.replace('jpg', 'jpeg'));
  return isOther ? { message, limit, received: `a .${extension} file` } : undefined;
}

/** The image header of inline data. Undefined for an address and for bytes of no known image type. */
export function readInlineHeader(source: string): ImageHeader | undefined {
  return readInline(source)?.header;
}

interface InlineImage {
  readonly mimeType: string;
  readonly header: ImageHeader | undefined;
  readonly data: string;
}

function readInline(source: string): InlineImage | undefined {
  const head = /^data:([^,;]{1,100})(?:;[^,;]{0,100}){0,5};base64,/i.exec(source.slice(0, 1000));
  if (!head) return undefined;
  const data = source.slice(head[0].length);
  const bytes = Buffer.from(data.slice(0, maxHeaderChars), 'base64');
  return { mimeType: (head[1] ?? '').toLowerCase(), header: readImageHeader(bytes), data };
}
