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

function imageEventTypes(graph: Graph) {
  const events = streamEventTypes<ImageStreamState, ImageStreamState, ImageSet>(graph, {
    prefix: 'Image',
    soFar: graph.use(imageSetRef),
    toSoFar: ({ state }) => toImageSet(state),
    descriptions: {
      generationId: '`generation`, `cancelGeneration`',
      soFar: 'All images so far. Computed only when selected.',
      again: 'with the same `idempotencyKey`',
      completed: 'End: all images are complete, at least one.',
      failed:
        'End: the create was refused, the stream failed or had no image, or it cannot be followed. Received images are kept.',
    },
  });
  graph.builder.objectFields(events.delta, (t) => ({
    images: t.field({
      type: [graph.use(generatedImageRef)],
      description: 'New images.',
      resolve: ({ delta }) => [...delta.images],
    }),
    failures: t.field({
      type: [graph.use(failedImageRef)],
      description: 'New failures of single images. The other images continue.',
      resolve: ({ delta }) => [...delta.failures],
    }),
  }));
  return events;
}

export function addImageStream({ builder, use }: Graph): void {
  builder.subscriptionField('streamImages', (t) =>
    t.field({
      type: use(imageEventTypes).event,
      description:
        'Creates images of parameter set A and sends each image when it is complete (POST /v1/images/generations). Requires `idempotencyKey`, except over a WebSocket, where a retry of the same operation reattaches. Without a key, the stream stops when nobody has followed it for a while (default 2 minutes).',
      args: {
        input: t.arg({ type: use(imageSetAInput), required: true, description: 'The request.' }),
        ...use(createArguments),
      },
      subscribe: (_root, { input, ...args }, context, info) =>
        createAndFollow(toCreateCall(args, context, info), {
          streamed: imageStreamKind,
          operation: 'streamImages',
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
