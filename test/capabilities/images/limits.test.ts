import { describe, expect, test } from 'vitest';
import type { CreateImageInput, ImageSetBInput } from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import { issuesOf, make, plainA, plainB, reply } from '../../support/images.ts';

describe('createImage rejects', () => {
  const pixels = (width: number, height: number): CreateImageInput => ({
    setA: { ...plainA, size: { pixels: { width, height } } },
  });
  const ofB = (input: Partial<ImageSetBInput>): CreateImageInput => ({ setB: { ...plainB, ...input } });

  test.each([
    ['an area below the minimum', pixels(1024, 1023), ['setA.size.pixels'], pixels(1024, 1024)],
    ['an area above the maximum', pixels(4096, 4097), ['setA.size.pixels'], pixels(4096, 4096)],
    ['a too wide aspect ratio', pixels(8193, 512), ['setA.size.pixels'], pixels(8192, 512)],
    ['a too high aspect ratio', pixels(512, 8193), ['setA.size.pixels'], pixels(512, 8192)],
    [
      'an area and an aspect ratio',
      pixels(100, 1),
      ['setA.size.pixels', 'setA.size.pixels'],
      pixels(4096, 256),
    ],
    ['a width of 0', pixels(0, 2048), ['setA.size.pixels.width'], pixels(2048, 2048)],
    [
      'negative sides',
      pixels(-2048, -2048),
      ['setA.size.pixels.height', 'setA.size.pixels.width'],
      pixels(2048, 2048),
    ],
    ['a blank prompt', { setA: { ...plainA, prompt: ' ' } }, ['setA.prompt'], { setA: plainA }],
    ['a blank model', { setA: { ...plainA, model: ' ' } }, ['setA.model'], { setA: plainA }],
    [
      'a model of set B in set A',
      { setA: { ...plainA, model: 'dall-e-3' } },
      ['setA.model'],
      { setA: plainA },
    ],
    ['an empty prompt in set B', ofB({ prompt: '' }), ['setB.prompt'], ofB({ prompt: 'x' })],
    [
      '1001 characters',
      ofB({ prompt: '𝄞'.repeat(1001) }),
      ['setB.prompt'],
      ofB({ prompt: '𝄞'.repeat(1000) }),
    ],
    ['no image', ofB({ n: 0 }), ['setB.n'], ofB({ n: 1 })],
    ['11 images', ofB({ n: 11 }), ['setB.n'], ofB({ n: 10 })],
    ['an empty model', ofB({ model: '' }), ['setB.model'], ofB({ model: 'any' })],
    [
      'quality and style in family A',
      ofB({ model: 'gpt-image-1-mini', quality: 'HD', style: 'VIVID' }),
      ['setB.quality', 'setB.style'],
      ofB({ model: 'dall-e-3', quality: 'HD', style: 'VIVID' }),
    ],
    [
      'quality and style in family B',
      ofB({ model: 'dall-e-2', quality: 'HD', style: 'NATURAL' }),
      ['setB.quality', 'setB.style'],
      ofB({ model: 'of-no-known-family', quality: 'HD', style: 'NATURAL', size: 'SIZE_256X256' }),
    ],
    [
      'declared members and stream in extra',
      { setA: { ...plainA, extra: { stream: true, watermark: false, sequential_image_generation: 'auto' } } },
      ['setA.extra.sequential_image_generation', 'setA.extra.stream', 'setA.extra.watermark'],
      { setA: { ...plainA, extra: { guidance: 2 } } },
    ],
    [
      'members of set B in extra of set A',
      { setA: { ...plainA, extra: { n: 50, quality: 'hd', style: 'vivid', user: 'u' } } },
      ['setA.extra.n', 'setA.extra.quality', 'setA.extra.style', 'setA.extra.user'],
      { setA: { ...plainA, extra: { negative_prompt: 'x' } } },
    ],
    [
      'members of set A in extra of set B',
      ofB({ extra: { sequential_image_generation: 'auto', watermark: false } }),
      ['setB.extra.sequential_image_generation', 'setB.extra.watermark'],
      ofB({ extra: { background: 'transparent' } }),
    ],
    [
      'a model of set A in set B',
      ofB({ model: 'doubao-seedream-4-0-250828' }),
      ['setB.model'],
      ofB({ model: 'dreamseed-4' }),
    ],
    ['the same in other letters', ofB({ model: 'SeeDream-3' }), ['setB.model'], ofB({ model: 'seed' })],
    [
      'stream in extra of set B',
      ofB({ extra: { stream: true } }),
      ['setB.extra.stream'],
      ofB({ extra: { m: 1 } }),
    ],
    ['an extra that is not an object', ofB({ extra: [1] }), ['setB.extra'], ofB({ extra: {} })],
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
    const setB = { prompt: 'x'.repeat(1001), model: 'dall-e-2', n: 0, size: 'AUTO', style: 'VIVID' } as const;
    expect(
      await issuesOf(gateway.app, { setB: { ...setB, quality: 'HD', extra: { n: 5, size: 'x' } } }),
    ).toEqual([
      'setB.extra.n',
      'setB.extra.size',
      'setB.n',
      'setB.prompt',
      'setB.quality',
      'setB.size',
      'setB.style',
    ]);
    const setA = { model: '', prompt: '', size: { pixels: { width: 90_000, height: 1 } } };
    expect(await issuesOf(gateway.app, { setA: { ...setA, extra: { model: 'x' } } })).toEqual([
      'setA.extra.model',
      'setA.model',
      'setA.prompt',
      'setA.size.pixels',
      'setA.size.pixels',
    ]);
    expect(gateway.requests).toEqual([]);
  });
});
