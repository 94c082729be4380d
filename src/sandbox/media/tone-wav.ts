const sampleRate = 16_000;
/** PCM with one channel of 16 bits. The lengths and the sample rate are filled in. */
const header = 'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0';

/** A playable WAV (16-bit PCM, mono) of tones one after the other. */
export function createToneWav(
  tones: readonly { readonly hertz: number; readonly seconds: number }[],
): Uint8Array<ArrayBuffer> {
  const samples = tones.flatMap(({ hertz, seconds }) => {
    const length = Math.round(seconds * sampleRate);
    return Array.from({ length }, (_, sample) => toneAt(hertz, sample, length));
  });
  const dataBytes = samples.length * 2;
  const bytes = Buffer.alloc(header.length + dataBytes);
  bytes.write(header, 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt32LE(dataBytes, 40);
  for (const [index, sample] of samples.entries()) {
    bytes.writeInt16LE(Math.round(sample * 0x7fff), header.length + index * 2);
  }
  return bytes;
}

/** One sample of a tone with two overtones. It fades in and out, so that tones join without a click. */
function toneAt(hertz: number, sample: number, length: number): number {
  const phase = (2 * Math.PI * hertz * sample) / sampleRate;
  const wave = Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.2 * Math.sin(3 * phase);
  return 0.3 * Math.sin((Math.PI * sample) / length) * wave;
}
