import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { planAnimation } from '../../../src/sandbox/predictions/plan-animation.ts';
import { animationRequest as parsedRequest } from '../../../src/sandbox/predictions/requests.ts';
import { readError, startSandbox } from '../support.ts';
import {
  animationInput as input,
  animationRequest,
  createClient,
  download,
  type Prediction,
} from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox);

function post(changes: Record<string, unknown>): Promise<Response> {
  return client.post('/hosta/v1/predictions', { ...animationRequest, input: { ...input, ...changes } });
}

/** The files of an animation with these members of its input. */
async function animate(changes: Record<string, unknown>): Promise<Buffer[]> {
  const body = { ...animationRequest, input: { ...input, ...changes } };
  const { urls } = await client.create<Prediction>('/hosta/v1/predictions', body);
  const { output } = await client.read<Prediction>(urls.get);
  if (!Array.isArray(output)) throw new TypeError('An animation gives a list');
  return Promise.all(output.map((url) => download(url)));
}

describe('an animation request', () => {
  test('needs a version and two prompts', async () => {
    expect((await post({})).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['width', 1],
    ['height', 2000],
    ['gif_ping_pong', true],
    ['output_format', 'gif'],
    ['output_format', 'mp4'],
    ['guidance_scale', 1],
    ['guidance_scale', 20],
    ['prompt_strength', 0],
    ['prompt_strength', 1.5],
    ['film_interpolation', false],
    ['intermediate_output', true],
    ['num_inference_steps', 1],
    ['num_inference_steps', 500],
    ['num_animation_frames', 2],
    ['num_animation_frames', 50],
    ['gif_frames_per_second', 1],
    ['gif_frames_per_second', 50],
    ['num_interpolation_steps', 1],
    ['num_interpolation_steps', 50],
    ['prompt_end', 'a city | the sea | snow'],
  ])('takes input.%s: %j', async (member, value) => {
    expect((await post({ [member]: value })).status).toBe(200);
  });

  test.each<[string, unknown]>([
    ['prompt_start', undefined],
    ['prompt_end', undefined],
    ['prompt_start', 1],
    ['prompt_end', ['a', 'b']],
    ['width', 0],
    ['width', '512'],
    ['height', 1.5],
    ['gif_ping_pong', 'true'],
    ['output_format', 'webm'],
    ['guidance_scale', 0.9],
    ['guidance_scale', 20.1],
    ['prompt_strength', '0.8'],
    ['film_interpolation', 1],
    ['intermediate_output', 'no'],
    ['num_inference_steps', 0],
    ['num_inference_steps', 501],
    ['num_animation_frames', 1],
    ['num_animation_frames', 51],
    ['gif_frames_per_second', 0],
    ['gif_frames_per_second', 51],
    ['num_interpolation_steps', 0],
    ['num_interpolation_steps', 51],
    ['seed', 1],
    ['promptStart', 'x'],
    ['width', null],
  ])('refuses input.%s: %j', async (member, value) => {
    const error = await readError(await post({ [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(`input.${member}`);
  });

  test.each<[string, Record<string, unknown>]>([
    ['version', { version: undefined }],
    ['version', { version: 5 }],
    ['input', { input: undefined }],
    ['input', { input: 'x' }],
    ['webhook', { webhook: 'https://example.com' }],
  ])('refuses a wrong %s', async (member, changes) => {
    const response = await client.post('/hosta/v1/predictions', { ...animationRequest, ...changes });
    expect((await readError(response)).message).toContain(member);
  });

  test.each([
    ['studio/animation:abc123', 'studio/animation', 'abc123'],
    ['studio/animation', 'studio/animation', 'hidden'],
    ['abc123', 'sandbox/animation', 'abc123'],
  ])('with version %s runs on its model', async (version, model, expected) => {
    const body = { ...animationRequest, version };
    const prediction = await client.create<Prediction>('/hosta/v1/predictions', body);
    expect(prediction).toMatchObject({ model, version: expected, input });
  });
});

describe('an animation', () => {
  const small = { width: 64, height: 48 };

  test('is by default a GIF of 50 frames, 20 a second, that differ', async () => {
    const [gif] = await animate({ width: 128, height: 128 });
    const metadata = await sharp(gif, { pages: -1 }).metadata();
    expect(metadata).toMatchObject({ format: 'gif', pages: 50, width: 128, pageHeight: 128, loop: 0 });
    expect(new Set(metadata.delay)).toEqual(new Set([50]));
    const { channels } = await sharp(gif, { pages: -1, failOn: 'warning' }).stats();
    expect(channels.length).toBeGreaterThanOrEqual(3);
    const [first, last] = await Promise.all([0, 49].map((page) => sharp(gif, { page }).raw().toBuffer()));
    expect(last && first?.equals(last)).toBe(false);
  });

  test.each([
    [{ num_animation_frames: 4, num_interpolation_steps: 3 }, 12],
    [{ num_animation_frames: 4, num_interpolation_steps: 3, film_interpolation: false }, 4],
    [{ num_animation_frames: 4, num_interpolation_steps: 3, gif_ping_pong: true }, 24],
    [{ num_animation_frames: 50, num_interpolation_steps: 50 }, 60],
  ])('of %j has %i frames', async (changes, frames) => {
    const [gif] = await animate({ ...small, ...changes });
    expect(await sharp(gif, { pages: -1 }).metadata()).toMatchObject({
      pages: frames,
      width: 64,
      pageHeight: 48,
    });
  });

  test.each([1, 7, 30, 50])('plays %i frames a second on average', async (framesPerSecond) => {
    const [gif] = await animate({ ...small, gif_frames_per_second: framesPerSecond });
    const { delay = [] } = await sharp(gif, { pages: -1 }).metadata();
    const seconds = delay.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
    expect(Math.abs(seconds - delay.length / framesPerSecond)).toBeLessThanOrEqual(0.01);
  });

  test('returns to its start with ping-pong', async () => {
    const [gif] = await animate({ ...small, num_animation_frames: 3, gif_ping_pong: true });
    const pages = await Promise.all(
      [0, 29].map((page) => sharp(gif, { page }).removeAlpha().raw().toBuffer()),
    );
    expect(pages[1] && pages[0]?.equals(pages[1])).toBe(true);
  });

  test('larger than 1024 pixels is scaled down', async () => {
    const [gif] = await animate({
      width: 20_480,
      height: 5120,
      prompt_strength: 1.5,
      num_animation_frames: 2,
      film_interpolation: false,
    });
    expect(await sharp(gif, { pages: -1 }).metadata()).toMatchObject({ width: 1024, pageHeight: 256 });
  });

  test('of many large frames is scaled down further, because its rendering takes time and memory', () => {
    const changed = { width: 2048, height: 1024, num_animation_frames: 50, gif_ping_pong: true };
    const request = parsedRequest.parse({ ...animationRequest, input: { ...input, ...changed } });
    const [recipe] = planAnimation(request.input, 's');
    if (recipe?.kind !== 'animation') throw new TypeError('not an animation');
    const { width, height, frames } = recipe;
    expect(width / height).toBeCloseTo(2, 1);
    expect(2 * frames * width * height).toBeLessThan(33_000_000);
  });

  test('has at most 60 prompts after the first', async () => {
    const body = {
      ...animationRequest,
      input: { ...input, prompt_end: '|'.repeat(2000), intermediate_output: true },
    };
    const { urls } = await client.create<Prediction>('/hosta/v1/predictions', body);
    expect((await client.read<Prediction>(urls.get)).output).toHaveLength(1 + 60 + 1);
  });

  test('has a picture of each prompt if intermediate output is requested', async () => {
    const files = await animate({ ...small, prompt_end: 'a city | the sea', intermediate_output: true });
    const formats = await Promise.all(files.map(async (file) => (await sharp(file).metadata()).format));
    expect(formats).toEqual(['png', 'png', 'png', 'gif']);
  });
});
