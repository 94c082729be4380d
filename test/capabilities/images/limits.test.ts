import { describe, expect, test } from 'vitest';
import {
  type CreateImageInput,
  type ImageByCountInput,
  StreamImagesDocument,
} from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import { collect, startApp, subscribe } from '../../support/app.ts';
import { issuesOf, make, plainByResolution, plainByCount, reply } from '../../support/images.ts';

describe('createImage rejects', () => {
  const pixels = (width: number, height: number): CreateImageInput => ({
    byResolution: { ...plainByResolution, size: { pixels: { width, height } } },
  });
  const ofB = (input: Partial<ImageByCountInput>): CreateImageInput => ({
    byCount: { ...plainByCount, ...input },
  });

  test.each([
    ['an area below the minimum', pixels(1024, 1023), ['byResolution.size.pixels'], pixels(1024, 1024)],
    ['an area above the maximum', pixels(4096, 4097), ['byResolution.size.pixels'], pixels(4096, 4096)],
    ['a too wide aspect ratio', pixels(8193, 512), ['byResolution.size.pixels'], pixels(8192, 512)],
    ['a too high aspect ratio', pixels(512, 8193), ['byResolution.size.pixels'], pixels(512, 8192)],
    [
      'sides that no area and aspect ratio allow',
      pixels(100, 1),
      ['byResolution.size.pixels.height', 'byResolution.size.pixels.width'],
      pixels(4096, 256),
    ],
    ['a width of 0', pixels(0, 2048), ['byResolution.size.pixels.width'], pixels(2048, 2048)],
    [
      'negative sides',
      pixels(-2048, -2048),
      ['byResolution.size.pixels.height', 'byResolution.size.pixels.width'],
      pixels(2048, 2048),
    ],
    [
      'a blank prompt',
      { byResolution: { ...plainByResolution, prompt: ' ' } },
      ['byResolution.prompt'],
      { byResolution: plainByResolution },
    ],
    [
      'a blank model',
      { byResolution: { ...plainByResolution, model: ' ' } },
      ['byResolution.model'],
      { byResolution: plainByResolution },
    ],
    [
      'a model of byCount in byResolution',
      { byResolution: { ...plainByResolution, model: 'dall-e-3' } },
      ['byResolution.model'],
      { byResolution: plainByResolution },
    ],
    ['an empty prompt in byCount', ofB({ prompt: '' }), ['byCount.prompt'], ofB({ prompt: 'x' })],
    [
      '1001 characters',
      ofB({ prompt: '𝄞'.repeat(1001) }),
      ['byCount.prompt'],
      ofB({ prompt: '𝄞'.repeat(1000) }),
    ],
    ['no image', ofB({ count: 0 }), ['byCount.count'], ofB({ count: 1 })],
    ['11 images', ofB({ count: 11 }), ['byCount.count'], ofB({ count: 10 })],
    ['an empty model', ofB({ model: '' }), ['byCount.model'], ofB({ model: 'any' })],
    [
      'quality and style of gpt-image-1',
      ofB({ model: 'gpt-image-1-mini', quality: 'HD', style: 'VIVID' }),
      ['byCount.quality', 'byCount.style'],
      ofB({ model: 'dall-e-3', quality: 'HD', style: 'VIVID' }),
    ],
    [
      'quality and style of dall-e-2',
      ofB({ model: 'dall-e-2', quality: 'HD', style: 'NATURAL' }),
      ['byCount.quality', 'byCount.style'],
      ofB({ model: 'of-no-known-family', quality: 'HD', style: 'NATURAL', size: 'SIZE_256X256' }),
    ],
    [
      'declared members and stream in extra',
      {
        byResolution: {
          ...plainByResolution,
          extra: { stream: true, watermark: false, sequential_image_generation: 'auto' },
        },
      },
      [
        'byResolution.extra.sequential_image_generation',
        'byResolution.extra.stream',
        'byResolution.extra.watermark',
      ],
      { byResolution: { ...plainByResolution, extra: { guidance: 2 } } },
    ],
    [
      'members of byCount in extra of byResolution',
      {
        byResolution: {
          ...plainByResolution,
          extra: { n: 50, quality: 'hd', style: 'vivid', user: 'u' },
        },
      },
      [
        'byResolution.extra.n',
        'byResolution.extra.quality',
        'byResolution.extra.style',
        'byResolution.extra.user',
      ],
      { byResolution: { ...plainByResolution, extra: { negative_prompt: 'x' } } },
    ],
    [
      'members of byResolution in extra of byCount',
      ofB({ extra: { sequential_image_generation: 'auto', watermark: false } }),
      ['byCount.extra.sequential_image_generation', 'byCount.extra.watermark'],
      ofB({ extra: { background: 'transparent' } }),
    ],
    [
      'a model of byResolution in byCount',
      ofB({ model: 'doubao-seedream-4-0-250828' }),
      ['byCount.model'],
      ofB({ model: 'dreamseed-4' }),
    ],
    ['the same in other letters', ofB({ model: 'SeeDream-3' }), ['byCount.model'], ofB({ model: 'seed' })],
    [
      'stream in extra of byCount',
      ofB({ extra: { stream: true } }),
      ['byCount.extra.stream'],
      ofB({ extra: { m: 1 } }),
    ],
    ['an extra that is not an object', ofB({ extra: [1] }), ['byCount.extra'], ofB({ extra: {} })],
  ] satisfies [string, CreateImageInput, string[], CreateImageInput][])(
    '%s and accepts the nearest valid value',
    async (_name, bad, paths, good) => {
      await using gateway = await startAnswering(reply);
      expect(await issuesOf(gateway.app, bad)).toEqual(paths);
      expect(gateway.requests).toEqual([]);
      expect(await make(gateway.app, good)).toMatchObject({ __typename: 'Generation' });
    },
  );

  const sizes = [
    'AUTO',
    'SIZE_256X256',
    'SIZE_512X512',
    'SIZE_1024X1024',
    'SIZE_1536X1024',
    'SIZE_1024X1536',
    'SIZE_1792X1024',
    'SIZE_1024X1792',
  ] as const;

  test.each([
    ['gpt-image-1', ['SIZE_256X256', 'SIZE_512X512', 'SIZE_1792X1024', 'SIZE_1024X1792']],
    ['dall-e-2', ['AUTO', 'SIZE_1536X1024', 'SIZE_1024X1536', 'SIZE_1792X1024', 'SIZE_1024X1792']],
    ['dall-e-3', ['AUTO', 'SIZE_256X256', 'SIZE_512X512', 'SIZE_1536X1024', 'SIZE_1024X1536']],
    ['of-no-known-family', []],
    [null, []],
  ] as const)('the sizes that the family of %s does not support', async (model, foreign) => {
    await using gateway = await startAnswering(reply);
    const refused: string[] = [];
    for (const size of sizes) {
      const { __typename } = (await make(gateway.app, ofB({ model, size }))) ?? {};
      if (__typename === 'InvalidInputError') refused.push(size);
    }
    expect(refused).toEqual(foreign);
    expect(gateway.requests).toHaveLength(sizes.length - foreign.length);
  });

  test('with all problems at once', async () => {
    await using gateway = await startAnswering(reply);
    const byCount = {
      prompt: 'x'.repeat(1001),
      model: 'dall-e-2',
      count: 0,
      size: 'AUTO',
      style: 'VIVID',
    } as const;
    expect(
      await issuesOf(gateway.app, {
        byCount: { ...byCount, quality: 'HD', extra: { n: 5, size: 'x' } },
      }),
    ).toEqual([
      'byCount.count',
      'byCount.extra.n',
      'byCount.extra.size',
      'byCount.prompt',
      'byCount.quality',
      'byCount.size',
      'byCount.style',
    ]);
    const byResolution = { model: '', prompt: '', size: { pixels: { width: 90_000, height: 1 } } };
    expect(await issuesOf(gateway.app, { byResolution: { ...byResolution, extra: { model: 'x' } } })).toEqual(
      [
        'byResolution.extra.model',
        'byResolution.model',
        'byResolution.prompt',
        'byResolution.size.pixels.height',
        'byResolution.size.pixels.width',
      ],
    );
    expect(gateway.requests).toEqual([]);
  });
});

test('streamImages refuses a model of another family, and says what takes it', async () => {
  await using app = await startApp();
  const input = { ...plainByResolution, model: 'dall-e-3' };
  const [failed] = await collect(subscribe(app.wsClient(), StreamImagesDocument, { input }));
  expect(failed?.data?.streamImages).toMatchObject({
    __typename: 'ImageFailed',
    error: { code: 'INVALID_INPUT', message: expect.stringContaining('byCount of createImage') },
  });
});
