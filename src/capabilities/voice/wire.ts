import type { Asset } from '../../generations/asset.ts';
import { asWebAddress } from '../../lib/addresses.ts';
import { packId } from '../../lib/ids.ts';
import {
  asArray,
  asId,
  asInteger,
  asRecord,
  asString,
  isList,
  isRecord,
  type Json,
  type JsonObject,
} from '../../lib/json.ts';
import { once } from '../../lib/once.ts';
import { digestOf, foldText } from '../../lib/text.ts';
import { findAddresses } from '../../tasks/find-addresses.ts';
import { firstOf } from '../../tasks/task-record.ts';

/** A voice of the preset catalog, or a cloned one, of which only the id is known. */
export interface Voice {
  /** Self-describing: family and upstream id. */
  readonly id: string;
  readonly voiceId: string;
  readonly name?: string | undefined;
  readonly language?: string | undefined;
  readonly gender?: string | undefined;
  readonly provider?: string | undefined;
  readonly previewUrl?: string | undefined;
  readonly raw?: Json | undefined;
}

/** A voice of the catalog. A class, because a page may have thousands, of which clients select few members of some. */
export class PresetVoice implements Voice {
  readonly voiceId: string;
  readonly name: string | undefined;
  readonly raw: Json;
  /** Set by the first search, and shared by the others. */
  folded: FoldedVoice | undefined;
  readonly #entry: JsonObject;

  constructor({ voiceId, name, raw }: Pick<PresetVoice, 'voiceId' | 'name' | 'raw'>, entry: JsonObject) {
    this.voiceId = voiceId;
    this.name = name;
    this.raw = raw;
    this.#entry = entry;
  }

  get id(): string {
    return packId('voice', ['preset', this.voiceId]);
  }

  get language(): string | undefined {
    return asString(this.#entry['language']) ?? asString(this.#entry['voice_language']);
  }

  get gender(): string | undefined {
    return asString(this.#entry['gender']);
  }

  get provider(): string | undefined {
    return asString(this.#entry['owned_by']);
  }

  get previewUrl(): string | undefined {
    return asWebAddress(this.#entry['trial_url']) ?? asWebAddress(this.#entry['preview_url']);
  }
}

interface FoldedVoice {
  readonly language: string | undefined;
  readonly gender: string | undefined;
  /** Name, description, style and tags. */
  readonly text: string;
}

export interface VoicePage {
  readonly voices: readonly PresetVoice[];
  /** Whether the gateway sent no entry at all, not even one without an id. */
  readonly isEmpty: boolean;
  /** Whether it has so many entries that none was read. */
  readonly isTooLong: boolean;
  /** Only when the gateway reports it. */
  readonly total: number | undefined;
  /** Identifies the voices of the page. Equal for a page that the gateway repeats. */
  digest(): string;
  /** Set if the reply has no list under a known name. */
  readonly unknownShape?: UnknownShape | undefined;
  /** The members of the first entry that has any, if no entry could be read. */
  readonly unreadEntry?: readonly string[] | undefined;
}

interface UnknownShape {
  /** The members that the reply has instead. */
  readonly names: readonly string[];
  /** Whether one of them is a list or an object, which may contain voices. */
  readonly isNested: boolean;
}

export const listNames = ['list', 'items', 'records', 'voices', 'rows', 'data'];
/** A gateway that ignores the page size sends its whole catalog. Each entry takes several microseconds. */
export const maxEntries = 50_000;
const totalNames = ['total', 'total_count', 'totalCount'];

/**
 * Reads a page of the catalog. The gateway's document does not show its shape: the voices may be `data` itself, a list
 * inside it, or each the result of a finished task. Entries without an id are skipped, unless none has one.
 */
export function decodeVoicePage(body: Json): VoicePage {
  const data = asRecord(body)?.['data'] ?? body;
  const holder = asRecord(data);
  const entries = isList(data) ? data : findList(holder);
  const total = totalNames
    .map((name) => asInteger(holder?.[name]) ?? asInteger(asRecord(body)?.[name]))
    .find((count) => count !== undefined);
  const all = entries?.flatMap((entry) => findVoicesOfTask(entry) ?? entry) ?? [];
  const isTooLong = all.length > maxEntries;
  const listed = isTooLong ? [] : all;
  const voices = listed.flatMap(decodeEntry);
  return {
    voices,
    isEmpty: !entries?.length,
    isTooLong,
    total,
    digest: once(() => digestOf(voices.map(({ voiceId }) => voiceId))),
    unknownShape: entries || total === 0 ? undefined : describeShape(holder),
    unreadEntry: voices.length > 0 ? undefined : findFirstUnread(listed),
  };
}

/** Undefined without a list. Null under a known name is an empty list. */
function findList(holder: JsonObject | undefined): readonly Json[] | undefined {
  const found = listNames.map((name) => holder?.[name]);
  return found.find((value) => isList(value)) ?? (found.includes(null) ? [] : undefined);
}

function describeShape(holder: JsonObject = {}): UnknownShape {
  const isNested = Object.values(holder).some((value) => typeof value === 'object' && value !== null);
  return { names: Object.keys(holder), isNested };
}

function findFirstUnread(entries: readonly Json[]): readonly string[] | undefined {
  const unread = entries.map((entry) => Object.keys(asRecord(entry) ?? {}));
  return unread.find((names) => names.length > 0) ?? unread[0];
}

function findVoicesOfTask(entry: Json): readonly Json[] | undefined {
  const voices = asRecord(asRecord(entry)?.['task_result'])?.['voices'];
  return isList(voices) ? voices : undefined;
}

/** An id named for voices counts before one of the entry. A name is an id only in an entry without one. */
const idNames = ['voice_id', 'voiceId', 'id', 'speaker_id', 'speakerId', 'voice', 'speaker'];
const voiceNames = ['voice_name', 'voiceName', 'name', 'speaker_name', 'display_name', 'displayName'];

function decodeEntry(entry: Json): readonly PresetVoice[] {
  // Some gateways list only the ids.
  if (typeof entry === 'string') return decodeEntryMembers({ voice_id: entry.trim() }, entry);
  return isRecord(entry) ? decodeEntryMembers(entry, entry) : [];
}

function decodeEntryMembers(entry: JsonObject, raw: Json): readonly PresetVoice[] {
  const name = firstOf(entry, voiceNames, asString);
  const voiceId = firstOf(entry, idNames, asId) ?? asId(name);
  return voiceId === undefined ? [] : [new PresetVoice({ voiceId, name, raw }, entry)];
}

/** The texts of a voice as searches compare them. */
export function foldVoice(voice: PresetVoice): FoldedVoice {
  const { name, language, gender } = voice;
  const entry = asRecord(voice.raw);
  return (voice.folded ??= {
    language: language === undefined ? undefined : foldLanguage(language),
    gender: gender === undefined ? undefined : foldText(gender),
    text: foldText(
      [name ?? voice.voiceId, ...textNames.map((member) => entry?.[member])].flatMap(asTexts).join('\n'),
    ),
  });
}

/** Some gateways separate language and region by `_`. */
export function foldLanguage(language: string): string {
  return foldText(language).replaceAll('_', '-');
}

/** Members that may describe a voice: a text or a list of texts. */
const textNames = ['description', 'desc', 'style', 'styles', 'tags', 'labels'];

function asTexts(value: unknown): readonly string[] {
  return (Array.isArray(value) ? asArray(value) : [value]).flatMap((text) => asString(text) ?? []);
}

/** The sample of a cloned voice. The gateway's document does not show the shape of the reply. */
export function decodePreview(reply: Json): Asset | undefined {
  const names = ['demo_audio', 'demo_audio_url', 'preview_url', 'trial_url', 'audio_url', 'audio', 'url'];
  const [found] = findAddresses(reply, { names, nestedIn: ['audio'] });
  return found && { kind: 'AUDIO', role: 'PREVIEW', isWithoutFile: true, url: found.url };
}
