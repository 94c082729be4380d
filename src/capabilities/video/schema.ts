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
    create: createTask({
      kind: 'VIDEO',
      limits: videoLimits,
      model: (input) => (input.fromImages ?? input.withCharacter)?.model,
      prompt: (input) => (input.fromImages ?? input.withCharacter)?.prompt,
      path: videoPath,
      toBody: toVideoBody,
      decode: decodeVideoAcknowledgement,
    }),
  });
  addCreate(graph, 'createReferenceVideo', {
    description:
      'Creates a video of 1 to 15 seconds, by aspect ratio and resolution: from a prompt, with an optional start image or reference images.',
    input: createReferenceVideoInput,
    create: createTask({
      kind: 'REFERENCE_VIDEO',
      limits: referenceVideoLimits,
      model: ({ model }) => model,
      prompt: ({ prompt }) => prompt,
      path: referenceVideoPath,
      toBody: toReferenceVideoBody,
      decode: decodeVideoAcknowledgement,
    }),
  });
  addCreate(graph, 'createTransitionVideo', {
    description: 'Creates a video with transitions between 2 to 7 images, uploaded directly to the gateway.',
    input: createTransitionVideoInput,
    create: createTask({
      kind: 'TRANSITION_VIDEO',
      limits: transitionVideoLimits,
      model: ({ model }) => model,
      prompt: (input) => input.frames.flatMap(({ prompt }) => prompt ?? []).join(' → ') || undefined,
      path: transitionVideoPath,
      toBody: toTransitionVideoBody,
      decode: decodeTransitionAcknowledgement,
      form: 'api-key-header',
    }),
  });
}
