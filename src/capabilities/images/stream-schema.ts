import type { Graph } from '../../graphql/graph.ts';
import { toOperation } from '../../graphql/context.ts';
import { createArguments, toCreateCall } from '../../graphql/create.ts';
import { failedImageRef, generatedImageRef, imageSetRef } from '../../graphql/image-set.ts';
import type { ImageSet } from '../../generations/image-set.ts';
import { createAndFollow } from '../../streams/create-and-follow.ts';
import {
  followArguments,
  intervalArgument,
  toFollowOptions,
  toInterval,
} from '../../graphql/follow-arguments.ts';
import { streamEventTypes } from '../../graphql/stream-event-types.ts';
import { followById } from '../../streams/follow-stream.ts';
import { imagesPath, toByResolutionBody } from './client.ts';
import { hasImages, imageStreamKind, type ImageStreamState, toImageSet } from './image-stream.ts';
import { byResolutionImageInput } from './inputs.ts';
import { byResolutionLimits } from './limits.ts';

function imageEventTypes(graph: Graph) {
  const events = streamEventTypes<ImageStreamState, ImageStreamState, ImageSet>(graph, {
    prefix: 'Image',
    soFar: graph.use(imageSetRef),
    toSoFar: ({ state }) => toImageSet(state),
    descriptions: {
      event: 'As `ChatEvent`: ImageSnapshot, ImageDelta, then ImageCompleted, ImageCanceled or ImageFailed.',
      soFar: 'All images so far.',
      delta: 'Apply or ignore it by the rules of ChatDelta.',
      canceled: 'Final event, as ChatCanceled.',
      completed: 'Final event: at least one image succeeded.',
      failed: 'Final event: refused, failed, without an image, or not resumable. Saved images are kept.',
    },
  });
  graph.builder.objectFields(events.delta, (t) => ({
    images: t.field({
      type: [graph.use(generatedImageRef)],
      description: 'New images.',
      resolve: ({ delta }) => delta.images,
    }),
    failures: t.field({
      type: [graph.use(failedImageRef)],
      description: 'New failures. Other images continue.',
      resolve: ({ delta }) => delta.failures,
    }),
  }));
  return events;
}

export function addImageStreams({ builder, use }: Graph): void {
  const { event } = use(imageEventTypes);
  builder.subscriptionFields((t) => ({
    streamImages: t.field({
      type: event,
      extensions: { followedBy: 'imageEvents' },
      description:
        'Creates images and sends each when it is complete. Keys and reconnects as for `streamChat`.',
      args: {
        input: t.arg({
          type: use(byResolutionImageInput),
          required: true,
        }),
        ...use(createArguments),
        ...use(intervalArgument),
      },
      subscribe: (_root, { input, ...args }, context, info) =>
        createAndFollow(toCreateCall(args, context, info), {
          streamed: imageStreamKind,
          operation: 'streamImages',
          input,
          limits: byResolutionLimits,
          model: input.model,
          prompt: input.prompt,
          path: imagesPath,
          toBody: (images) => ({ ...toByResolutionBody(images), stream: true }),
          isAccepted: hasImages,
          minIntervalMs: toInterval(args, info, 'Image'),
        }),
      resolve: (imageEvent) => imageEvent,
    }),
    imageEvents: t.field({
      type: event,
      description: 'Follows a stream of `streamImages`, as `chatEvents` follows a chat.',
      args: use(followArguments),
      subscribe: (_root, { id, ...args }, context, info) =>
        followById(toOperation(context), imageStreamKind, { id, ...toFollowOptions(args, info, 'Image') }),
      resolve: (imageEvent) => imageEvent,
    }),
  }));
}
