import { describe, expect, test } from 'vitest';
import { named, readError, startSandbox } from '../support.ts';
import { createClient, drawImage, referenceVideoRequest } from '../tasks/support.ts';

const client = createClient(await startSandbox({ taskSeconds: 0 }));
const drawn = await drawImage({ width: 20, height: 20 });
const url = 'https://example.com/a.png';

function post(changes: Record<string, unknown>): Promise<Response> {
  return client.post('/v1/videos/generations', { ...referenceVideoRequest, ...changes });
}

describe('POST /v1/videos/generations', () => {
  test.each(
    named([
      ['model', 'imagine-1.5-preview'],
      ['prompt', ''],
      ['resolution', '720p'],
      ['aspect_ratio', '1:1'],
      ['aspect_ratio', '9:16'],
      ['duration', 1],
      ['duration', 15],
      ['image', { url }],
      ['image', { url: drawn }],
      ['image', undefined],
      ['reference_images', [{ url }, { url: drawn }]],
      ['reference_images', []],
    ]),
  )('takes %s: %s', async (member, _label, value) => {
    expect((await post({ [member]: value })).status).toBe(200);
  });

  test.each(
    named([
      ['model', undefined],
      ['model', ''],
      ['prompt', undefined],
      ['prompt', 5],
      ['resolution', undefined],
      ['resolution', '1080p'],
      ['aspect_ratio', undefined],
      ['aspect_ratio', '4:3'],
      ['duration', undefined],
      ['duration', 0],
      ['duration', 16],
      ['duration', 1.5],
      ['duration', '5'],
      ['image', url],
      ['image', {}],
      ['image', { url: 'a.png' }],
      ['image', { url, detail: 'high' }],
      ['image', { url: 'data:image/png;base64,AAAA' }],
      ['image', null],
      ['reference_images', { url }],
      ['reference_images', [url]],
      ['reference_images', [{ url }, { url: 'https://example.com/a.svg' }]],
      ['image_url', url],
    ]),
  )('refuses %s: %s', async (member, _label, value) => {
    const error = await readError(await post({ [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(member);
  });

  test('takes an image or reference images, not both', async () => {
    const error = await readError(await post({ image: { url }, reference_images: [{ url }] }));
    expect(error).toMatchObject({
      status: 400,
      message: 'reference_images: must not be sent together with image',
    });
  });
});
