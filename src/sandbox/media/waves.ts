/** One period of a tone, as samples. Its length is a power of two. */
export type Wave = Float32Array;

const waveLength = 2048;

/** Creates one period of a tone from the strengths of its overtones, starting with the fundamental. */
export function createWave(overtones: readonly number[]): Wave {
  const total = overtones.reduce((sum, strength) => sum + strength, 0);
  return Float32Array.from({ length: waveLength }, (_, at) => {
    const angle = (2 * Math.PI * at) / waveLength;
    return overtones.reduce(
      (sum, strength, index) => sum + (strength / total) * Math.sin(angle * (index + 1)),
      0,
    );
  });
}

export interface Tone {
  readonly wave: Wave;
  readonly sampleRate: number;
  /** Loudness and frequency at a sample of the tone. */
  readonly loudnessAt: (sample: number) => number;
  readonly hertzAt: (sample: number) => number;
}

/** Adds a tone to all of the samples. */
export function addTone(samples: Float32Array, { wave, sampleRate, loudnessAt, hertzAt }: Tone): void {
  let phase = 0;
  for (let at = 0; at < samples.length; at += 1) {
    samples[at] = (samples[at] ?? 0) + loudnessAt(at) * (wave[phase & (waveLength - 1)] ?? 0);
    phase += (hertzAt(at) * waveLength) / sampleRate;
  }
}
