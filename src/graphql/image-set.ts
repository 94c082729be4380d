import {
  type FailedImage,
  type GeneratedImage,
  imageAssets,
  type ImageSet,
} from '../generations/image-set.ts';
import type { Graph } from './graph.ts';
import type { OutputType } from './generation-output.ts';
import { contentFilterResultsRef, promptFilterResultsRef } from './image-filters.ts';

export function generatedImageRef({ builder, use }: Graph) {
  return builder.objectRef<GeneratedImage>('GeneratedImage').implement({
    description: 'One image of a set: by address, or inline.',
    fields: (t) => ({
      index: t.exposeInt('index', {
        nullable: true,
        description:
          'Its place among the images asked for, from 0, where the gateway tells it; one that failed leaves a gap.',
      }),
      url: t.expose('url', {
        type: 'URL',
        nullable: true,
        description: 'Its address; null where it came inline.',
      }),
      base64: t.exposeString('base64', {
        nullable: true,
        description: 'The image itself in base64, where it was asked for inline. Wire name `b64_json`.',
      }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description:
          'When the address stops working: with parameter set A 24 hours after `created`; null where nobody says.',
      }),
      width: t.exposeInt('width', { nullable: true, description: 'Width in pixels, as reported.' }),
      height: t.exposeInt('height', { nullable: true, description: 'Height in pixels, as reported.' }),
      contentType: t.exposeString('contentType', {
        nullable: true,
        description: 'MIME type; `image/jpeg` with parameter set A, else as reported.',
      }),
      isNsfw: t.exposeBoolean('isNsfw', {
        nullable: true,
        description:
          'Whether the safety checker objects to it; null when it was off or said nothing. Wire name `has_nsfw_concepts`.',
      }),
      revisedPrompt: t.exposeString('revisedPrompt', {
        nullable: true,
        description: 'The prompt as the model rewrote it. Wire name `revised_prompt`.',
      }),
      contentFilterResults: t.expose('contentFilterResults', {
        type: use(contentFilterResultsRef),
        nullable: true,
        description: 'What the filters say of the image. Wire name `content_filter_results`.',
      }),
      promptFilterResults: t.expose('promptFilterResults', {
        type: use(promptFilterResultsRef),
        nullable: true,
        description: 'What the filters say of its prompt. Wire name `prompt_filter_results`.',
      }),
    }),
  });
}

export function failedImageRef({ builder }: Graph) {
  return builder.objectRef<FailedImage>('FailedImage').implement({
    description: 'An image of a set that could not be made; the others are there all the same.',
    fields: (t) => ({
      index: t.exposeInt('index', {
        nullable: true,
        description: 'Its place among the images asked for, from 0, where the gateway tells it.',
      }),
      message: t.exposeString('message', { description: 'Why, for people.' }),
      upstreamCode: t.exposeString('upstreamCode', {
        nullable: true,
        description: "The gateway's own code for it, where it sent one.",
      }),
    }),
  });
}

export function imageSetRef({ builder, use }: Graph) {
  return builder.objectRef<ImageSet>('ImageSet').implement({
    description: 'Images that one request made.',
    fields: (t) => ({
      images: t.field({
        type: [use(generatedImageRef)],
        description: 'The images, in the order of the gateway.',
        resolve: ({ images }) => [...images],
      }),
      failures: t.field({
        type: [use(failedImageRef)],
        description: 'The images that could not be made.',
        resolve: ({ failures = [] }) => [...failures],
      }),
      created: t.expose('created', {
        type: 'DateTime',
        nullable: true,
        description: 'When they were made, as reported.',
      }),
      seed: t.expose('seed', { type: 'BigInt', nullable: true, description: 'The seed that was used.' }),
      prompt: t.exposeString('prompt', { nullable: true, description: 'The prompt as it was used.' }),
      timings: t.expose('timings', {
        type: 'JSON',
        nullable: true,
        description: 'How long the parts of the work took, as reported.',
      }),
      request: t.expose('request', {
        type: 'JSON',
        nullable: true,
        description:
          'The request as the gateway repeats it. Inline media from 512 characters on is replaced by its size and hash; shorter stays.',
      }),
    }),
  });
}

export const imageSetOutput: OutputType<ImageSet> = {
  type: 'image-set',
  ref: imageSetRef,
  assets: imageAssets,
};
