import { GatewayError } from '../../errors.ts';
import { hasFailureCode } from '../../gateway/decode-error.ts';
import { toBody, type WireNames } from '../../generations/wire-names.ts';
import { createLastReply, type KnownReply } from '../../gateway/known-reply.ts';
import type { Engine, Operation } from '../../generations/engine.ts';
import type { Json, JsonObject } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';
import type { CloneVoiceInput } from './inputs.ts';
import { decodePreview, decodeVoicePage, listNames, maxEntries, type VoicePage } from './wire.ts';

const path = '/videoa/v1/general/presets-voices';

type PageOperation = Operation<Pick<Engine, 'pages' | 'gateway'>>;

/** GET /videoa/v1/general/presets-voices, through a short-lived cache per owner. Concurrent callers share one request. */
export async function readVoicePage(operation: PageOperation, page: PageNumber): Promise<VoicePage> {
  const { engine, caller } = operation;
  const { pages } = engine;
  const key = `voices:${caller.owner}:${page.size}:${page.number}`;
  const cached = pages.get(key);
  // Only this capability uses keys of this form.
  if (cached) return (await cached) as VoicePage;
  const read = fetchPage(operation, page);
  pages.set(key, read, { size: 1 + page.size });
  try {
    const found = await read;
    const count = found.voices.length;
    // A new promise, because the cache ignores the size of an equal value.
    if (count !== page.size && pages.peek(key) === read)
      pages.set(key, Promise.resolve(found), { size: 1 + count, noUpdateTTL: true });
    return found;
  } catch (error) {
    // Failures are not cached.
    pages.delete(key);
    throw error;
  }
}

interface PageNumber {
  readonly number: number;
  readonly size: number;
}

async function fetchPage({ engine, caller, requestId }: PageOperation, page: PageNumber): Promise<VoicePage> {
  const { number, size } = page;
  const request = { path, query: { pageNum: number, pageSize: size }, caller, requestId };
  const decode = (body: Json): VoicePage => requireList(decodeVoicePage(body), number);
  if (number > 1) return decode(await engine.gateway.read(request));
  const last = await findLastPage(engine, size);
  const body = await engine.gateway.read({ ...request, lastReply: last.reply, isRefusal: refusesCatalog });
  if (last.decoded?.body !== body) last.decoded = { body, page: decode(body) };
  return last.decoded.page;
}

/** Whether the reply for the first page is a refusal. A catalog with voices is none, whatever its code. */
function refusesCatalog(body: Json): boolean {
  return hasFailureCode(body) && decodeVoicePage(body).isEmpty;
}

/** The last reply for the first page. Most gateways have one catalog, so callers share one decoded page. */
interface LastPage {
  readonly reply: KnownReply;
  decoded?: { readonly body: Json; readonly page: VoicePage };
}

/** Size of a last page in the cache. The limit of its text is the same for every page size. */
const lastPageSize = 100;

function findLastPage({ pages }: Pick<Engine, 'pages'>, pageSize: number): Promise<LastPage> {
  const key = `first-voices:${pageSize}`;
  // Only this function uses keys of this form.
  const known = pages.get(key) as Promise<LastPage> | undefined;
  if (known) return known;
  const last = Promise.resolve({ reply: createLastReply() });
  pages.set(key, last, { size: lastPageSize });
  return last;
}

/** @throws GatewayError if the voices or their ids are under an unknown name, or too many, because the catalog would look empty */
function requireList(page: VoicePage, number: number): VoicePage {
  const { unknownShape, unreadEntry, isTooLong } = page;
  if (isTooLong) throw unknownFormat(`one page has more than ${maxEntries} entries`);
  // After the last page, a gateway may send empty entries.
  if (unreadEntry && (number === 1 || unreadEntry.length > 0))
    throw unknownFormat(`no entry has an id; the first one ${describeMembers(unreadEntry)}`);
  // After the last page, a gateway may leave out the list.
  if (!unknownShape || (number > 1 && !unknownShape.isNested)) return page;
  throw unknownFormat(
    `it ${describeMembers(unknownShape.names)}, but none of ${listNames.join(', ')} is a list`,
  );
}

function describeMembers(names: readonly string[]): string {
  return names.length > 0 ? `has the members ${abbreviate(names.join(', '), 200)}` : 'has no members';
}

function unknownFormat(problem: string): GatewayError {
  return new GatewayError(
    `The gateway's list of voices has an unknown format: ${problem}. Report this to the operator.`,
    { retry: 'NEVER' },
  );
}

export const cloneVoiceNames: WireNames<CloneVoiceInput> = {
  fileId: 'file_id',
  voiceId: 'voice_id',
  sample: 'clone_prompt',
  previewText: 'text',
  previewModel: 'model',
  language: 'language_boost',
  reduceNoise: 'need_noise_reduction',
  normalizeVolume: 'need_volume_normalization',
  watermark: 'aigc_watermark',
};

function toCloneBody(input: CloneVoiceInput): JsonObject {
  const { sample } = input;
  return toBody(cloneVoiceNames, input, {
    clone_prompt: sample && { prompt_audio: sample.fileId, prompt_text: sample.transcript },
  });
}

/** POST /speecha/v1/voice_clone. */
export const cloneRequest = {
  path: '/speecha/v1/voice_clone',
  isAccepted: (reply: Json) => decodePreview(reply) !== undefined,
  toBody: toCloneBody,
} as const;
