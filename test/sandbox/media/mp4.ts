import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny';

/** The properties of an MP4, from its tracks. */
export interface Video {
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
  /** The times of the pictures that players can jump to. */
  readonly keyTimes: readonly number[];
  readonly pictures: number;
  readonly hasSound: boolean;
}

/** Walks an MP4 packet by packet. @throws if that is not possible */
export async function readVideo(bytes: Buffer): Promise<Video> {
  const input = new Input({ source: new BufferSource(bytes), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  if (track?.codec !== 'avc') throw new Error('There is no H.264 track');
  const keyTimes: number[] = [];
  let pictures = 0;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    pictures += 1;
    if (packet.type === 'key') keyTimes.push(packet.timestamp);
  }
  return {
    width: track.displayWidth,
    height: track.displayHeight,
    seconds: await track.computeDuration(),
    keyTimes,
    pictures,
    hasSound: (await input.getPrimaryAudioTrack())?.codec === 'mp3',
  };
}
