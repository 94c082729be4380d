import type { ImageSize } from '../../lib/image-header.ts';
import type { ImageSource } from '../media/image-source.ts';
import type { RepaintRecipe } from '../media/recipes.ts';
import type { FillRequest } from './requests.ts';

type Margins = NonNullable<RepaintRecipe['outpaint']>;

export interface FillOrder {
  readonly input: FillRequest['input'];
  readonly image: ImageSource;
  /** Undefined if the image's alpha channel is the mask or the picture is expanded. */
  readonly mask: ImageSource | undefined;
  readonly seed: string;
}

/** The size of a placeholder for an unseen image. */
const unseenSize = { width: 1024, height: 768 };
const maxExpandedSide = 4096;

/** The recipe of a fill: repaints the masked part of the image, or paints the space around it. */
export function planFill({ input, image, mask, seed }: FillOrder): RepaintRecipe {
  const seen = [image, mask].find((source) => source !== undefined && source !== 'unseen');
  const original = seen?.facts ?? unseenSize;
  const outpaint = toMargins(input.outpaint, original.width, original.height);
  const { width, height } = outpaint ? fit(original, outpaint) : original;
  const { output_format: format } = input;
  return {
    kind: 'repaint',
    prompt: input.prompt,
    seed,
    format: format === 'jpg' ? 'jpeg' : format,
    image: image === 'unseen' ? undefined : image.bytes,
    width,
    height,
    mask: (mask ?? image) === 'unseen' ? 'unseen' : typeof mask === 'object' ? mask.bytes : 'alpha',
    ...(outpaint && { outpaint }),
  };
}

/** The size in which an expanded image has no side over the limit. File types have limits of their own. */
function fit({ width, height }: ImageSize, { left, right, top, bottom }: Margins): ImageSize {
  const longest = Math.max(width * (1 + left + right), height * (1 + top + bottom));
  const scale = Math.min(1, maxExpandedSide / longest);
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}

/** Whether the option asks for an expansion. Unknown words do not. */
export function usesOutpaint(option: string): boolean {
  return toMargins(option, 1, 2) !== undefined;
}

function toMargins(option: string, width: number, height: number): Margins | undefined {
  const word = option.trim().toLowerCase();
  if (word === 'make square') return evenMargins((height / width - 1) / 2, (width / height - 1) / 2);
  if (word === 'zoom out 1.5x') return evenMargins(0.25, 0.25);
  if (word === 'zoom out 2x') return evenMargins(0.5, 0.5);
  const side = /^(left|right|top|bottom) outpaint$/.exec(word)?.[1];
  return side === undefined ? undefined : { ...evenMargins(0, 0), [side]: 0.5 };
}

function evenMargins(across: number, along: number): Margins {
  const [x, y] = [Math.max(0, across), Math.max(0, along)];
  return { left: x, right: x, top: y, bottom: y };
}
