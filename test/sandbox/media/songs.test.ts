import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support.ts';
import {
  animationInput,
  animationRequest,
  createClient,
  download,
  songRequest,
  type Clip,
  type MusicReply,
  type Prediction,
} from '../tasks/support.ts';
import { readMp3 } from './mp3.ts';
import { readVideo, type Video } from './mp4.ts';

const client = createClient(await startSandbox({ taskSeconds: 0 }));

async function record(description: string): Promise<Clip[]> {
  const body = { ...songRequest, gpt_description_prompt: description };
  const { data } = await client.create<MusicReply<string>>('/music/submit/music', body);
  const [task] = await client.fetchMusic(data);
  return task?.data ?? [];
}

describe('the files of a song', () => {
  test('are two different MP3s of the length in the record, and videos with sound of that length', async () => {
    const clips = await record('an upbeat disco song');
    const files = await Promise.all(clips.map((clip) => download(clip.audio_url)));
    for (const [index, file] of files.entries()) {
      const { seconds, sampleRate } = readMp3(file);
      expect(sampleRate).toBe(32_000);
      expect(Math.abs(seconds - (clips[index]?.metadata.duration ?? 0))).toBeLessThan(0.15);
    }
    expect(files[1] && files[0]?.equals(files[1])).toBe(false);
    const response = await fetch(clips[0]?.audio_url ?? '', { headers: { range: 'bytes=0-1' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([206, 'audio/mpeg']);
    // Its sound is rendered.
    const [clip] = clips;
    const video = await readVideo(await download(clip?.video_url ?? ''));
    expect(video).toMatchObject({ width: 360, height: 360, hasSound: true });
    expect(Math.abs(video.seconds - (clip?.metadata.duration ?? 0))).toBeLessThan(1);
  });

  test('are cover art in two sizes', async () => {
    const [clip] = await record('a folk song');
    const small = await sharp(await download(clip?.image_url ?? '')).metadata();
    const large = await sharp(await download(clip?.image_large_url ?? '')).metadata();
    expect([small.width, large.width, small.format, large.format]).toEqual([360, 1024, 'jpeg', 'jpeg']);
  });
});

describe('an animation as MP4', () => {
  async function animate(changes: Record<string, unknown>): Promise<Video> {
    const input = { ...animationInput, output_format: 'mp4', ...changes };
    const { urls } = await client.create<Prediction>('/hosta/v1/predictions', { ...animationRequest, input });
    const { output } = await client.read<Prediction>(urls.get);
    return readVideo(await download(output?.[0] ?? ''));
  }

  test('has the requested size, pace and length, and is seekable', async () => {
    const video = await animate({ width: 320, height: 240, gif_frames_per_second: 10 });
    expect(video).toMatchObject({ width: 320, height: 240, pictures: 50, hasSound: false });
    expect(video.seconds).toBeCloseTo(5, 1);
    expect(video.keyTimes).toHaveLength(5);
  });

  test('with odd sides is a pixel larger', async () => {
    expect(await animate({ width: 101, height: 55, num_animation_frames: 2 })).toMatchObject({
      width: 102,
      height: 56,
    });
  });

  test('plays forwards and backwards with ping-pong', async () => {
    expect(await animate({ width: 64, height: 64, gif_ping_pong: true })).toMatchObject({ pictures: 100 });
  });
});
