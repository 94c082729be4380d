import type { Asset } from '../../generations/asset.ts';
import { asWebAddress } from '../../lib/addresses.ts';
import { asArray, asId, asInteger, asRecord, asString, isRecord, type Json } from '../../lib/json.ts';
import { findAddresses } from '../../tasks/find-addresses.ts';

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

export interface VoicePage {
  readonly voices: readonly Omit<Voice, 'id'>[];
  /** Only when the gateway reports it. */
  readonly total: number | undefined;
}

const listNames = ['list', 'items', 'records', 'voices', 'rows', 'data'];
const totalNames = ['total', 'total_count', 'totalCount'];

/**
 * Reads a page of the catalog. The gateway's document does not show its shape: the voices may be `data` itself, a list
 * inside it, or each the result of a finished task. Entries without an id are skipped.
 */
export function decodeVoicePage(body: Json): VoicePage {
  const data = asRecord(body)?.['data'] ?? body;
  const holder = asRecord(data);
  const entries = Array.isArray(data) ? asArray(data) : firstList(holder);
  const total = totalNames
    .map((name) => asInteger(holder?.[name]) ?? asInteger(asRecord(body)?.[name]))
    .find((count) => count !== undefined);
  return { voices: entries.flatMap(decodeEntry), total };
}

function firstList(holder: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  return listNames.map((name) => holder?.[name]).find(Array.isArray) ?? [];
}

function decodeEntry(entry: unknown): readonly Omit<Voice, 'id'>[] {
  if (!isRecord(entry)) return [];
  const inResult = asRecord(entry['task_result'])?.['voices'];
  if (Array.isArray(inResult)) return inResult.flatMap(decodeEntry);
  const voiceId = asId(entry['voice_id']) ?? asId(entry['id']);
  if (voiceId === undefined) return [];
  return [
    {
      voiceId,
      name: asString(entry['voice_name']) ?? asString(entry['name']),
      language: asString(entry['language']) ?? asString(entry['voice_language']),
      gender: asString(entry['gender']),
      provider: asString(entry['owned_by']),
      previewUrl: asWebAddress(entry['trial_url']) ?? asWebAddress(entry['preview_url']),
      // It was parsed from JSON.
      raw: entry as Json,
    },
  ];
}

/** The sample of a cloned voice. The gateway's document does not show the shape of the reply. */
export function decodePreview(reply: Json): Asset | undefined {
  const names = ['demo_audio', 'demo_audio_url', 'preview_url', 'trial_url', 'audio_url', 'audio', 'url'];
  const [found] = findAddresses(reply, { names, within: ['audio'] });
  return found && { kind: 'AUDIO', url: found.url };
}
