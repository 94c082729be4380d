import { notFound } from '../http/errors.ts';
import type { Handler } from '../http/routes.ts';
import { createToneWav } from '../media/tone-wav.ts';
import { presetVoices, type PresetVoice } from './catalogue.ts';

/** `GET /assets/voices/{voice}.wav`: the target of a `trial_url`. It needs no credential. */
export const handleVoiceSample: Handler = (exchange) => {
  const file = exchange.req.param('file') ?? '';
  const voice = presetVoices.find(({ id }) => `${id}.wav` === file);
  if (!voice) throw notFound(`${file}: no such voice sample`);
  return exchange.body(createToneWav(toTones(voice)), 200, {
    'content-type': 'audio/wav',
    'cache-control': 'public, max-age=86400',
  });
};

/** A short phrase of four notes that differs from voice to voice. */
function toTones(voice: PresetVoice): readonly { hertz: number; seconds: number }[] {
  const base = { female: 220, male: 110, neutral: 165 }[voice.gender];
  const scale = [0, 2, 4, 7, 9, 12];
  return [0, 1, 2, 3].map((step) => {
    const note = scale[(voice.number * (step + 1) + step) % scale.length] ?? 0;
    return { hertz: base * 2 ** ((note + (voice.number % 12)) / 12), seconds: 0.25 };
  });
}
