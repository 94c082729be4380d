import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP3,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';

/** Makes one MP4 of an H.264 track and an optional MP3. Its index comes first, and players can seek in it. */
export async function muxMp4(video: Uint8Array, audio?: Uint8Array): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const copies = [await addVideo(output, video), ...(audio ? [await addAudio(output, audio)] : [])];
  await output.start();
  // The tracks are copied together, so that they are interleaved in the file.
  await Promise.all(copies.map((copy) => copy()));
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

type Copy = () => Promise<void>;

async function addVideo(output: Output, bytes: Uint8Array): Promise<Copy> {
  const track = await open(bytes).getPrimaryVideoTrack();
  if (!track) throw new Error('The encoder made no H.264 track');
  const decoderConfig = await track.getDecoderConfig();
  const source = new EncodedVideoPacketSource('avc');
  output.addVideoTrack(source);
  return async () => {
    for await (const { data, timestamp, duration } of new EncodedPacketSink(track).packets()) {
      const packet = new EncodedPacket(data, isKeyFrame(data) ? 'key' : 'delta', timestamp, duration);
      await source.add(packet, decoderConfig ? { decoderConfig } : {});
    }
    source.close();
  };
}

async function addAudio(output: Output, bytes: Uint8Array): Promise<Copy> {
  const track = await open(bytes).getPrimaryAudioTrack();
  if (!track) throw new Error('The encoder made no MP3 track');
  const decoderConfig = await track.getDecoderConfig();
  const source = new EncodedAudioPacketSource('mp3');
  output.addAudioTrack(source);
  return async () => {
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet, decoderConfig ? { decoderConfig } : {});
    }
    source.close();
  };
}

function open(bytes: Uint8Array): Input {
  return new Input({ source: new BufferSource(bytes), formats: [MP4, MP3] });
}

/**
 * Whether a picture is an IDR unit, which decodes without other pictures. The encoder's own file marks every picture as a
 * key frame, so players that seek show a mixture of two pictures.
 */
function isKeyFrame(data: Uint8Array): boolean {
  const idr = 5;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  for (let at = 0; at + 4 < data.length; at += 4 + view.getUint32(at)) {
    if (((data[at + 4] ?? 0) & 0x1f) === idr) return true;
  }
  return false;
}
