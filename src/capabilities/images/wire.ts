import { decodeUsage } from '../../generations/decode-usage.ts';
import { findErrorCode, readErrorBody, withWords } from '../../gateway/decode-error.ts';
import { contentTypeOf } from '../../generations/content-type.ts';
import type { ImmediateResult } from '../../generations/create-now.ts';
import type {
  ContentFilterResults,
  FailedImage,
  FilterVerdict,
  GeneratedImage,
  ImageSet,
  PromptFilterResults,
} from '../../generations/image-set.ts';
import { asWebAddress, readDataUri } from '../../lib/addresses.ts';
import { base64Digits } from '../../lib/base64.ts';
import { asArray, asBoolean, asIndex, asRecord, asString, isRecord, type Json } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import { toMilliseconds } from '../../lib/time.ts';
import type { GenerationFailure } from '../../store/records.ts';

/** Facts that apply to every image of a reply. Those of one form are from the gateway's document. */
interface ImageFacts {
  readonly resolve?: Resolve;
  /** Of images whose bytes show no other. */
  readonly contentType?: string;
  /** Lifetime of a URL, counted from `created`. */
  readonly urlLifetimeMs?: number;
}

const byResolution: ImageFacts = { contentType: 'image/jpeg', urlLifetimeMs: 24 * 60 * 60 * 1000 };

/** Resolves an address that is relative to the reply. Undefined if it is none. */
export type Resolve = (address: string) => string | undefined;

/** Reads a reply to `byResolution`. */
export function decodeByResolutionReply(reply: Json, resolve: Resolve): ImmediateResult {
  return decodeReply(reply, { ...byResolution, resolve });
}

/** Reads a reply to `byCount`. */
export function decodeByCountReply(reply: Json, resolve: Resolve): ImmediateResult {
  return decodeReply(reply, { resolve });
}

export interface DecodedImages {
  readonly images: readonly GeneratedImage[];
  readonly failures: readonly FailedImage[];
}

/** Reads one image of `byResolution`, or its failure: an item of a reply, or an event of a stream. */
export function decodeByResolutionItem(
  item: unknown,
  {
    index,
    createdAt,
    resolve,
  }: { readonly index: unknown; readonly createdAt: number | undefined; readonly resolve: Resolve },
): DecodedImages {
  return decodeItem(item, { index: asIndex(index), facts: { ...byResolution, resolve }, createdAt });
}

function decodeReply(reply: Json, facts: ImageFacts): ImmediateResult {
  const body = asRecord(reply) ?? {};
  const created = toMilliseconds(body['created']);
  const items = findItems(body).map((item, index) => decodeItem(item, { index, facts, createdAt: created }));
  const images = items.flatMap((item) => item.images);
  const failures = items.flatMap((item) => item.failures);
  const usage = decodeUsage(body['usage']);
  if (images.length === 0) return { usage, error: toFailure(failures, reply) };
  const output: ImageSet = { type: 'image-set', images, failures, created };
  return { output, usage };
}

/** The documented list is `data`. Some gateways send `images`, in `data` or instead of it, or a single image. */
export function findItems({ data, images }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const record = asRecord(data);
  const list = [data, record?.['images'], images].map(asArray).find(({ length }) => length > 0);
  return list ?? (record || typeof data === 'string' ? [data] : []);
}

interface ItemPlace {
  readonly index: number | undefined;
  readonly facts: ImageFacts;
  readonly createdAt: number | undefined;
}

function decodeItem(value: unknown, { index, facts, createdAt }: ItemPlace): DecodedImages {
  const item = typeof value === 'string' ? toImageItem(value) : value;
  const image = decodeImage(item, facts, createdAt);
  if (image) return { images: [{ ...image, index }], failures: [] };
  if (!isRecord(item) || !item['error']) return { images: [], failures: [] };
  const { message, code } = readErrorBody(item);
  const failure: FailedImage = {
    index,
    message: abbreviate(message ?? 'The gateway reports a failure without a reason.', 1000),
    upstreamCode: code && abbreviate(code, 200),
  };
  return { images: [], failures: [failure] };
}

/** Some gateways send a list of texts: each a URL, a data URI or base64. */
function toImageItem(text: string): object {
  const digits = base64Digits(text) ?? '';
  return digits.length >= 64 && !/[_-]/.test(digits) ? { b64_json: text } : { url: text };
}

function decodeImage(
  item: unknown,
  { contentType, urlLifetimeMs, resolve }: ImageFacts,
  createdAt: number | undefined,
): GeneratedImage | undefined {
  if (!isRecord(item)) return undefined;
  const url = asWebAddress(item['url']) ?? resolveRelative(item['url'], resolve);
  const inline = decodeInline(item['b64_json']) ?? readDataUri(item['url']);
  if (url === undefined && inline === undefined) return undefined;
  const isLimited = url !== undefined && createdAt !== undefined && urlLifetimeMs !== undefined;
  return {
    url,
    base64: inline?.base64,
    expiresAt: isLimited ? createdAt + urlLifetimeMs : undefined,
    ...decodeSize(item['size']),
    contentType:
      inline?.contentType ?? contentTypeOf({ kind: 'IMAGE', base64: inline?.base64 }) ?? contentType,
    revisedPrompt: asString(item['revised_prompt']),
    contentFilterResults: decodeContentFilters(item['content_filter_results']),
    promptFilterResults: decodePromptFilters(item['prompt_filter_results']),
  };
}

/** Only paths: other texts may be words. */
function resolveRelative(address: unknown, resolve: Resolve | undefined): string | undefined {
  const isRelative = typeof address === 'string' && /^\.{0,2}\/[^\s\\]{1,2000}$/.test(address);
  return isRelative ? asWebAddress(resolve?.(address)) : undefined;
}

/** Base64 text. Some gateways send a data URI, which also has the MIME type. */
function decodeInline(
  value: unknown,
): { readonly base64: string; readonly contentType?: string | undefined } | undefined {
  const base64 = asString(value);
  return base64 ? (readDataUri(base64) ?? { base64 }) : undefined;
}

/** `<width>x<height>`. Some gateways add it to images of `byResolution`. */
function decodeSize(value: unknown): Pick<GeneratedImage, 'width' | 'height'> {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(asString(value) ?? '') ?? [];
  return width === undefined ? {} : { width: Number(width), height: Number(height) };
}

function decodeContentFilters(value: unknown): ContentFilterResults | undefined {
  const results = asRecord(value);
  return (
    results && {
      hate: decodeVerdict(results['hate']),
      selfHarm: decodeVerdict(results['self_harm']),
      sexual: decodeVerdict(results['sexual']),
      violence: decodeVerdict(results['violence']),
    }
  );
}

function decodePromptFilters(value: unknown): PromptFilterResults | undefined {
  const profanity = asRecord(asRecord(value)?.['profanity']);
  const results = decodeContentFilters(value);
  return (
    results && {
      ...results,
      profanity: profanity && {
        detected: asBoolean(profanity['detected']),
        filtered: asBoolean(profanity['filtered']),
      },
    }
  );
}

function decodeVerdict(value: unknown): FilterVerdict | undefined {
  const verdict = asRecord(value);
  return verdict && { filtered: asBoolean(verdict['filtered']), severity: asString(verdict['severity']) };
}

/** The failure of a reply without images. Uses the message of the first failed image, or what the reply says. */
export function toFailure([failed]: readonly FailedImage[], reply: Json | undefined): GenerationFailure {
  return {
    code: 'GATEWAY_ERROR',
    message: failed?.message ?? withWords('The gateway replied without an image.', reply),
    upstreamCode: failed?.upstreamCode ?? findErrorCode([asRecord(reply)]),
  };
}
