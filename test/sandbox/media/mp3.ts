/** The properties of an MP3, from its frames. */
export interface Mp3 {
  readonly frames: number;
  readonly sampleRate: number;
  readonly seconds: number;
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const sampleRates = [44_100, 48_000, 32_000];

/** Walks an MP3 (MPEG-1, layer III) frame by frame to its last byte. @throws if that is not possible */
export function readMp3(bytes: Buffer): Mp3 {
  let at = 0;
  let frames = 0;
  let sampleRate = 0;
  while (at < bytes.length) {
    const header = bytes.readUInt32BE(at);
    if (header >>> 17 !== 0x7ffd) throw new Error(`No frame at byte ${at}`);
    const kilobits = bitrates[(header >>> 12) & 0xf] ?? 0;
    sampleRate = sampleRates[(header >>> 10) & 0x3] ?? 0;
    const padding = (header >>> 9) & 1;
    at += Math.floor((144_000 * kilobits) / sampleRate) + padding;
    frames += 1;
  }
  if (at !== bytes.length) throw new Error('The last frame is cut');
  return { frames, sampleRate, seconds: (frames * 1152) / sampleRate };
}
