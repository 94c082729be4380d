import type { Graph } from '../../graphql/graph.ts';
import { addCreate } from '../../graphql/create.ts';
import { createTask } from '../../tasks/create-task.ts';
import {
  referenceVideoPath,
  toReferenceVideoBody,
  toTransitionVideoBody,
  toVideoBody,
  transitionVideoPath,
  videoPath,
} from './client.ts';
import { createReferenceVideoInput, createTransitionVideoInput, createVideoInput } from './inputs.ts';
import { referenceVideoLimits, transitionVideoLimits, videoLimits } from './limits.ts';
import { decodeTransitionAcknowledgement, decodeVideoAcknowledgement } from './wire.ts';

export function addVideo(graph: Graph): void {
  addCreate(graph, 'createVideo', {
    description:
      'Creates a video of 10 to 25 seconds, by orientation: from images, or from a prompt with an optional character.',
    input: createVideoInput,
    create: (call, input) => {
      const variant = input.fromImages ?? input.withCharacter;
      return createTask(call, {
        kind: 'VIDEO',
        input,
        limits: videoLimits,
        model: variant?.model,
        prompt: variant?.prompt,
        path: videoPath,
        toBody: toVideoBody,
        decode: decodeVideoAcknowledgement,
      });
    },
  });
  addCreate(graph, 'createReferenceVideo', {
    description:
      'Creates a video of 1 to 15 seconds, by aspect ratio and resolution: from a prompt, with an optional start image or reference images.',
    input: createReferenceVideoInput,
    create: (call, input) =>
      createTask(call, {
        kind: 'REFERENCE_VIDEO',
        input,
        limits: referenceVideoLimits,
        model: input.model,
        prompt: input.prompt,
        path: referenceVideoPath,
        toBody: toReferenceVideoBody,
        decode: decodeVideoAcknowledgement,
      }),
  });
  addCreate(graph, 'createTransitionVideo', {
    description: 'Creates a video with transitions between 2 to 7 images, uploaded directly to the gateway.',
    input: createTransitionVideoInput,
    create: (call, input) =>
      createTask(call, {
        kind: 'TRANSITION_VIDEO',
        input,
        limits: transitionVideoLimits,
        model: input.model,
        prompt: input.frames.flatMap(({ prompt }) => prompt ?? []).join(' → ') || undefined,
        path: transitionVideoPath,
        toBody: toTransitionVideoBody,
        decode: decodeTransitionAcknowledgement,
        form: 'api-key-header',
      }),
  });
}
