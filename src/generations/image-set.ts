import type { Json } from '../lib/json.ts';
import type { StoredOutput } from '../store/records.ts';
import type { Asset } from './asset.ts';

export interface GeneratedImage extends Pick<Asset, 'file'> {
  readonly index?: number | undefined;
  readonly url?: string | undefined;
  readonly base64?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly contentType?: string | undefined;
  readonly isNsfw?: boolean | undefined;
  readonly revisedPrompt?: string | undefined;
  readonly contentFilterResults?: ContentFilterResults | undefined;
  readonly promptFilterResults?: PromptFilterResults | undefined;
}

/** An image of the set that failed. Other images may have succeeded. */
export interface FailedImage {
  readonly index?: number | undefined;
  readonly message: string;
  readonly upstreamCode?: string | undefined;
}

/** Images in one form for all families. */
export interface ImageSet extends StoredOutput {
  readonly type: 'image-set';
  readonly images: readonly GeneratedImage[];
  readonly failures?: readonly FailedImage[] | undefined;
  readonly created?: number | undefined;
  readonly seed?: number | bigint | undefined;
  readonly prompt?: string | undefined;
  readonly timings?: Json | undefined;
  readonly request?: Json | undefined;
}

/** A content filter's verdict on one category. */
export interface FilterVerdict {
  readonly filtered?: boolean | undefined;
  readonly severity?: string | undefined;
}

export interface ContentFilterResults {
  readonly hate?: FilterVerdict | undefined;
  readonly selfHarm?: FilterVerdict | undefined;
  readonly sexual?: FilterVerdict | undefined;
  readonly violence?: FilterVerdict | undefined;
}

export interface ProfanityVerdict {
  readonly detected?: boolean | undefined;
  readonly filtered?: boolean | undefined;
}

export interface PromptFilterResults extends ContentFilterResults {
  readonly profanity?: ProfanityVerdict | undefined;
}

export function imageAssets({ images }: ImageSet): readonly Asset[] {
  return images.map(({ index, url, base64, expiresAt, width, height, contentType }) => ({
    kind: 'IMAGE',
    index,
    url,
    base64,
    expiresAt,
    width,
    height,
    contentType,
  }));
}
