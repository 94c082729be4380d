import { codePoints } from '../../lib/text.ts';
import { requireBearerKey } from '../access/credentials.ts';
import { invalidRequest } from '../http/errors.ts';
import { getJsonBody, type Handler } from '../http/routes.ts';
import { decodeStrictly } from '../http/validate.ts';
import type { SpeechRecipe } from '../media/recipes.ts';
import { measureSpeech } from '../media/speech-sounds.ts';
import { beginTask } from '../tasks/begin-task.ts';
import { createUuid } from '../tasks/ids.ts';
import { getKnownVoices, type KnownVoice } from '../voices/known-voices.ts';
import { parsePauses } from './pauses.ts';
import { speechRequest, type SpeechRequest } from './requests.ts';
import { getSpeeches, modelName, toFirstRecord } from './speech.ts';

/** Quota units of one character. */
const unitsPerCharacter = 50;
const charactersPerCredit = 100;

/** `POST /ent/v2/audio-tts` */
export const handleSpeech: Handler = (exchange, services) => {
  const token = requireBearerKey(exchange, services);
  const request = decodeStrictly(speechRequest, getJsonBody(exchange));
  const voiceId = request.voice_setting_voice_id;
  const voice = getKnownVoices(services).find(token, voiceId);
  if (!voice) throw invalidRequest(`voice_setting_voice_id: there is no voice ${voiceId}`);

  const characters = Math.max(1, codePoints(request.text));
  return beginTask({
    exchange,
    services,
    token,
    models: [modelName],
    units: characters * unitsPerCharacter,
    texts: [request.text],
    tasks: getSpeeches(services),
    plan: () => {
      const recipe = planSpeech(request, voice);
      return {
        id: createUuid(services.random),
        sizeBytes: request.text.length,
        work: {
          text: request.text,
          durationSeconds: Math.ceil(measureSpeech(recipe)),
          seed: Math.floor(services.random() * 2 ** 31),
          credits: Math.ceil(characters / charactersPerCredit),
          audio: services.media.publish(recipe),
        },
      };
    },
    toReply: toFirstRecord,
  });
};

function planSpeech(request: SpeechRequest, { hertz }: KnownVoice): SpeechRecipe {
  const parsed = parsePauses(request.text);
  return {
    kind: 'speech',
    parts: 'parts' in parsed ? parsed.parts : [request.text],
    hertz: hertz * 2 ** (request.voice_setting_pitch / 12),
    speed: request.voice_setting_speed,
    loudness: request.voice_setting_volume / 10,
    emotion: request.voice_setting_emotion ?? 'calm',
    isMarked: false,
  };
}
