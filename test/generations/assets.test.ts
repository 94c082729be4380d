import { describe, expect, test } from 'vitest';
import { contentTypeOf } from '../../src/generations/content-type.ts';
import { startApp } from '../support/app.ts';
import { finishedSong, startFakeMusic } from '../support/fake-music.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const fields = '{ kind role contentType url }';

interface Made {
  readonly made: {
    readonly id: string;
    readonly assets: readonly object[];
    readonly task: { readonly id: string };
  };
}

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';

describe('assets', () => {
  test('of a song are its audio, its video and its cover', async () => {
    const clip = {
      id: 'c',
      status: 'complete',
      audio_url: 'http://x/a.mp3',
      video_url: 'http://x/a.mp4?sign=1',
      image_url: 'http://x/a',
    };
    const music = await startFakeMusic({
      answer: (ids) => ({
        body: { code: 'success', data: ids.map((id) => ({ ...finishedSong(id), data: [clip] })) },
      }),
    });
    await using app = await startApp({ gatewayUrl: music.url });
    const created = await app.run<Made, object>(
      'mutation { made: createSong(input: { description: "x", model: SONG_V5 }) { ... on Generation { id task { id } } } }',
    );
    const { data } = await app.run<{ task: { generation: Made['made'] } }, object>(
      `{ task(id: "${created.data?.made.task.id ?? ''}") { status generation { assets ${fields} } } }`,
    );
    expect(data?.task.generation.assets).toEqual([
      { kind: 'AUDIO', role: 'PRIMARY', contentType: 'audio/mpeg', url: 'http://x/a.mp3' },
      { kind: 'VIDEO', role: 'MUSIC_VIDEO', contentType: 'video/mp4', url: 'http://x/a.mp4?sign=1' },
      { kind: 'IMAGE', role: 'COVER', contentType: null, url: 'http://x/a' },
    ]);
  });

  test('of a video are the video and its thumbnail', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = app.run<Made, object>(
      `mutation { made: createVideo(input: { withCharacter: { model: "sora-2", prompt: "x", size: SMALL } }) { ... on Generation { assets ${fields} } } }`,
    );
    const exchange = await gateway.exchange(0);
    exchange.reply(200, {
      id: 'v',
      status: 'completed',
      video_url: 'http://x/v.webm',
      thumbnail_url: 'http://x/v.JPG',
    });
    expect((await creating).data?.made.assets).toEqual([
      { kind: 'VIDEO', role: 'PRIMARY', contentType: 'video/webm', url: 'http://x/v.webm' },
      { kind: 'IMAGE', role: 'THUMBNAIL', contentType: 'image/jpeg', url: 'http://x/v.JPG' },
    ]);
  });

  test.each([
    ['byCount: { prompt: "x" }', { b64_json: png }, 'image/png'],
    ['byCount: { prompt: "x" }', { url: 'http://x/1.webp' }, 'image/webp'],
    ['byCount: { prompt: "x" }', { url: 'http://x/1' }, null],
    ['byResolution: { prompt: "x", model: "m" }', { url: 'http://x/1.png' }, 'image/jpeg'],
  ])('of images (%s, %j) have the type %s', async (input, item, contentType) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = app.run<Made, object>(
      `mutation { made: createImage(input: { ${input} }) { ... on Generation {
        assets ${fields} output { ... on ImageSet { images { contentType } } }
      } } }`,
    );
    (await gateway.exchange(0)).reply(200, { created: 1, data: [item] });
    const made = (await creating).data?.made;
    expect(made?.assets).toMatchObject([{ kind: 'IMAGE', role: 'PRIMARY', contentType }]);
    expect(made).toMatchObject({ output: { images: [{ contentType }] } });
  });

  test('of a queued image without a reported type have the requested one', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = app.run<Made, object>(
      `mutation { made: queueImage(input: { prompt: "x", outputFormat: PNG }) { ... on Generation { assets ${fields} } } }`,
    );
    (await gateway.exchange(0)).reply(200, {
      request_id: 'r',
      images: [{ url: 'http://x/1' }],
      request: { output_format: 'png' },
    });
    expect((await creating).data?.made.assets).toMatchObject([{ contentType: 'image/png' }]);
  });

  test.each([
    [{ kind: 'AUDIO', contentType: 'audio/flac', url: 'http://x/a.mp3' }, 'audio/flac'],
    [{ kind: 'IMAGE', url: 'http://x/a.jpg' }, 'image/jpeg'],
    [{ kind: 'IMAGE', url: 'http://x/a.JPEG?b=1' }, 'image/jpeg'],
    [{ kind: 'IMAGE', url: 'http://x/a.png' }, 'image/png'],
    [{ kind: 'IMAGE', url: 'http://x/a.gif' }, 'image/gif'],
    [{ kind: 'IMAGE', url: 'http://x/a.webp' }, 'image/webp'],
    [{ kind: 'IMAGE', url: 'http://x/a.avif' }, 'image/avif'],
    [{ kind: 'VIDEO', url: 'http://x/a.mp4' }, 'video/mp4'],
    [{ kind: 'VIDEO', url: 'http://x/a.webm' }, 'video/webm'],
    [{ kind: 'VIDEO', url: 'http://x/a.mov' }, 'video/quicktime'],
    [{ kind: 'AUDIO', url: 'http://x/a.mp3' }, 'audio/mpeg'],
    [{ kind: 'AUDIO', url: 'http://x/a.wav' }, 'audio/wav'],
    [{ kind: 'AUDIO', url: 'http://x/a.m4a' }, 'audio/mp4'],
    [{ kind: 'AUDIO', url: 'http://x/a.ogg' }, 'audio/ogg'],
    // An extension of another kind proves nothing.
    [{ kind: 'AUDIO', url: 'http://x/a.mp4' }, undefined],
    [{ kind: 'IMAGE', url: 'not an address.png' }, undefined],
    [{ kind: 'IMAGE', base64: 'AAAA' }, undefined],
    [{ kind: 'AUDIO', base64: png }, undefined],
  ] as const)('%j has the type %s', (asset, expected) => {
    expect(contentTypeOf(asset)).toBe(expected);
  });
});
