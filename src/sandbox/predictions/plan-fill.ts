import type { ImageSource } from '../media/image-source.ts';
import type { PictureFormat, RepaintRecipe } from '../media/recipes.ts';
import type { FillRequest } from './requests.ts';

type Margins = NonNullable<RepaintRecipe['outpaint']>;

export interface FillOrder {
  readonly input: FillRequest['input'];
  readonly image: ImageSource;
  /** Undefined where the image brings its own, or the picture is expanded. */
  readonly mask: ImageSource | undefined;
  readonly seed: string;
}

/** The size of a picture that stands in for one that cannot be seen. */
const unseenSize = { width: 1024, height: 768 };

/** The file of a fill: the image with its masked part, or the space around it, painted anew. */
export function planFill({ input, image, mask, seed }: FillOrder): RepaintRecipe {
  const { width, height } = image === 'unseen' ? (sizeOf(mask) ?? unseenSize) : image.facts;
  const outpaint = usesOutpaint(input.outpaint) ? toMargins(input.outpaint, width, height) : undefined;
  return {
    kind: 'repaint',
    prompt: input.prompt,
    seed,
    format: formats[input.output_format],
    image: image === 'unseen' ? undefined : image.bytes,
    width,
    height,
    mask:
      mask === undefined
        ? image === 'unseen'
          ? 'unseen'
          : 'alpha'
        : mask === 'unseen'
          ? 'unseen'
          : mask.bytes,
    ...(outpaint && { outpaint }),
  };
}

/** Whether the option asks for an expansion; what is not a known word does not. */
export function usesOutpaint(option: string): boolean {
  return toMargins(option, 1, 2) !== undefined;
}

function toMargins(option: string, width: number, height: number): Margins | undefined {
  const none = { left: 0, right: 0, top: 0, bottom: 0 };
  const word = option.trim().toLowerCase();
  if (word === 'zoom out 1.5x') return { left: 0.25, right: 0.25, top: 0.25, bottom: 0.25 };
  if (word === 'zoom out 2x') return { left: 0.5, right: 0.5, top: 0.5, bottom: 0.5 };
  if (word === 'make square') {
    const across = Math.max(0, (height / width - 1) / 2);
    const along = Math.max(0, (width / height - 1) / 2);
    return { left: across, right: across, top: along, bottom: along };
  }
  const side = /^(left|right|top|bottom) outpaint$/.exec(word)?.[1];
  return side === undefined ? undefined : { ...none, [side]: 0.5 };
}

const formats: Readonly<Record<FillRequest['input']['output_format'], PictureFormat>> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
};

function sizeOf(
  source: ImageSource | undefined,
): { readonly width: number; readonly height: number } | undefined {
  return source === undefined || source === 'unseen' ? undefined : source.facts;
}
