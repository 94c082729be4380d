import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import { createKey, readError, startSandbox } from '../support.ts';
import {
  animationRequest,
  characterVideoRequest,
  createClient,
  drawImage,
  drawMask,
  imagesVideoRequest,
  nextVoiceId,
  referenceVideoRequest,
  songRequest,
  speechRequest,
  transitionRequest,
  type CredentialForm,
} from './support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const size = { width: 20, height: 20 };
const image = await drawImage(size);
const mask = await drawMask(size);

interface Creation {
  readonly path: string;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  readonly body: object;
  readonly model: string;
  readonly price: number;
}

/** Every create. */
const creates: readonly Creation[] = [
  { path: '/hostb/flux-lora', body: { prompt: 'x' }, model: 'flux-lora', price: 12_500 },
  { path: '/hostb/flux-lora', body: { prompt: 'x', num_images: 4 }, model: 'flux-lora', price: 50_000 },
  {
    path: '/hostb/flux-lora/inpainting',
    body: { prompt: 'x', image_url: image, mask_url: mask },
    model: 'flux-lora',
    price: 12_500,
  },
  { path: '/hosta/v1/predictions', body: animationRequest, model: 'studio/animation', price: 25_000 },
  {
    path: '/hosta/v1/models/studio/fill-pro/predictions',
    body: { input: { image, mask, prompt: 'x' } },
    model: 'fill-pro',
    price: 25_000,
  },
  { path: '/music/submit/music', body: songRequest, model: 'song-v5', price: 50_000 },
  {
    path: '/ent/v2/audio-tts',
    body: { ...speechRequest, text: 'x'.repeat(99) },
    model: 'audio-tts',
    price: 4950,
  },
  { path: '/v1/video/create', body: imagesVideoRequest, model: 'sora-2', price: 100_000 },
  { path: '/v1/video/create', body: characterVideoRequest, model: 'sora-2-pro', price: 100_000 },
  {
    path: '/speecha/v1/voice_clone',
    body: {
      file_id: 5,
      model: 'speech-2.6-hd',
      // A new id for each body, since an id can be used once.
      get voice_id() {
        return nextVoiceId();
      },
    },
    model: 'speech-2.6-hd',
    price: 75_000,
  },
  {
    path: '/openapi/v2/video/multi_transition/generate',
    form: 'api-key',
    body: transitionRequest,
    model: 'v5',
    price: 100_000,
  },
  { path: '/v1/videos/generations', body: referenceVideoRequest, model: 'imagine', price: 50_000 },
];

describe.each(creates)('POST $path', ({ path, form, body, model, price }) => {
  test('costs its price, which the quota must cover', async () => {
    const key = await createKey(sandbox, { remain_quota: price * 2 - 1 });
    const client = createClient(sandbox, key, form);
    expect((await client.post(path, body)).status).toBe(200);
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: price - 1, usedQuota: price });
    expect(await readError(await client.post(path, body))).toMatchObject({
      status: 403,
      code: 'insufficient_user_quota',
    });
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: price - 1, usedQuota: price });
  });

  test('costs twice as much in group vip, and is not available in group economy', async () => {
    const vip = await createKey(sandbox, { remain_quota: price * 2, group: 'vip' });
    expect((await createClient(sandbox, vip, form).post(path, body)).status).toBe(200);
    expect(sandbox.findToken(vip)?.remainQuota).toBe(0);
    const economy = await createKey(sandbox, { unlimited_quota: true, group: 'economy' });
    expect(await readError(await createClient(sandbox, economy, form).post(path, body))).toMatchObject({
      status: 503,
      code: 'model_not_found',
    });
  });

  test('needs a token with access to the model', async () => {
    const limited = { unlimited_quota: true, model_limits_enabled: true };
    const allowed = await createKey(sandbox, { ...limited, model_limits: `gpt-4o,${model}` });
    expect((await createClient(sandbox, allowed, form).post(path, body)).status).toBe(200);
    const refused = await createKey(sandbox, { ...limited, model_limits: 'gpt-4o' });
    expect(await readError(await createClient(sandbox, refused, form).post(path, body))).toMatchObject({
      status: 403,
      code: 'model_not_allowed',
    });
  });

  test("needs a token that allows the client's address", async () => {
    const key = await createKey(sandbox, { unlimited_quota: true, allow_ips: '203.0.113.7' });
    expect((await createClient(sandbox, key, form).post(path, body)).status).toBe(403);
  });

  test('costs nothing if it is refused', async () => {
    const key = await createKey(sandbox, { remain_quota: price });
    const client = createClient(sandbox, key, form);
    expect((await client.post(path, { ...body, unknown: 1 })).status).toBe(400);
    expect(sandbox.findToken(key)?.usedQuota).toBe(0);
  });
});

describe('the credential', () => {
  test.each<[string, string]>([
    ...creates.filter(({ form }) => form === undefined).map(({ path }): [string, string] => ['POST', path]),
    ['POST', '/music/submit/adjust-speed'],
    ['POST', '/music/fetch'],
    ['GET', '/hostb/auto/requests/x'],
    ['GET', '/hostb/auto/requests/x/status'],
    ['PUT', '/hostb/auto/requests/x/cancel'],
    ['GET', '/hosta/v1/predictions/x'],
    ['POST', '/hosta/v1/predictions/x/cancel'],
    ['GET', '/hosta/v1/predictions/x/stream'],
    ['GET', '/ent/v2/tasks/x'],
    ['GET', '/v1/video/query'],
    ['GET', '/v1/videos/x'],
  ])('of %s %s is a Bearer key', async (method, path) => {
    for (const authorization of [undefined, sandbox.apiKey, 'Bearer nobody', 'Basic abc', 'Bearer ']) {
      const headers = {
        'content-type': 'application/json',
        ...(authorization !== undefined && { authorization }),
      };
      const response = await fetch(sandbox.url + path, { method, headers });
      expect(await readError(response)).toMatchObject({ status: 401 });
    }
  });
});

test('a wrong method is 405 and names the right ones', async () => {
  const response = await fetch(`${sandbox.url}/hostb/auto/requests/x/cancel`);
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'PUT, POST, OPTIONS']);
});

test.each([-1, Number.NaN, Infinity])('taskSeconds cannot be %d', async (taskSeconds) => {
  await expect(createSandbox({ taskSeconds })).rejects.toThrow('taskSeconds');
});
