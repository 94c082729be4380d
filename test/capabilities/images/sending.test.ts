import { describe, expect, test } from 'vitest';
import { CreateImageDocument, type CreateImageInput } from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import { make, plainByResolution, plainByCount, reply } from '../../support/images.ts';

describe('createImage sends', () => {
  test.each([
    [
      'the least of byResolution',
      { byResolution: plainByResolution },
      { model: 'seedream-4', prompt: 'a fox' },
    ],
    [
      'every member of byResolution with a size in pixels',
      {
        byResolution: {
          ...plainByResolution,
          size: { pixels: { width: 2304, height: 1728 } },
          imageGroup: 'AUTO',
          delivery: 'BASE64',
          watermark: false,
          extra: { seed: 7 },
        },
      },
      {
        model: 'seedream-4',
        prompt: 'a fox',
        size: '2304x1728',
        sequential_image_generation: 'auto',
        response_format: 'b64_json',
        watermark: false,
        seed: 7,
      },
    ],
    ['the least of byCount', { byCount: plainByCount }, { prompt: 'a fox' }],
    [
      'every member of byCount',
      {
        byCount: {
          prompt: 'a fox',
          model: 'dall-e-3',
          count: 1,
          size: 'SIZE_1792X1024',
          quality: 'HD',
          delivery: 'URL',
          style: 'VIVID',
          user: 'u1',
          extra: { background: 'opaque' },
        },
      },
      {
        prompt: 'a fox',
        model: 'dall-e-3',
        n: 1,
        size: '1792x1024',
        quality: 'hd',
        response_format: 'url',
        style: 'vivid',
        user: 'u1',
        background: 'opaque',
      },
    ],
  ] satisfies [string, CreateImageInput, object][])('%s', async (_name, input, body) => {
    await using gateway = await startAnswering(reply);
    expect(await make(gateway.app, input)).toMatchObject({ __typename: 'Generation', status: 'SUCCEEDED' });
    expect(gateway.requests).toEqual(['POST /v1/images/generations']);
    expect(gateway.received[0]?.body).toEqual(body);
    expect(gateway.received[0]?.headers.authorization).toBe('Bearer sk-sandbox');
  });

  test('every enum value as its wire value', async () => {
    await using gateway = await startAnswering(reply);
    const words = [
      ...(['RESOLUTION_1K', 'RESOLUTION_2K', 'RESOLUTION_4K'] as const).map(
        (resolution) =>
          [
            { byResolution: { ...plainByResolution, size: { resolution } } },
            { size: resolution.slice(11) },
          ] as const,
      ),
      [
        { byResolution: { ...plainByResolution, imageGroup: 'DISABLED' } },
        { sequential_image_generation: 'disabled' },
      ] as const,
      ...(
        [
          ['AUTO', 'auto'],
          ['SIZE_256X256', '256x256'],
          ['SIZE_512X512', '512x512'],
          ['SIZE_1024X1024', '1024x1024'],
          ['SIZE_1536X1024', '1536x1024'],
          ['SIZE_1024X1536', '1024x1536'],
          ['SIZE_1792X1024', '1792x1024'],
          ['SIZE_1024X1792', '1024x1792'],
        ] as const
      ).map(([size, wire]) => [{ byCount: { ...plainByCount, size } }, { size: wire }] as const),
      [{ byCount: { ...plainByCount, style: 'NATURAL' } }, { style: 'natural' }] as const,
    ];
    for (const [input, body] of words) {
      expect(await make(gateway.app, input)).toMatchObject({ __typename: 'Generation' });
      expect(gateway.received.at(-1)?.body).toMatchObject(body);
    }
  });

  test('exactly one of two alternatives: both or none fail GraphQL validation', async () => {
    await using gateway = await startAnswering(reply);
    const odd: readonly unknown[] = [
      { byResolution: plainByResolution, byCount: plainByCount },
      {},
      {
        byResolution: {
          ...plainByResolution,
          size: { resolution: 'RESOLUTION_1K', pixels: { width: 1024, height: 1024 } },
        },
      },
    ];
    for (const input of odd) {
      const { errors } = await gateway.app.run(CreateImageDocument, { input: input as CreateImageInput });
      expect(errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
    }
    expect(gateway.requests).toEqual([]);
  });
});
