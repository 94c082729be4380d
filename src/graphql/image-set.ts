import type { StoredOutput } from '../store/records.ts';
import type { Json } from '../lib/json.ts';
import type { Asset } from './asset.ts';
import { builder } from './builder.ts';
import { registerOutput } from './generation-output.ts';

export interface GeneratedImage {
  readonly url?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly contentType?: string | undefined;
  readonly isNsfw?: boolean | undefined;
}

/** Images of any family. */
export interface ImageSet extends StoredOutput {
  readonly type: 'image-set';
  readonly images: readonly GeneratedImage[];
  readonly seed?: number | bigint | undefined;
  readonly prompt?: string | undefined;
  readonly timings?: Json | undefined;
}

const GeneratedImageRef = builder.objectRef<GeneratedImage>('GeneratedImage').implement({
  description: 'One image of a set.',
  fields: (t) => ({
    url: t.expose('url', { type: 'URL', nullable: true, description: 'Where it lies.' }),
    width: t.exposeInt('width', { nullable: true, description: 'Pixels.' }),
    height: t.exposeInt('height', { nullable: true, description: 'Pixels.' }),
    contentType: t.exposeString('contentType', { nullable: true, description: 'MIME type.' }),
    isNsfw: t.exposeBoolean('isNsfw', {
      nullable: true,
      description:
        "The safety checker's word; null when it was off or said nothing. Wire name `has_nsfw_concepts`.",
    }),
  }),
});

const ImageSetRef = builder.objectRef<ImageSet>('ImageSet').implement({
  description: 'Images that one request made.',
  fields: (t) => ({
    images: t.field({
      type: [GeneratedImageRef],
      description: 'In the order of the gateway.',
      resolve: ({ images }) => [...images],
    }),
    seed: t.expose('seed', { type: 'BigInt', nullable: true, description: 'The seed that was used.' }),
    prompt: t.exposeString('prompt', { nullable: true, description: 'The prompt as it was used.' }),
    timings: t.expose('timings', {
      type: 'JSON',
      nullable: true,
      description: 'How long its parts took, as reported.',
    }),
  }),
});

function imageAssets({ images }: ImageSet): readonly Asset[] {
  return images.map(({ url, width, height, contentType }) => ({
    kind: 'IMAGE',
    url,
    width,
    height,
    contentType,
  }));
}

registerOutput({ type: 'image-set', ref: ImageSetRef, assets: imageAssets });
