import sharp from 'sharp';
import { expect, test } from 'vitest';
import { createImageClient, type ReplyA } from '../images/support.ts';
import { startSandbox } from '../support.ts';
import {
  animationInput,
  type Acknowledgement,
  type Clip,
  createClient,
  download,
  type MusicReply,
  type Prediction,
  type QueueResult,
} from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);

test.each([
  ['16384x1024', 16_384, 1024],
  ['1024x16384', 1024, 16_384],
])('an image of %s, the longest shape of set A, can be fetched', async (size, width, height) => {
  const { data } = await createImageClient(sandbox).make<ReplyA>({ prompt: 'a fox', size });
  const bytes = await download(data[0]?.url ?? '');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
});

test('an image of a long prompt that compresses well can be fetched', async () => {
  const prompt = 'a fox in the snow '.repeat(5000);
  const { response_url: address } = await client.create<Acknowledgement>('/hostb/flux-lora', {
    prompt,
    image_size: 'square',
  });
  const { images } = await client.read<QueueResult>(address);
  expect(await sharp(await download(images[0]?.url ?? '')).metadata()).toMatchObject({ width: 512 });
});

test('an animation of more prompts than its address can hold can be fetched', async () => {
  const input = {
    ...animationInput,
    prompt_end: Array.from({ length: 1001 }, () => 'a city').join('|'),
    width: 64,
    height: 64,
    num_animation_frames: 2,
    film_interpolation: false,
  };
  const { urls } = await client.create<Prediction>('/hosta/v1/predictions', { version: 'x/y', input });
  const { output } = await client.read<Prediction>(urls.get);
  expect(await sharp(await download(output?.[0] ?? '')).metadata()).toMatchObject({ format: 'gif' });
});

test('a clip whose pitch was raised several times can be fetched', async () => {
  const adjust = async (clip_id: string, speed: number, keep_pitch: boolean): Promise<Clip> => {
    const path = '/music/submit/adjust-speed';
    const body = { clip_id, speed, keep_pitch };
    return (await client.create<MusicReply<Clip>>(path, body)).data;
  };
  let clip: Pick<Clip, 'id' | 'audio_url'> = { id: '5a0d0000-0000-4000-8000-000000000001', audio_url: '' };
  for (let round = 0; round < 4; round += 1) {
    clip = await adjust((await adjust(clip.id, 4, false)).id, 0.25, true);
  }
  expect((await download(clip.audio_url)).length).toBeGreaterThan(10_000);
});
