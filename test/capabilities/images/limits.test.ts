import { describe, expect, test } from 'vitest';
import type {
  CreateImageInput,
  CountQualityStyleImageInput,
} from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import {
  issuesOf,
  make,
  plainResolutionAndGroup,
  plainCountQualityStyle,
  reply,
} from '../../support/images.ts';

describe('createImage rejects', () => {
  const pixels = (width: number, height: number): CreateImageInput => ({
    resolutionAndGroup: { ...plainResolutionAndGroup, size: { pixels: { width, height } } },
  });
  const ofB = (input: Partial<CountQualityStyleImageInput>): CreateImageInput => ({
    countQualityStyle: { ...plainCountQualityStyle, ...input },
  });

  test.each([
    ['an area below the minimum', pixels(1024, 1023), ['resolutionAndGroup.size.pixels'], pixels(1024, 1024)],
    ['an area above the maximum', pixels(4096, 4097), ['resolutionAndGroup.size.pixels'], pixels(4096, 4096)],
    ['a too wide aspect ratio', pixels(8193, 512), ['resolutionAndGroup.size.pixels'], pixels(8192, 512)],
    ['a too high aspect ratio', pixels(512, 8193), ['resolutionAndGroup.size.pixels'], pixels(512, 8192)],
    [
      'an area and an aspect ratio',
      pixels(100, 1),
      ['resolutionAndGroup.size.pixels', 'resolutionAndGroup.size.pixels'],
      pixels(4096, 256),
    ],
    ['a width of 0', pixels(0, 2048), ['resolutionAndGroup.size.pixels.width'], pixels(2048, 2048)],
    [
      'negative sides',
      pixels(-2048, -2048),
      ['resolutionAndGroup.size.pixels.height', 'resolutionAndGroup.size.pixels.width'],
      pixels(2048, 2048),
    ],
    [
      'a blank prompt',
      { resolutionAndGroup: { ...plainResolutionAndGroup, prompt: ' ' } },
      ['resolutionAndGroup.prompt'],
      { resolutionAndGroup: plainResolutionAndGroup },
    ],
    [
      'a blank model',
      { resolutionAndGroup: { ...plainResolutionAndGroup, model: ' ' } },
      ['resolutionAndGroup.model'],
      { resolutionAndGroup: plainResolutionAndGroup },
    ],
    [
      'a model of countQualityStyle in resolutionAndGroup',
      { resolutionAndGroup: { ...plainResolutionAndGroup, model: 'dall-e-3' } },
      ['resolutionAndGroup.model'],
      { resolutionAndGroup: plainResolutionAndGroup },
    ],
    [
      'an empty prompt in countQualityStyle',
      ofB({ prompt: '' }),
      ['countQualityStyle.prompt'],
      ofB({ prompt: 'x' }),
    ],
    [
      '1001 characters',
      ofB({ prompt: '𝄞'.repeat(1001) }),
      ['countQualityStyle.prompt'],
      ofB({ prompt: '𝄞'.repeat(1000) }),
    ],
    ['no image', ofB({ count: 0 }), ['countQualityStyle.count'], ofB({ count: 1 })],
    ['11 images', ofB({ count: 11 }), ['countQualityStyle.count'], ofB({ count: 10 })],
    ['an empty model', ofB({ model: '' }), ['countQualityStyle.model'], ofB({ model: 'any' })],
    [
      'quality and style of gpt-image-1',
      ofB({ model: 'gpt-image-1-mini', quality: 'HD', style: 'VIVID' }),
      ['countQualityStyle.quality', 'countQualityStyle.style'],
      ofB({ model: 'dall-e-3', quality: 'HD', style: 'VIVID' }),
    ],
    [
      'quality and style of dall-e-2',
      ofB({ model: 'dall-e-2', quality: 'HD', style: 'NATURAL' }),
      ['countQualityStyle.quality', 'countQualityStyle.style'],
      ofB({ model: 'of-no-known-family', quality: 'HD', style: 'NATURAL', size: 'SIZE_256X256' }),
    ],
    [
      'declared members and stream in extra',
      {
        resolutionAndGroup: {
          ...plainResolutionAndGroup,
          extra: { stream: true, watermark: false, sequential_image_generation: 'auto' },
        },
      },
      [
        'resolutionAndGroup.extra.sequential_image_generation',
        'resolutionAndGroup.extra.stream',
        'resolutionAndGroup.extra.watermark',
      ],
      { resolutionAndGroup: { ...plainResolutionAndGroup, extra: { guidance: 2 } } },
    ],
    [
      'members of countQualityStyle in extra of resolutionAndGroup',
      {
        resolutionAndGroup: {
          ...plainResolutionAndGroup,
          extra: { n: 50, quality: 'hd', style: 'vivid', user: 'u' },
        },
      },
      [
        'resolutionAndGroup.extra.n',
        'resolutionAndGroup.extra.quality',
        'resolutionAndGroup.extra.style',
        'resolutionAndGroup.extra.user',
      ],
      { resolutionAndGroup: { ...plainResolutionAndGroup, extra: { negative_prompt: 'x' } } },
    ],
    [
      'members of resolutionAndGroup in extra of countQualityStyle',
      ofB({ extra: { sequential_image_generation: 'auto', watermark: false } }),
      ['countQualityStyle.extra.sequential_image_generation', 'countQualityStyle.extra.watermark'],
      ofB({ extra: { background: 'transparent' } }),
    ],
    [
      'a model of resolutionAndGroup in countQualityStyle',
      ofB({ model: 'doubao-seedream-4-0-250828' }),
      ['countQualityStyle.model'],
      ofB({ model: 'dreamseed-4' }),
    ],
    [
      'the same in other letters',
      ofB({ model: 'SeeDream-3' }),
      ['countQualityStyle.model'],
      ofB({ model: 'seed' }),
    ],
    [
      'stream in extra of countQualityStyle',
      ofB({ extra: { stream: true } }),
      ['countQualityStyle.extra.stream'],
      ofB({ extra: { m: 1 } }),
    ],
    ['an extra that is not an object', ofB({ extra: [1] }), ['countQualityStyle.extra'], ofB({ extra: {} })],
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
    const countQualityStyle = {
      prompt: 'x'.repeat(1001),
      model: 'dall-e-2',
      count: 0,
      size: 'AUTO',
      style: 'VIVID',
    } as const;
    expect(
      await issuesOf(gateway.app, {
        countQualityStyle: { ...countQualityStyle, quality: 'HD', extra: { n: 5, size: 'x' } },
      }),
    ).toEqual([
      'countQualityStyle.count',
      'countQualityStyle.extra.n',
      'countQualityStyle.extra.size',
      'countQualityStyle.prompt',
      'countQualityStyle.quality',
      'countQualityStyle.size',
      'countQualityStyle.style',
    ]);
    const resolutionAndGroup = { model: '', prompt: '', size: { pixels: { width: 90_000, height: 1 } } };
    expect(
      await issuesOf(gateway.app, { resolutionAndGroup: { ...resolutionAndGroup, extra: { model: 'x' } } }),
    ).toEqual([
      'resolutionAndGroup.extra.model',
      'resolutionAndGroup.model',
      'resolutionAndGroup.prompt',
      'resolutionAndGroup.size.pixels',
      'resolutionAndGroup.size.pixels',
    ]);
    expect(gateway.requests).toEqual([]);
  });
});
