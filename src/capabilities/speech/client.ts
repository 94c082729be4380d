import { withoutAbsent } from '../../generations/request-body.ts';
import { unpackId } from '../../lib/ids.ts';
import type { JsonObject } from '../../lib/json.ts';
import { decimalText, fractionText } from '../../lib/text.ts';
import type { CreateSpeechInput } from './inputs.ts';

export const speechPath = '/ent/v2/audio-tts';

/** Every declared member is text on the wire, including numbers and lists. */
export function toSpeechBody(input: CreateSpeechInput): JsonObject {
  const { voice, pronunciations } = input;
  return withoutAbsent(
    {
      text: input.text,
      // The id of a voice in this API contains the gateway's id.
      voice_setting_voice_id: unpackId('voice', voice.id)?.[1] ?? voice.id,
      voice_setting_speed: toText(voice.speed),
      voice_setting_volume: toText(voice.volume),
      voice_setting_pitch: toText(voice.pitch),
      voice_setting_emotion: voice.emotion,
      pronunciation_dict_tone: pronunciations && JSON.stringify(pronunciations),
      payload: input.payload,
    },
    input.extra,
  );
}

function toText(value: number | null | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  const text = decimalText(value, 6);
  // 0 must not be dropped: it is the normal volume and pitch.
  return text === '0' && value !== 0 ? fractionText(value) : text;
}
