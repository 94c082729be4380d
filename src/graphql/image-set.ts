import {
  type FailedImage,
  type GeneratedImage,
  imageAssets,
  type ImageSet,
} from '../generations/image-set.ts';
import { contentTypeOf } from '../generations/content-type.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import type { OutputType } from './generation-output.ts';
import { base64Of } from './inline-content.ts';
import { contentFilterResultsRef, promptFilterResultsRef } from './image-filters.ts';
import { shared } from './shared-descriptions.ts';

export function generatedImageRef({ builder, use }: Graph) {
  return builder.objectRef<GeneratedImage>('GeneratedImage').implement({
    description: 'A generated image, as a URL or inline.',
    fields: (t) => ({
      index: t.exposeInt('index', nullable('Null for queued images. A failed image leaves a gap.')),
      url: t.expose('url', { type: 'URL', ...nullable('Null if inline.') }),
      base64: t.string({
        ...nullable('Base64, if inline.'),
        resolve: (image, _args, context) => base64Of(image, context),
      }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        ...nullable('When the URL expires, if known: 24 hours after `createdAt` for `byResolution`.'),
      }),
      width: t.exposeInt('width', nullable('In pixels, if reported.')),
      height: t.exposeInt('height', nullable('In pixels, if reported.')),
      contentType: t.string({
        ...nullable('MIME type, as reported, requested or recognized.'),
        resolve: (image) => contentTypeOf({ ...image, kind: 'IMAGE' }),
      }),
      isNsfw: t.exposeBoolean('isNsfw', nullable('Verdict of the safety checker, if any.')),
      revisedPrompt: t.exposeString('revisedPrompt', nullable('The prompt as rewritten by the model.')),
      contentFilterResults: t.expose('contentFilterResults', {
        type: use(contentFilterResultsRef),
        nullable: true,
      }),
      promptFilterResults: t.expose('promptFilterResults', {
        type: use(promptFilterResultsRef),
        nullable: true,
      }),
    }),
  });
}

export function failedImageRef({ builder }: Graph) {
  return builder.objectRef<FailedImage>('FailedImage').implement({
    description: 'An image that failed. Others may have succeeded.',
    fields: (t) => ({
      index: t.exposeInt('index', nullable('Index among the requested images.')),
      message: t.exposeString('message', { description: shared.message }),
      upstreamCode: t.exposeString('upstreamCode', nullable(shared.upstreamCode)),
    }),
  });
}

export function imageSetRef({ builder, use }: Graph) {
  return builder.objectRef<ImageSet>('ImageSet').implement({
    description: 'Images of one request.',
    fields: (t) => ({
      images: t.expose('images', {
        type: [use(generatedImageRef)],
        description: 'Images that succeeded, in gateway order.',
      }),
      failures: t.field({
        type: [use(failedImageRef)],
        description: 'Images that failed.',
        resolve: ({ failures = [] }) => failures,
      }),
      createdAt: t.expose('created', { type: 'DateTime', ...nullable('Creation time, if reported.') }),
      seed: t.expose('seed', { type: 'BigInt', ...nullable('As used.') }),
      prompt: t.exposeString('prompt', nullable('As used.')),
      timings: t.expose('timings', { type: 'JSON', ...nullable('As reported.') }),
      request: t.expose('request', { type: 'JSON', ...nullable('Request, as the gateway echoes it.') }),
    }),
  });
}

export const imageSetOutput: OutputType<ImageSet> = {
  type: 'image-set',
  ref: imageSetRef,
  assets: imageAssets,
};
