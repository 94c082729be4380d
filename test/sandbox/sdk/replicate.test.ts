import Replicate from 'replicate';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support.ts';
import { animationInput, animationRequest, download, drawImage } from '../tasks/support.ts';

const instant = await startSandbox({ taskSeconds: 0 });
const endless = await startSandbox({ taskSeconds: 100_000 });

function connect({ url, apiKey }: { readonly url: string; readonly apiKey: string }): Replicate {
  return new Replicate({ auth: apiKey, baseUrl: `${url}/hosta/v1`, useFileOutput: false });
}
const replicate = connect(instant);

describe('predictions by the replicate SDK', () => {
  test('are created, waited for and read', async () => {
    const input = { ...animationInput, width: 64, height: 64, num_animation_frames: 2 };
    const created = await replicate.predictions.create({ ...animationRequest, input });
    expect(created.status).toBe('starting');
    const done = await replicate.wait(created, { interval: 1 });
    expect(done).toMatchObject({ status: 'succeeded', error: null, input });
    expect(await replicate.predictions.get(created.id)).toEqual(done);
    const [url = ''] = done.output as string[];
    expect(await sharp(await download(url)).metadata()).toMatchObject({ format: 'gif' });
  });

  test('are created for a model', async () => {
    const input = {
      image: await drawImage({ width: 20, height: 10 }),
      prompt: 'a lake',
      outpaint: 'Make square',
    };
    const created = await replicate.predictions.create({ model: 'studio/fill', input });
    const done = await replicate.wait(created, { interval: 1 });
    expect(await sharp(await download(done.output as string)).metadata()).toMatchObject({ format: 'jpeg' });
  });

  test('are created with a wait that has no effect', async () => {
    const created = await replicate.predictions.create({ ...animationRequest, wait: 1 });
    expect(created.status).toBe('starting');
  });

  test('are run as a whole', async () => {
    const output = await replicate.run('studio/animation:abc123', {
      input: animationInput,
      wait: { mode: 'poll', interval: 1 },
    });
    expect(output).toEqual([expect.stringContaining(`${instant.url}/assets/media/`)]);
  });

  test('are canceled', async () => {
    const patient = connect(endless);
    const { id } = await patient.predictions.create(animationRequest);
    expect(await patient.predictions.cancel(id)).toMatchObject({ id, status: 'canceled' });
    expect(await patient.predictions.get(id)).toMatchObject({ status: 'canceled' });
  });

  test('throw if they fail', async () => {
    const run = replicate.run('studio/animation:abc123', {
      input: { ...animationInput, prompt_end: 'fault:failed' },
      wait: { mode: 'poll', interval: 1 },
    });
    await expect(run).rejects.toThrow('Prediction failed: The model ran out of memory');
  });

  test('throw if they are refused', async () => {
    const input = { ...animationInput, width: 0 };
    await expect(replicate.predictions.create({ ...animationRequest, input })).rejects.toThrow('400');
  });
});
