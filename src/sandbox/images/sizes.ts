export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

const minArea = 1024 * 1024;
const maxArea = 4096 * 4096;
const maxRatio = 16;

/** Sides of square images by resolution token. Other shapes have about the same area. */
const sides: Readonly<Record<string, number>> = { '1K': 1024, '2K': 2048, '4K': 4096 };

export function isResolution(size: string): boolean {
  return Object.hasOwn(sides, size);
}

/** Parses `<width>x<height>`. Undefined for anything else. */
export function parsePixels(size: string): PixelSize | undefined {
  const [, width, height] = /^([1-9]\d{0,5})x([1-9]\d{0,5})$/.exec(size) ?? [];
  return width === undefined || height === undefined
    ? undefined
    : { width: Number(width), height: Number(height) };
}

/** Whether only set A allows an area of this size. */
export function isLarge({ width, height }: PixelSize): boolean {
  return width * height >= minArea;
}

/** Whether a size is a resolution token or within the limits of set A. */
export function isSizeOfSetA(size: string): boolean {
  if (isResolution(size)) return true;
  const pixels = parsePixels(size);
  if (!pixels) return false;
  const { width, height } = pixels;
  const area = width * height;
  return area >= minArea && area <= maxArea && width <= height * maxRatio && height <= width * maxRatio;
}

/** The size of an image of set A. The prompt chooses the shape of a resolution token. */
export function toPixels(size: string, prompt: string): PixelSize {
  const side = sides[size];
  if (side === undefined) return parsePixels(size) ?? { width: 2048, height: 2048 };
  const ratio = findRatio(prompt);
  // Models generate blocks of pixels.
  const round = (length: number): number => Math.floor(length / 16) * 16;
  return { width: round(side * Math.sqrt(ratio)), height: round(side / Math.sqrt(ratio)) };
}

/** The size of an image of set B. The prompt chooses the shape of `auto`. */
export function toPixelsOfSetB(size: string, prompt: string): PixelSize {
  const ratio = size === 'auto' ? findRatio(prompt) : 1;
  if (ratio > 1) return { width: 1536, height: 1024 };
  if (ratio < 1) return { width: 1024, height: 1536 };
  return parsePixels(size) ?? { width: 1024, height: 1024 };
}

/** Width by height, from the first usual aspect ratio in a text, such as 16:9. */
export function parseRatio(text: string): number | undefined {
  const ratio = /\b(1:1|2:3|3:2|3:4|4:3|4:5|5:4|9:16|16:9|9:21|21:9)\b/.exec(text)?.[1];
  if (ratio === undefined) return undefined;
  const [width = 1, height = 1] = ratio.split(':').map(Number);
  return width / height;
}

/** Width by height, from the numbers or words of a prompt. 1 by default. */
function findRatio(prompt: string): number {
  const ratio = parseRatio(prompt);
  if (ratio !== undefined) return ratio;
  if (/\b(landscape|panorama|wide|wallpaper)\b|横/i.test(prompt)) return 16 / 9;
  return /\b(portrait|vertical|upright)\b|竖/i.test(prompt) ? 3 / 4 : 1;
}
