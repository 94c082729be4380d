import { setImmediate as yieldThread } from 'node:timers/promises';
import { Mp3Encoder } from '@breezystack/lamejs';

const kilobitsPerSecond = 64;
/** Samples in one frame of an MP3. */
const frameSize = 1152;

/** Samples from -1 to 1, mono, as MP3. */
export async function encodeMp3(samples: Float32Array, sampleRate: number): Promise<Uint8Array> {
  const encoder = new Mp3Encoder(1, sampleRate, kilobitsPerSecond);
  const chunks: Uint8Array[] = [];
  const blockSize = frameSize * 64;
  for (let from = 0; from < samples.length; from += blockSize) {
    const block = Int16Array.from(samples.subarray(from, from + blockSize), (sample) =>
      Math.round(sample * 32_767),
    );
    chunks.push(copy(encoder.encodeBuffer(block)));
    // Lets other jobs of the thread run.
    await yieldThread();
  }
  chunks.push(copy(encoder.flush()));
  return Buffer.concat(chunks);
}

/** The encoder reuses its buffer, whose bytes it types as signed. */
function copy(bytes: ArrayBufferView): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength).slice();
}
