import {
  badCursor,
  checkPageSize,
  type Connection,
  defaultPageSize,
  maxPageSize,
  packCursor,
  unpackCursor,
} from '../../graphql/connection.ts';
import type { Operation } from '../../generations/engine.ts';
import { packId, unpackId } from '../../lib/ids.ts';
import { readVoicePage } from './client.ts';
import { findClonedVoice } from './clone-voice.ts';
import type { Voice, VoicePage } from './wire.ts';

/** A position in the catalog. It keeps its page size, since pages of another size begin at other offsets. */
interface Place {
  readonly pageSize: number;
  /** The number of voices before it. */
  readonly offset: number;
}

/** Pages through the preset catalog by cursor, over the gateway's numbered pages. */
export async function listVoices(
  operation: Operation,
  first: number | null | undefined,
  after: string | null | undefined,
): Promise<Connection<Voice>> {
  const count = checkPageSize('first', first ?? defaultPageSize);
  const start = fromCursor(after) ?? { pageSize: Math.max(1, count), offset: 0 };
  const { pageSize, offset } = start;
  const edges: { cursor: string; node: Voice }[] = [];
  let isLast = false;
  for (let position = offset; edges.length < count && !isLast;) {
    const page = await readPageAt(operation, { pageSize, offset: position });
    const found = page.voices.slice(position % pageSize, (position % pageSize) + count - edges.length);
    for (const voice of found) {
      position += 1;
      edges.push({ cursor: packCursor(['voices', pageSize, position]), node: toVoice(voice) });
    }
    isLast = page.voices.length < pageSize || found.length === 0;
  }
  const end = { pageSize, offset: offset + edges.length };
  return {
    edges,
    pageInfo: {
      hasNextPage: () => hasVoiceAt(operation, end),
      hasPreviousPage: offset > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** A preset voice from the catalog, or a voice that this caller cloned here. */
export async function findVoice(operation: Operation, id: string): Promise<Voice | undefined> {
  const [family, voiceId] = unpackId('voice', id) ?? [];
  if (voiceId === undefined) return undefined;
  if (family === 'cloned') return findClonedVoice(operation, { id, voiceId });
  return family === 'preset' ? findPresetVoice(operation, voiceId) : undefined;
}

/** The gateway documents no read of one voice. Search the catalog page by page, through the cache. */
async function findPresetVoice(operation: Operation, voiceId: string): Promise<Voice | undefined> {
  let firstSeen: string | undefined;
  // Stop at the first empty page, not at the first short one: a gateway may send fewer voices than requested. A gateway
  // that ignores the page number sends the same page again.
  for (let number = 1; number <= maxPagesSearched; number += 1) {
    const { voices } = await readVoicePage(operation, { number, size: maxPageSize });
    const voice = voices.find((candidate) => candidate.voiceId === voiceId);
    if (voice) return toVoice(voice);
    const first = voices[0]?.voiceId;
    if (first === undefined || first === firstSeen) return undefined;
    firstSeen = first;
  }
  return undefined;
}

/** A bound on the search, beyond any real catalog. */
const maxPagesSearched = 50;

function toVoice(voice: Omit<Voice, 'id'>): Voice {
  return { ...voice, id: packId('voice', ['preset', voice.voiceId]) };
}

function readPageAt(operation: Operation, { pageSize, offset }: Place): Promise<VoicePage> {
  return readVoicePage(operation, { number: Math.floor(offset / pageSize) + 1, size: pageSize });
}

/** Whether the list has a voice at this position. A full page does not show whether another page follows, so read it. */
async function hasVoiceAt(operation: Operation, place: Place): Promise<boolean> {
  const page = await readPageAt(operation, place);
  return page.total === undefined
    ? page.voices.length > place.offset % place.pageSize
    : page.total > place.offset;
}

function fromCursor(cursor: string | null | undefined): Place | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const [list, pageSize, offset] = unpackCursor(cursor, 'after');
  const isPlace = list === 'voices' && Number.isSafeInteger(pageSize) && Number.isSafeInteger(offset);
  if (
    !isPlace ||
    typeof pageSize !== 'number' ||
    typeof offset !== 'number' ||
    pageSize < 1 ||
    pageSize > maxPageSize ||
    offset < 0
  ) {
    throw badCursor('after');
  }
  return { pageSize, offset };
}
