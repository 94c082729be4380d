import { describe, expect, test } from 'vitest';
import { CreateImageDocument, type CreateImageInput } from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import { make, plainA, plainB, reply } from '../../support/images.ts';

describe('createImage sends', () => {
  test.each([
    ['the least of set A', { setA: plainA }, { model: 'seedream-4', prompt: 'a fox' }],
    [
      'every member of set A with a size in pixels',
      {
        setA: {
          ...plainA,
          size: { pixels: { width: 2304, height: 1728 } },
          sequentialImageGeneration: 'AUTO',
          responseFormat: 'B64_JSON',
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
    ['the least of set B', { setB: plainB }, { prompt: 'a fox' }],
    [
      'every member of set B',
      {
        setB: {
          prompt: 'a fox',
          model: 'dall-e-3',
          n: 1,
          size: 'SIZE_1792X1024',
          quality: 'HD',
          responseFormat: 'URL',
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
      ...(['SIZE_1K', 'SIZE_2K', 'SIZE_4K'] as const).map(
        (token) => [{ setA: { ...plainA, size: { token } } }, { size: token.slice(5) }] as const,
      ),
      [
        { setA: { ...plainA, sequentialImageGeneration: 'DISABLED' } },
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
      ).map(([size, wire]) => [{ setB: { ...plainB, size } }, { size: wire }] as const),
      [{ setB: { ...plainB, style: 'NATURAL' } }, { style: 'natural' }] as const,
    ];
    for (const [input, body] of words) {
      expect(await make(gateway.app, input)).toMatchObject({ __typename: 'Generation' });
      expect(gateway.received.at(-1)?.body).toMatchObject(body);
    }
  });

  test('exactly one of two alternatives: both or none fail GraphQL validation', async () => {
    await using gateway = await startAnswering(reply);
    const odd: readonly unknown[] = [
      { setA: plainA, setB: plainB },
      {},
      { setA: { ...plainA, size: { token: 'SIZE_1K', pixels: { width: 1024, height: 1024 } } } },
    ];
    for (const input of odd) {
      const { errors } = await gateway.app.run(CreateImageDocument, { input: input as CreateImageInput });
      expect(errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
    }
    expect(gateway.requests).toEqual([]);
  });
});
