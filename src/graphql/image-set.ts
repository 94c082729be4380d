import {
  type FailedImage,
  type GeneratedImage,
  imageAssets,
  type ImageSet,
} from '../generations/image-set.ts';
import { builder } from './builder.ts';
import { registerOutput } from './generation-output.ts';
import { ContentFilterResultsRef, PromptFilterResultsRef } from './image-filters.ts';

export const GeneratedImageRef = builder.objectRef<GeneratedImage>('GeneratedImage').implement({
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
      type: ContentFilterResultsRef,
      nullable: true,
      description: 'What the filters say of the image. Wire name `content_filter_results`.',
    }),
    promptFilterResults: t.expose('promptFilterResults', {
      type: PromptFilterResultsRef,
      nullable: true,
      description: 'What the filters say of its prompt. Wire name `prompt_filter_results`.',
    }),
  }),
});

export const FailedImageRef = builder.objectRef<FailedImage>('FailedImage').implement({
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

export const ImageSetRef = builder.objectRef<ImageSet>('ImageSet').implement({
  description: 'Images that one request made.',
  fields: (t) => ({
    images: t.field({
      type: [GeneratedImageRef],
      description: 'The images, in the order of the gateway.',
      resolve: ({ images }) => [...images],
    }),
    failures: t.field({
      type: [FailedImageRef],
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

registerOutput({ type: 'image-set', ref: ImageSetRef, assets: imageAssets });
