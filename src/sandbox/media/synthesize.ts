import { instruments } from './instruments.data.ts';
import type { Note, Score } from './song-score.ts';
import { addTone, createWave } from './waves.ts';

/** Samples per second of every song. */
export const songSampleRate = 32_000;

export interface Playing {
  /** 1 as composed. */
  readonly tempo: number;
  /** Ratio of frequencies; 1 as composed. */
  readonly pitch: number;
  readonly seconds: number;
}

/** Plays a score: mono, from -1 to 1. */
export function synthesize(score: Score, { tempo, pitch, seconds }: Playing): Float32Array {
  const samples = new Float32Array(Math.round(seconds * songSampleRate));
  const samplesPerBeat = (60 / score.beatsPerMinute / tempo) * songSampleRate;
  const play = {
    lead: createInstrument('lead', pitch),
    singer: createInstrument('singer', pitch),
    pad: createInstrument('pad', pitch),
    bass: createInstrument('bass', pitch),
    kick: createDrum(0.22, (time) => Math.sin(2 * Math.PI * (48 * time - 6 * Math.exp(-30 * time)))),
    snare: createDrum(0.16, (time, noise) => 0.6 * noise + 0.4 * Math.sin(2 * Math.PI * 185 * time)),
    hat: createDrum(0.05, (_time, noise, lastNoise) => 0.5 * (noise - lastNoise)),
  };
  for (const note of score.notes) {
    const rest = samples.subarray(Math.round(note.at * samplesPerBeat));
    play[note.voice](rest, note, note.beats * samplesPerBeat);
  }
  const echo = Math.round(samplesPerBeat * 0.75);
  for (let at = echo; at < samples.length; at += 1) {
    samples[at] = (samples[at] ?? 0) + 0.22 * (samples[at - echo] ?? 0);
  }
  level(samples);
  return samples;
}

/** Adds a note to the start of the samples. Its length is in samples. */
type Play = (samples: Float32Array, note: Note, length: number) => void;

function createInstrument(name: keyof typeof instruments, pitch: number): Play {
  const { overtones, attack, release, decay, vibrato } = instruments[name];
  const wave = createWave(overtones);
  return (samples, note, length) => {
    const hertz = pitch * 440 * 2 ** ((note.pitch - 69) / 12);
    const end = length / songSampleRate + release;
    addTone(samples.subarray(0, Math.ceil(end * songSampleRate)), {
      wave,
      sampleRate: songSampleRate,
      loudnessAt: (sample) => {
        const time = sample / songSampleRate;
        return note.loudness * decay ** time * Math.min(1, time / attack, (end - time) / release);
      },
      hertzAt: (sample) => hertz * (1 + vibrato * Math.sin((sample * 2 * Math.PI * 5.5) / songSampleRate)),
    });
  };
}

/** A drum whose sound depends on time and noise. */
function createDrum(
  seconds: number,
  toSound: (time: number, noise: number, lastNoise: number) => number,
): Play {
  return (samples, { loudness }) => {
    const length = Math.min(Math.round(seconds * songSampleRate), samples.length);
    let state = 12_345;
    let lastNoise = 0;
    for (let at = 0; at < length; at += 1) {
      // A linear congruential generator is noise enough for a drum.
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      const noise = state / 2_147_483_648;
      const fade = (1 - at / length) ** 2;
      samples[at] = (samples[at] ?? 0) + loudness * fade * toSound(at / songSampleRate, noise, lastNoise);
      lastNoise = noise;
    }
  };
}

/** Raises the loudest sample to just below the limit and fades out the last half second. */
function level(samples: Float32Array): void {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0.001);
  const fadeLength = Math.min(samples.length, songSampleRate / 2);
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = ((samples[at] ?? 0) * 0.89 * Math.min(1, (samples.length - at) / fadeLength)) / peak;
  }
}
