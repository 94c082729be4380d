/** Samples per second of every WAV that is made here. */
export const sampleRate = 16_000;

/** A playable WAV (16-bit PCM, mono) of tones one after the other. */
export function createToneWav(
  tones: readonly { readonly hertz: number; readonly seconds: number }[],
): Uint8Array<ArrayBuffer> {
  const lengths = tones.map(({ seconds }) => Math.round(seconds * sampleRate));
  const sampleCount = lengths.reduce((sum, length) => sum + length, 0);
  const bytes = new Uint8Array(new ArrayBuffer(44 + sampleCount * 2));
  const view = new DataView(bytes.buffer);
  writeHeader(view, sampleCount * 2);
  let at = 44;
  for (const [index, { hertz }] of tones.entries()) {
    const length = lengths[index] ?? 0;
    for (let sample = 0; sample < length; sample += 1) {
      view.setInt16(at, Math.round(toneAt(hertz, sample, length) * 0x7fff), true);
      at += 2;
    }
  }
  return bytes;
}

/** One sample of a tone with two overtones; it swells and fades so that tones join without a click. */
function toneAt(hertz: number, sample: number, length: number): number {
  const phase = (2 * Math.PI * hertz * sample) / sampleRate;
  const envelope = Math.sin((Math.PI * sample) / length);
  const wave = Math.sin(phase) + 0.4 * Math.sin(2 * phase) + 0.2 * Math.sin(3 * phase);
  return 0.3 * envelope * wave;
}

function writeHeader(view: DataView, dataBytes: number): void {
  const writeText = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index += 1) view.setUint8(at + index, text.charCodeAt(index));
  };
  writeText(0, 'RIFF');
  view.setUint32(4, 36 + dataBytes, true);
  writeText(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  writeText(36, 'data');
  view.setUint32(40, dataBytes, true);
}
