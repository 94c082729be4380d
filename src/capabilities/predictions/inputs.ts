import type { Graph } from '../../graphql/graph.ts';

export function createAnimationInput({ builder }: Graph) {
  return builder.inputType('CreateAnimationInput', {
    description: 'An animation between two prompts.',
    fields: (t) => ({
      modelVersion: t.string({
        required: true,
        description: 'Reference of the hosted model, 1 to 200 characters.',
      }),
      promptStart: t.string({
        required: true,
        description: 'Prompt at the start. Not empty.',
      }),
      promptEnd: t.string({
        required: true,
        description: 'Prompt at the end, or several in sequence separated by `|`. Not empty.',
      }),
      width: t.int({ description: 'In pixels. Default 512.' }),
      height: t.int({ description: 'In pixels. Default 512.' }),
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
        description: 'Lower is more coherent, higher is more varied and less smooth. Default 0.8.',
      }),
      interpolateFrames: t.boolean({
        description: 'Interpolate between frames. Default true.',
      }),
      intermediateOutput: t.boolean({
        description: 'Return partial output while running. Default false.',
      }),
      steps: t.int({
        description: 'Per frame, 1 to 500. More is finer and slower. Default 50.',
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
        description: 'Other members of `input`, by wire name.',
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
        description: '`owner` in `owner/name` of the hosted model: 1 to 100 characters, no slash.',
      }),
      modelName: t.string({
        required: true,
        description: '`name` in `owner/name`, limited as `modelOwner`.',
      }),
      image: t.string({
        required: true,
        description: 'URL or base64 data URI; jpeg, png, gif or webp. Its alpha channel can be the mask.',
      }),
      prompt: t.string({ required: true, description: 'For the filled area, not empty.' }),
      mask: t.string({
        description:
          'Image of the same size: black is kept, white is filled. URL or base64 data URI; jpeg, png, gif or webp. Optional with an alpha channel or `outpaint`.',
      }),
      steps: t.int({
        description: 'More is finer and slower, 15 to 50. Default 50.',
      }),
      guidanceScale: t.float({
        description: 'How closely the image follows the prompt, 1.5 to 100. Default 60.',
      }),
      outpaint: t.string({
        description: 'Extends the image beyond its borders instead, such as `Zoom out 2x`. Default `None`.',
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
        description: 'Other members of `input`, by wire name.',
      }),
    }),
  });
}

export type FillImageInput = ReturnType<typeof fillImageInput>['$inferInput'];
export type CreateAnimationInput = ReturnType<typeof createAnimationInput>['$inferInput'];
