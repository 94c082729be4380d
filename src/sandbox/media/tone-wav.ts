const sampleRate = 16_000;

/** A playable WAV (16-bit PCM, mono) of tones one after the other. */
export function createToneWav(
  tones: readonly { readonly hertz: number; readonly seconds: number }[],
): Uint8Array<ArrayBuffer> {
  const samples = tones.flatMap(({ hertz, seconds }) => {
    const length = Math.round(seconds * sampleRate);
    return Array.from({ length }, (_, sample) => toneAt(hertz, sample, length));
  });
  const dataBytes = samples.length * 2;
  // RIFF, WAVEfmt, 16 bytes of PCM format (one channel, 16 bits), data.
  const header = [
    ...[0x46464952, 36 + dataBytes, 0x45564157, 0x20746d66, 16, 0x1_0001, sampleRate, sampleRate * 2],
    ...[0x10_0002, 0x61746164, dataBytes],
  ];
  const view = new DataView(new ArrayBuffer(header.length * 4 + dataBytes));
  for (const [index, word] of header.entries()) view.setUint32(index * 4, word, true);
  for (const [index, sample] of samples.entries()) {
    view.setInt16(header.length * 4 + index * 2, Math.round(sample * 0x7fff), true);
  }
  return new Uint8Array(view.buffer);
}

/** One sample of a tone with two overtones. It fades in and out, so that tones join without a click. */
function toneAt(hertz: number, sample: number, length: number): number {
  const phase = (2 * Math.PI * hertz * sample) / sampleRate;
  const wave = Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.2 * Math.sin(3 * phase);
  return 0.3 * Math.sin((Math.PI * sample) / length) * wave;
}
