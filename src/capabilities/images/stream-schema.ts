import type { Graph } from '../../graphql/graph.ts';
import { createArguments, toCreateCall } from '../../graphql/create.ts';
import { failedImageRef, generatedImageRef, imageSetRef } from '../../graphql/image-set.ts';
import type { ImageSet } from '../../generations/image-set.ts';
import { createAndFollow } from '../../streams/create-and-follow.ts';
import { streamEventTypes } from '../../graphql/stream-event-types.ts';
import { imagesPath, toSetABody } from './client.ts';
import { imageStreamKind, type ImageStreamState, toImageSet } from './image-stream.ts';
import { imageSetAInput } from './inputs.ts';
import { setALimits } from './limits.ts';

function imageEvents(graph: Graph) {
  const events = streamEventTypes<ImageStreamState, ImageStreamState, ImageSet>(graph, {
    prefix: 'Image',
    soFar: graph.use(imageSetRef),
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
  graph.builder.objectFields(events.delta, (t) => ({
    images: t.field({
      type: [graph.use(generatedImageRef)],
      description: 'The images that are new.',
      resolve: ({ delta }) => [...delta.images],
    }),
    failures: t.field({
      type: [graph.use(failedImageRef)],
      description: 'Images of the set that could not be made, as far as they are new; the others go on.',
      resolve: ({ delta }) => [...delta.failures],
    }),
  }));
  return events;
}

export function addImageStream({ builder, use }: Graph): void {
  builder.subscriptionField('imageStream', (t) =>
    t.field({
      type: use(imageEvents).event,
      description:
        'Makes images of parameter set A and sends each as it is done (POST /v1/images/generations, `stream: true`). Over a WebSocket a retry by the stock client attaches to the same stream; elsewhere `idempotencyKey` is required, and the same key attaches again. A stream without a key of your own is stopped once nobody has watched it for a while (CHAT_DETACH_SECONDS, 2 minutes by default).',
      args: {
        input: t.arg({ type: use(imageSetAInput), required: true, description: 'The request.' }),
        ...use(createArguments),
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
}
