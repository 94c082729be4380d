import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support.ts';
import { createClient, download, type Acknowledgement, type QueueResult } from '../tasks/support.ts';

/** A sandbox whose choices depend only on the number. */
async function startRepeatable(start: number): Promise<(prompt: string) => Promise<Buffer>> {
  let state = start;
  const random = (): number => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const client = createClient(await startSandbox({ taskSeconds: 0, random }));
  return async (prompt) => {
    const request = { prompt, image_size: 'square', output_format: 'png' };
    const { response_url: url } = await client.create<Acknowledgement>('/hostb/flux-lora', request);
    const { images } = await client.read<QueueResult>(url);
    return download(images[0]?.url ?? '');
  };
}

const [paint, paintAgain, paintOther] = await Promise.all([5, 5, 6].map(startRepeatable));

const letters = `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><text y="48" font-size="48">W</text></svg>`;
const hasFonts = !(await sharp(Buffer.from(letters)).extractChannel(3).stats()).channels.every(
  ({ max }) => max === 0,
);

describe('a picture', () => {
  test('is the same for the same prompt and seed', async () => {
    const [one, same, other] = await Promise.all([
      paint?.('a fox'),
      paintAgain?.('a fox'),
      paintOther?.('a fox'),
    ]);
    expect(same && one?.equals(same)).toBe(true);
    expect(other && one?.equals(other)).toBe(false);
  });

  test.each([
    '',
    '   ',
    'x'.repeat(5000),
    '<svg onload="x"> & ]]> \u0000\u0007\uFFFF \uD800 end',
    '森の中の静かな湖と山、朝の霧'.repeat(20),
    'שלום عالم 🦊🌲',
  ])('can be made from any prompt: %j', async (prompt) => {
    const bytes = await paint?.(prompt);
    expect(await sharp(bytes, { failOn: 'warning' }).metadata()).toMatchObject({ width: 512, height: 512 });
  });

  test('has the words of its prompt in it', async ({ skip }) => {
    skip(!hasFonts, 'no fonts are installed');
    const { data } = await sharp(await paint?.('WWWW WWWW WWWW'))
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    // White strokes on the dark band along the lower edge, which a picture without words does not have.
    const isBright = (value: number): boolean => value > 240;
    const band = data.subarray(512 * 465, 512 * 512);
    expect(band.filter(isBright).length).toBeGreaterThan(200);
    const silent = await sharp(await paint?.(''))
      .greyscale()
      .raw()
      .toBuffer();
    expect(silent.subarray(512 * 465, 512 * 512).filter(isBright).length).toBe(0);
  });
});
