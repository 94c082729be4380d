import { Refusal } from '../http/errors.ts';
import type { Handler } from '../http/routes.ts';
import { createToneWav } from '../media/tone-wav.ts';
import { presetVoices, type PresetVoice } from './catalogue.ts';

/** `GET /assets/voices/{voice}.wav`: what a `trial_url` points to; like any public file it needs no credential. */
export const handleVoiceSample: Handler = (exchange) => {
  const file = exchange.req.param('file') ?? '';
  const voice = presetVoices.find(({ id }) => `${id}.wav` === file);
  if (!voice) {
    throw new Refusal({
      status: 404,
      code: 'not_found',
      type: 'invalid_request_error',
      message: `${file}: no such voice sample`,
    });
  }
  return exchange.body(createToneWav(toTones(voice)), 200, {
    'content-type': 'audio/wav',
    'cache-control': 'public, max-age=86400',
  });
};

/** A little rising and falling phrase, higher or lower and of other steps for each voice. */
function toTones(voice: PresetVoice): readonly { hertz: number; seconds: number }[] {
  const base = voice.gender === 'female' ? 220 : voice.gender === 'male' ? 110 : 165;
  const scale = [0, 2, 4, 7, 9, 12];
  return [0, 1, 2, 3].map((step) => {
    const note = scale[(voice.number * (step + 1) + step) % scale.length] ?? 0;
    const shift = voice.number % 12;
    return { hertz: base * 2 ** ((note + shift) / 12), seconds: 0.25 };
  });
}
