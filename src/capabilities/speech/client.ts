import { withoutAbsent } from '../../generations/request-body.ts';
import type { JsonObject } from '../../lib/json.ts';
import { decimalText, fractionText } from '../../lib/text.ts';
import type { CreateSpeechInput } from './inputs.ts';

export const speechPath = '/ent/v2/audio-tts';

/** Every declared member is text on the wire, including numbers and lists. */
export function toSpeechBody(input: CreateSpeechInput): JsonObject {
  const { pronunciationDictTone: tones } = input;
  return withoutAbsent(
    {
      text: input.text,
      voice_setting_voice_id: input.voiceSettingVoiceId,
      voice_setting_speed: toText(input.voiceSettingSpeed),
      voice_setting_volume: toText(input.voiceSettingVolume),
      voice_setting_pitch: toText(input.voiceSettingPitch),
      voice_setting_emotion: input.voiceSettingEmotion,
      pronunciation_dict_tone: tones && JSON.stringify(tones),
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
