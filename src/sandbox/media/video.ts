import encoderModule from 'h264-mp4-encoder';
import sharp from 'sharp';
import { muxMp4 } from './mux.ts';

export interface VideoFrames {
  /** Images of any format, shown for the same time each. */
  readonly frames: readonly Buffer[];
  readonly framesPerSecond: number;
  readonly width: number;
  readonly height: number;
  /** An MP3. */
  readonly soundtrack?: Uint8Array;
}

/** Encodes a video as MP4 (H.264), which every browser plays. */
export async function encodeVideo(video: VideoFrames): Promise<Uint8Array> {
  return muxMp4(await encodeFrames(video), video.soundtrack);
}

async function encodeFrames({ frames, framesPerSecond, width, height }: VideoFrames): Promise<Uint8Array> {
  const encoder = await encoderModule.createH264MP4Encoder();
  // All encoders share one file system in memory.
  encoder.outputFilename = `${crypto.randomUUID()}.mp4`;
  try {
    // H.264 stores colors for two by two pixels, so sides must be even.
    encoder.width = toEven(width);
    encoder.height = toEven(height);
    encoder.frameRate = framesPerSecond;
    encoder.quantizationParameter = 24;
    encoder.speed = 8;
    encoder.groupOfPictures = Math.max(1, Math.round(framesPerSecond));
    encoder.initialize();
    for (const frame of frames) encoder.addFrameRgba(await decode(frame, encoder.width, encoder.height));
    encoder.finalize();
    const bytes = encoder.FS.readFile(encoder.outputFilename).slice();
    encoder.FS.unlink(encoder.outputFilename);
    return bytes;
  } finally {
    encoder.delete();
  }
}

function decode(frame: Buffer, width: number, height: number): Promise<Buffer> {
  return sharp(frame).resize(width, height, { fit: 'fill' }).ensureAlpha().raw().toBuffer();
}

function toEven(side: number): number {
  return Math.max(16, side + (side % 2));
}
