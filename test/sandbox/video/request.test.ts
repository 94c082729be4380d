import { describe, expect, test } from 'vitest';
import { named, readError, startSandbox } from '../support.ts';
import {
  characterVideoRequest,
  createClient,
  drawImage,
  imagesVideoRequest,
  type VideoTask,
} from '../tasks/support.ts';

const client = createClient(await startSandbox({ taskSeconds: 0 }));

const inline = await drawImage({ width: 8, height: 8 });

const refusalOf = (member: string): RegExp => new RegExp(`^400 invalid_request .*${member}`);

/** The reason of a refusal (400). */
async function readReason(body: unknown): Promise<string> {
  const { status, code, message } = await readError(await client.post('/v1/video/create', body));
  return `${status} ${code} ${message}`;
}

describe('a video from images', () => {
  const post = (changes: Record<string, unknown>): Promise<Response> =>
    client.post('/v1/video/create', { ...imagesVideoRequest, ...changes });

  test.each(
    named([
      ['images', []],
      ['images', ['https://example.com/a.png', 'http://example.com/b', inline]],
      ['orientation', 'landscape'],
      ['prompt', ''],
      ['size', 'large'],
      ['duration', 15],
      ['watermark', 'false'],
      ['watermark', true],
      ['watermark', false],
      ['model', 'anything'],
    ]),
  )('takes %s: %s', async (member, _label, value) => {
    expect((await post({ [member]: value })).status).toBe(200);
  });

  test.each(
    named([
      ['images', undefined],
      ['images', 'https://example.com/a.png'],
      ['images', [5]],
      ['images', ['a.png']],
      ['images', ['https://example.com/a.svg']],
      ['images', ['data:image/png;base64,AAAA']],
      ['model', undefined],
      ['model', ''],
      ['orientation', undefined],
      ['orientation', 'vertical'],
      ['prompt', undefined],
      ['size', undefined],
      ['size', 'medium'],
      ['duration', undefined],
      ['duration', 5],
      ['duration', 25],
      ['duration', '10'],
      ['watermark', 'yes'],
      ['watermark', null],
      ['character_url', 'https://example.com/fox.mp4'],
      ['seed', 1],
    ]),
  )('refuses %s: %s', async (member, _label, value) => {
    expect(await readReason({ ...imagesVideoRequest, [member]: value })).toMatch(refusalOf(member));
  });
});

describe('a video with a character, which has no watermark member', () => {
  test('needs only a model, a prompt and a size', async () => {
    const body = { model: 'sora-2', prompt: 'a fox', size: 'small' };
    expect((await client.post('/v1/video/create', body)).status).toBe(200);
  });

  test.each(
    named([
      ['images', ['https://example.com/a.png', inline]],
      ['orientation', 'portrait'],
      ['duration', 10],
      ['duration', 15],
      ['duration', 25],
      ['character_timestamps', '0,1'],
      ['character_timestamps', '0,3'],
      ['character_timestamps', '1.3,2.3'],
      ['character_timestamps', undefined],
      ['size', 'small'],
    ]),
  )('takes %s: %s', async (member, _label, value) => {
    const body = { ...characterVideoRequest, [member]: value };
    expect((await client.post('/v1/video/create', body)).status).toBe(200);
  });

  test.each(
    named([
      ['model', undefined],
      ['prompt', undefined],
      ['prompt', 5],
      ['size', undefined],
      ['size', '720p'],
      ['orientation', 'horizontal'],
      ['duration', 20],
      ['duration', '15'],
      ['images', ['ftp://example.com/a.png']],
      ['character_url', 'fox.mp4'],
      ['character_url', 5],
      ['character_url', 'data:video/mp4;base64,AAAA'],
      ['character_timestamps', '0,0.9'],
      ['character_timestamps', '0,3.1'],
      ['character_timestamps', '3,1'],
      ['character_timestamps', '1-3'],
      ['character_timestamps', '1'],
      ['character_timestamps', [1, 3]],
      ['character', 'fox'],
    ]),
  )('refuses %s: %s', async (member, _label, value) => {
    expect(await readReason({ ...characterVideoRequest, [member]: value })).toMatch(refusalOf(member));
  });

  test('can have 25 seconds with pro models only', async () => {
    expect(await readReason({ ...characterVideoRequest, model: 'sora-2', duration: 25 })).toMatch(
      refusalOf('duration'),
    );
    const created = await client.create<VideoTask>('/v1/video/create', {
      ...characterVideoRequest,
      duration: 25,
    });
    expect(created.id).toMatch(/^sora-2-pro:/);
  });
});
