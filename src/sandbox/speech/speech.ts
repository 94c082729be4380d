import { codePoints } from '../../lib/text.ts';
import { invalidRequest } from '../http/errors.ts';
import { decodeStrictly } from '../http/validate.ts';
import type { SpeechRecipe } from '../media/recipes.ts';
import { measureSpeech } from '../media/speech-sounds.ts';
import { createUuid } from '../tasks/ids.ts';
import { commonWords } from '../tasks/read-task.ts';
import { createTaskFamily } from '../tasks/task-family.ts';
import { toTimestamp } from '../tasks/timeline.ts';
import { getKnownVoices } from '../voices/known-voices.ts';
import { speechRequest } from './requests.ts';

const unitsPerCharacter = 50;
const charactersPerCredit = 100;
/** The one model of this family, by its name in records. */
const modelName = 'audio-tts';

interface SpeechWork {
  readonly text: string;
  readonly durationSeconds: number;
  readonly seed: number;
  readonly credits: number;
  /** Path of the audio. */
  readonly audio: string;
}

const speeches = createTaskFamily<SpeechWork, string>({
  noun: 'task',
  words: { ...commonWords, queued: 'created', running: 'processing', succeeded: 'succeeded' },
  toRecord: ({ id, work, createdAtMs, status, hasResult, hasFailed, mediaOrigin }) => ({
    task_id: id,
    state: status,
    model: modelName,
    prompt: work.text,
    duration: work.durationSeconds,
    seed: work.seed,
    created_at: toTimestamp(createdAtMs),
    credits: work.credits,
    ...(hasResult && { audio_url: mediaOrigin + work.audio }),
    ...(hasFailed && { error: 'The speech could not be synthesized: the model lost its voice' }),
  }),
});

/** `POST /ent/v2/audio-tts` */
export const createSpeech = speeches.create((body, { services, token }) => {
  const request = decodeStrictly(speechRequest, body);
  const { voice_setting_voice_id: voiceId } = request;
  const { text, parts } = request.text;
  const voice = getKnownVoices(services).find(token, voiceId);
  if (!voice) throw invalidRequest(`voice_setting_voice_id: there is no voice ${voiceId}`);
  const characters = Math.max(1, codePoints(text));
  return {
    models: [modelName],
    units: characters * unitsPerCharacter,
    texts: [text],
    plan: () => {
      const recipe: SpeechRecipe = {
        kind: 'speech',
        parts,
        hertz: voice.hertz * 2 ** (request.voice_setting_pitch / 12),
        speed: request.voice_setting_speed,
        loudness: request.voice_setting_volume / 10,
        emotion: request.voice_setting_emotion,
        isMarked: false,
      };
      const work = {
        text,
        durationSeconds: Math.ceil(measureSpeech(recipe)),
        seed: Math.floor(services.random() * 2 ** 31),
        credits: Math.ceil(characters / charactersPerCredit),
        audio: services.media.publish(recipe),
      };
      return { id: createUuid(services.random), sizeBytes: text.length, work };
    },
  };
});

/** `GET /ent/v2/tasks/{task_id}`: the gateway documents no read of speeches. */
export const readSpeech = speeches.read();
