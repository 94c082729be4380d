import type { Graph } from '../../graphql/graph.ts';

export function createAnimationInput({ builder }: Graph) {
  return builder.inputType('CreateAnimationInput', {
    description: 'An animation between two prompts.',
    fields: (t) => ({
      modelVersion: t.string({
        required: true,
        description: 'Reference of the hosted model. Not empty.',
      }),
      promptStart: t.string({
        required: true,
        description: 'Prompt at the start. Not empty.',
      }),
      promptEnd: t.string({
        required: true,
        description: 'Prompt at the end, or several in sequence separated by `|`. Not empty.',
      }),
      width: t.int({ description: 'Width in pixels, from 1. Default 512.' }),
      height: t.int({ description: 'Height in pixels, from 1. Default 512.' }),
      pingPong: t.boolean({
        description: 'Play backward to the start before looping. Default false.',
      }),
      outputFormat: t.string({
        description: 'File format, such as `mp4`. Default `gif`.',
      }),
      guidanceScale: t.float({
        description: 'How closely frames follow the prompts, 1 to 20. Default 7.5.',
      }),
      promptStrength: t.float({
        description:
          'Lower is more coherent, higher is more varied and less smooth. The gateway documents no range. Default 0.8.',
      }),
      interpolateFrames: t.boolean({
        description: 'Interpolate between frames. Default true.',
      }),
      intermediateOutput: t.boolean({
        description: 'Return partial output while running. Default false.',
      }),
      steps: t.int({
        description: 'Steps per frame, 1 to 500. More is finer and slower. Default 50.',
      }),
      frameCount: t.int({
        description: 'Generated frames, 2 to 50. Default 10.',
      }),
      framesPerSecond: t.int({
        description: 'Frames per second, 1 to 50. Default 20.',
      }),
      interpolationSteps: t.int({
        description: 'Interpolation steps between frames, 1 to 50. Default 5.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          "Further members of the request's `input` by wire name. `stream` and members that have a field here are refused.",
      }),
    }),
  });
}

export function fillImageInput({ builder }: Graph) {
  return builder.inputType('FillImageInput', {
    description: 'An image to fill in or extend.',
    fields: (t) => ({
      modelOwner: t.string({
        required: true,
        description:
          'Owner of the hosted model: the first part of `owner/name`. Up to 200 characters without a slash.',
      }),
      modelName: t.string({
        required: true,
        description:
          'Name of the hosted model: the second part of `owner/name`. Up to 200 characters without a slash.',
      }),
      image: t.string({
        required: true,
        description:
          'Image to repair: http(s) URL or base64 data URI; jpeg, png, gif or webp. Its alpha channel can serve as the mask.',
      }),
      prompt: t.string({ required: true, description: 'Text prompt for the repaired area. Not empty.' }),
      mask: t.string({
        description:
          'Black-and-white image of the same size: black is kept, white is repaired. Http(s) URL or base64 data URI; jpeg, png, gif or webp. Optional if the image has an alpha channel or `outpaint` is set.',
      }),
      steps: t.int({
        description: 'Steps, 15 to 50. More is finer and slower. Default 50.',
      }),
      guidanceScale: t.float({
        description: 'How closely the image follows the prompt, 1.5 to 100. Default 60.',
      }),
      outpaint: t.string({
        description:
          'Expands the image beyond its borders, such as `Zoom out 2x`, and ignores the mask. Default `None`.',
      }),
      outputFormat: t.string({
        description: 'File format, such as `png`. Default `jpg`.',
      }),
      safetyTolerance: t.int({
        description: 'Safety filter, 1 (strictest) to 6 (most permissive). Default 2.',
      }),
      promptUpsampling: t.boolean({
        description: 'Let the model extend the prompt. Default false.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          "Further members of the request's `input` by wire name. `stream` and members that have a field here are refused.",
      }),
    }),
  });
}

export type FillImageInput = ReturnType<typeof fillImageInput>['$inferInput'];
export type CreateAnimationInput = ReturnType<typeof createAnimationInput>['$inferInput'];
