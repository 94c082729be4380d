import type { Note, Score, Voice } from './song-score.ts';

/** Samples per second of every song. */
export const songSampleRate = 32_000;

export interface Playing {
  /** How much faster than composed. */
  readonly tempo: number;
  /** As a ratio of frequencies. */
  readonly pitch: number;
  readonly seconds: number;
}

/** Plays a score: mono, from -1 to 1. */
export function synthesize(score: Score, { tempo, pitch, seconds }: Playing): Float32Array {
  const samples = new Float32Array(Math.round(seconds * songSampleRate));
  const secondsPerBeat = 60 / score.beatsPerMinute / tempo;
  for (const note of score.notes) {
    const from = Math.round(note.at * secondsPerBeat * songSampleRate);
    const length = Math.round(note.beats * secondsPerBeat * songSampleRate);
    if (isDrum(note.voice)) addHit(samples, note, from);
    else addTone(samples, note, { from, length, hertz: pitch * 440 * 2 ** ((note.pitch - 69) / 12) });
  }
  addEcho(samples, Math.round(secondsPerBeat * 0.75 * songSampleRate));
  level(samples);
  return samples;
}

/** Strength of each overtone, the ground tone first. */
const timbres: Readonly<Record<'lead' | 'singer' | 'pad' | 'bass', readonly number[]>> = {
  lead: [1, 0.35, 0.12, 0.18, 0.04],
  // The vowel "ah" in outline.
  singer: [0.8, 0.9, 0.7, 0.35, 0.12, 0.08],
  pad: [1, 0.25, 0.3, 0.1],
  bass: [1, 0.6, 0.25, 0.1],
};

interface Envelope {
  readonly attack: number;
  readonly release: number;
  /** Part that is left after each second. */
  readonly decay: number;
}

const envelopes: Readonly<Record<keyof typeof timbres, Envelope>> = {
  lead: { attack: 0.005, release: 0.25, decay: 0.12 },
  singer: { attack: 0.06, release: 0.12, decay: 0.8 },
  pad: { attack: 0.15, release: 0.4, decay: 0.7 },
  bass: { attack: 0.008, release: 0.06, decay: 0.3 },
};

const tableSize = 2048;
const tables = new Map<string, Float32Array>();

/** One period of a timbre, without the overtones that the sample rate cannot carry. */
function getTable(voice: keyof typeof timbres, hertz: number): Float32Array {
  const overtones = timbres[voice].filter((_, index) => hertz * (index + 1) < songSampleRate * 0.45);
  const name = `${voice} ${overtones.length}`;
  const known = tables.get(name);
  if (known) return known;
  const total = timbres[voice].reduce((sum, strength) => sum + strength, 0);
  const table = Float32Array.from({ length: tableSize }, (_, at) =>
    overtones.reduce(
      (sum, strength, index) =>
        sum + (strength / total) * Math.sin((2 * Math.PI * at * (index + 1)) / tableSize),
      0,
    ),
  );
  tables.set(name, table);
  return table;
}

function addTone(
  samples: Float32Array,
  note: Note,
  { from, length, hertz }: { readonly from: number; readonly length: number; readonly hertz: number },
): void {
  const voice = toTimbre(note.voice);
  const { attack, release, decay } = envelopes[voice];
  const table = getTable(voice, hertz);
  const attackLength = Math.max(1, attack * songSampleRate);
  const releaseLength = release * songSampleRate;
  const until = Math.min(samples.length, Math.ceil(from + length + releaseLength));
  const decayPerSample = decay ** (1 / songSampleRate);
  const vibrato = voice === 'singer' ? 0.006 : 0;
  const step = (hertz * tableSize) / songSampleRate;
  let fade = note.loudness;
  let phase = 0;
  for (let at = from; at < until; at += 1) {
    const age = at - from;
    const rise = age < attackLength ? age / attackLength : 1;
    const rest = age > length ? Math.max(0, 1 - (age - length) / releaseLength) : 1;
    samples[at] = (samples[at] ?? 0) + fade * rise * rest * (table[phase & (tableSize - 1)] ?? 0);
    fade *= decayPerSample;
    phase += step * (1 + vibrato * Math.sin((age * 2 * Math.PI * 5.5) / songSampleRate));
  }
}

/** A drum: a falling tone, noise, or both. */
function addHit(samples: Float32Array, { voice, loudness }: Note, from: number): void {
  const seconds = voice === 'kick' ? 0.22 : voice === 'snare' ? 0.16 : 0.05;
  const length = Math.min(Math.round(seconds * songSampleRate), samples.length - from);
  let noise = 12_345;
  let before = 0;
  for (let age = 0; age < length; age += 1) {
    const time = age / songSampleRate;
    // A linear congruential generator is noise enough for a drum.
    noise = (Math.imul(noise, 1_664_525) + 1_013_904_223) | 0;
    const hiss = noise / 2_147_483_648;
    const fade = (1 - age / length) ** 2;
    const tone = Math.sin(
      2 * Math.PI * (voice === 'kick' ? 48 * time - 6 * Math.exp(-30 * time) : 185 * time),
    );
    const bright = hiss - before;
    before = hiss;
    const sound = voice === 'kick' ? tone : voice === 'snare' ? 0.6 * hiss + 0.4 * tone : 0.5 * bright;
    samples[from + age] = (samples[from + age] ?? 0) + loudness * fade * sound;
  }
}

function addEcho(samples: Float32Array, delay: number): void {
  for (let at = delay; at < samples.length; at += 1) {
    samples[at] = (samples[at] ?? 0) + 0.22 * (samples[at - delay] ?? 0);
  }
}

/** Brings the loudest moment just below the limit, and the end to silence. */
function level(samples: Float32Array): void {
  let peak = 0.001;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const gain = 0.89 / peak;
  const fadeLength = Math.min(samples.length, songSampleRate / 2);
  for (let at = 0; at < samples.length; at += 1) {
    const left = samples.length - at;
    samples[at] = (samples[at] ?? 0) * gain * (left < fadeLength ? left / fadeLength : 1);
  }
}

function isDrum(voice: Voice): boolean {
  return voice === 'kick' || voice === 'snare' || voice === 'hat';
}

function toTimbre(voice: Voice): keyof typeof timbres {
  return voice === 'singer' || voice === 'pad' || voice === 'bass' ? voice : 'lead';
}
