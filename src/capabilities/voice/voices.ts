import {
  badCursor,
  checkPageSize,
  type Connection,
  type Count,
  defaultPageSize,
  maxPageSize,
  packCursor,
  toCount,
  unpackCursor,
} from '../../graphql/connection.ts';
import type { Operation } from '../../generations/engine.ts';
import { asIndex, asString } from '../../lib/json.ts';
import { maxPackedChars, unpackId } from '../../lib/ids.ts';
import { once } from '../../lib/once.ts';
import { toError } from '../../lib/thrown.ts';
import {
  hasPlausibleTotal,
  isBeyondSearchLimit,
  type CatalogPosition,
  readFrom,
  startOfCatalog,
  type VoiceBatch,
} from './catalog.ts';
import { findClonedVoice, findClonedVoiceByGatewayId } from './clone-voice.ts';
import { toVoiceSearch, type VoiceFilter, type VoiceSearch } from './voice-filter.ts';
import type { PresetVoice, Voice } from './wire.ts';

export interface VoiceList {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?: VoiceFilter | null | undefined;
}

/** Pages through the preset catalog by cursor, over the gateway's numbered pages. */
export async function listVoices(
  operation: Operation,
  { first, after, filter }: VoiceList,
): Promise<Connection<Voice>> {
  const count = checkPageSize('first', first ?? defaultPageSize);
  const search = toVoiceSearch(filter ?? {});
  // A search or a count reads many voices, so it reads large pages.
  const start = fromCursor(after, search) ?? startOfCatalog(search || count === 0 ? maxPageSize : count);
  const { edges, end } = await collectVoices(operation, { start, count, search });
  return {
    edges,
    pageInfo: {
      hasNextPage: async () => {
        const next = end();
        return (
          next !== undefined &&
          (await collectVoices(operation, { start: next, count: 1, search })).edges.length > 0
        );
      },
      hasPreviousPage: start.offset > 0,
    },
    count: once(() => countVoices(operation, search, end())),
  };
}

/** A class, because a page has many of them and most clients select no cursor. */
class VoiceEdge {
  readonly node: PresetVoice;
  readonly #source: VoiceSource;
  /** The position after the voice is that after this number of voices of the batch. */
  readonly #count: number;

  constructor(node: PresetVoice, source: VoiceSource, count: number) {
    this.node = node;
    this.#source = source;
    this.#count = count;
  }

  get cursor(): string {
    const { batch, search } = this.#source;
    return toCursor(batch.positionAfter(this.#count), search);
  }
}

/** Shared by the edges of a batch. */
interface VoiceSource {
  readonly batch: VoiceBatch;
  readonly search: VoiceSearch | undefined;
}

/** An operation that reads single voices. */
export interface VoiceReads extends Operation {
  /** Searches the catalog, together with the other voices of the operation. */
  readonly findPreset: (voiceId: string) => Promise<PresetVoice | undefined>;
}

/** A preset voice from the catalog, or a voice that this caller cloned here. */
export async function findVoice(reads: VoiceReads, id: string): Promise<Voice | undefined> {
  const [family, voiceId] = unpackId('voice', id) ?? [];
  if (voiceId === undefined) return undefined;
  if (family === 'cloned') return findClonedVoice(reads, { id, voiceId });
  return family === 'preset' ? reads.findPreset(voiceId) : undefined;
}

/** Like `findVoice`. Also accepts the gateway's id of a voice. */
export async function findVoiceByAnyId(reads: VoiceReads, id: string): Promise<Voice | undefined> {
  if (unpackId('voice', id)) return findVoice(reads, id);
  // Each use of the id would be sent to the records.
  if (id.length > maxPackedChars) return undefined;
  return (await findClonedVoiceByGatewayId(reads, id)) ?? reads.findPreset(id);
}

/** The gateway documents no read of one voice, so this searches the catalog, once for different ids. */
export async function findPresetVoices(
  operation: Operation,
  voiceIds: readonly string[],
): Promise<readonly (PresetVoice | Error | undefined)[]> {
  const wanted = new Set(voiceIds);
  const found = new Map<string, PresetVoice>();
  const matches = (voice: PresetVoice): boolean => {
    const isWanted = wanted.delete(voice.voiceId);
    if (isWanted) found.set(voice.voiceId, voice);
    return isWanted;
  };
  const search = { digest: '', isEmpty: false, matches };
  const failure = await collectVoices(operation, {
    start: startOfCatalog(maxPageSize),
    count: wanted.size,
    search,
  }).then(() => undefined, toError);
  return voiceIds.map((id) => found.get(id) ?? failure);
}

interface Collect {
  readonly start: CatalogPosition;
  readonly count: number;
  /** @default every voice, without a limit of the search */
  readonly search: VoiceSearch | undefined;
}

interface Collected {
  readonly edges: readonly VoiceEdge[];
  /** The position of the next voices. Undefined at the end of the list. */
  end(): CatalogPosition | undefined;
}

/** Up to `count` matching voices from a position. */
async function collectVoices(operation: Operation, { start, count, search }: Collect): Promise<Collected> {
  const edges: VoiceEdge[] = [];
  let end = (): CatalogPosition => start;
  while (edges.length < count) {
    const isAtEnd = search && (search.isEmpty || isBeyondSearchLimit(end()));
    const batch = isAtEnd ? undefined : await readFrom(operation, end());
    if (!batch) return { edges, end: () => undefined };
    const source = { batch, search };
    let read = 0;
    for (const voice of batch.voices) {
      if (edges.length === count) break;
      read += 1;
      if (!search || search.matches(voice)) edges.push(new VoiceEdge(voice, source, read));
    }
    end = () => batch.positionAfter(read);
  }
  return { edges, end };
}

/** The length of the list: as the gateway reports it, otherwise counted. */
async function countVoices(
  operation: Operation,
  search: VoiceSearch | undefined,
  known: CatalogPosition | undefined,
): Promise<Count> {
  if (!search && known && hasPlausibleTotal(known)) return toCount(known.total);
  let position = startOfCatalog(maxPageSize);
  for (let count = 0; ;) {
    const batch = search?.isEmpty ? undefined : await readFrom(operation, position);
    if (!batch) return toCount(count);
    if (isBeyondSearchLimit(position)) return { ...toCount(count), isTotalCapped: true };
    const { voices } = batch;
    count += search ? voices.filter((voice) => search.matches(voice)).length : voices.length;
    position = batch.positionAfter(voices.length);
    if (!search && hasPlausibleTotal(position)) return toCount(position.total);
  }
}

function toCursor(
  { pageSize, page, index, offset, earlier }: CatalogPosition,
  search: VoiceSearch | undefined,
): string {
  return packCursor(['voices', search?.digest ?? '', pageSize, page, index, offset, ...earlier]);
}

/** @throws RequestError BAD_REQUEST, also for the cursor of a list with another filter */
function fromCursor(
  cursor: string | null | undefined,
  search: VoiceSearch | undefined,
): CatalogPosition | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const [list, filter, ...members] = unpackCursor(cursor) ?? [];
  const [pageSize, page, index, offset] = members.slice(0, 4).map(asIndex);
  const earlier = members.slice(4).flatMap((digest) => asString(digest) ?? []);
  if (
    list !== 'voices' ||
    filter !== (search?.digest ?? '') ||
    pageSize === undefined ||
    page === undefined ||
    index === undefined ||
    offset === undefined ||
    pageSize < 1 ||
    pageSize > maxPageSize ||
    page < 1
  ) {
    throw badCursor('after');
  }
  return { pageSize, page, index, offset, earlier };
}
