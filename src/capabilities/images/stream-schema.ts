import { builder } from '../../graphql/builder.ts';
import { registerStreamCancellation } from '../../graphql/cancel.ts';
import { createArguments, toCreateCall } from '../../graphql/create.ts';
import { registerOutputReader } from '../../graphql/generation-output.ts';
import { FailedImageRef, GeneratedImageRef, ImageSetRef } from '../../graphql/image-set.ts';
import type { ImageSet } from '../../generations/image-set.ts';
import { createAndFollow } from '../../streams/create-and-follow.ts';
import { streamEventTypes } from '../../graphql/stream-event-types.ts';
import { findStream } from '../../streams/streamed-kind.ts';
import { imagesPath, toSetABody } from './client.ts';
import { type ImageStreamState, imageStreamKind } from './image-stream.ts';
import { ImageSetAInput } from './inputs.ts';
import { setALimits } from './limits.ts';

registerStreamCancellation(imageStreamKind);
registerOutputReader('IMAGE', (generation, { engine }) => {
  const stream = findStream(engine, imageStreamKind, generation.id);
  return stream && stream.end === undefined ? toImageSet(stream.state) : generation.output;
});

const { event: ImageEventRef, delta: ImageDeltaRef } = streamEventTypes<
  ImageStreamState,
  ImageStreamState,
  ImageSet
>({
  prefix: 'Image',
  soFar: ImageSetRef,
  toSoFar: ({ state }) => toImageSet(state),
  descriptions: {
    generationId: '`generation`, `cancelGeneration`',
    soFar: 'All images up to here. Worked out only when selected.',
    again: 'with the same `idempotencyKey`',
    completed: 'The end: the gateway has made what it makes; there is at least one image.',
    failed:
      'The end: refused (the same error types as `createImage`), cut, stalled, without a single image, or not to be followed. What had arrived is kept.',
  },
});

builder.objectFields(ImageDeltaRef, (t) => ({
  images: t.field({
    type: [GeneratedImageRef],
    description: 'The images that are new.',
    resolve: ({ delta }) => [...delta.images],
  }),
  failures: t.field({
    type: [FailedImageRef],
    description: 'Images of the set that could not be made, as far as they are new; the others go on.',
    resolve: ({ delta }) => [...delta.failures],
  }),
}));

function toImageSet(state: ImageStreamState): ImageSet {
  return { type: 'image-set', ...state };
}

builder.subscriptionField('imageStream', (t) =>
  t.field({
    type: ImageEventRef,
    description:
      'Makes images of parameter set A and sends each as it is done (POST /v1/images/generations, `stream: true`). Over a WebSocket a retry by the stock client attaches to the same stream; elsewhere `idempotencyKey` is required, and the same key attaches again. A stream without a key of your own is stopped once nobody has watched it for a while (CHAT_DETACH_SECONDS, 2 minutes by default).',
    args: {
      input: t.arg({ type: ImageSetAInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    subscribe: (_root, { input, ...args }, context, info) =>
      createAndFollow(toCreateCall(args, context, info), {
        streamed: imageStreamKind,
        operation: 'imageStream',
        input,
        limits: setALimits,
        model: input.model,
        prompt: input.prompt,
        path: imagesPath,
        toBody: (images) => ({ ...toSetABody(images), stream: true }),
      }),
    resolve: (event) => event,
  }),
);
