import { builder } from '../../graphql/builder.ts';

export const CreateAnimationInput = builder.inputType('CreateAnimationInput', {
  description:
    'An animation from one prompt to another (POST /hosta/v1/predictions). What is absent is not sent.',
  fields: (t) => ({
    version: t.string({
      required: true,
      description: 'Model reference: which hosted model runs; not empty.',
    }),
    promptStart: t.string({ required: true, description: 'Prompt at the start. Wire name `prompt_start`.' }),
    promptEnd: t.string({
      required: true,
      description: 'Prompt at the end; several are separated by `|`. Wire name `prompt_end`.',
    }),
    width: t.int({ description: 'Pixels; 512 when absent.' }),
    height: t.int({ description: 'Pixels; 512 when absent.' }),
    gifPingPong: t.boolean({
      description: 'Run backwards to the start before looping; false when absent. Wire name `gif_ping_pong`.',
    }),
    outputFormat: t.string({
      description: 'File format: `gif` when absent; `mp4` is known too. Wire name `output_format`.',
    }),
    guidanceScale: t.float({ description: '1 to 20; 7.5 when absent. Wire name `guidance_scale`.' }),
    promptStrength: t.float({
      description:
        'Lower is more coherent, higher more varied and jumpier; 0.8 when absent. Wire name `prompt_strength`.',
    }),
    filmInterpolation: t.boolean({
      description: 'Interpolate between frames; true when absent. Wire name `film_interpolation`.',
    }),
    intermediateOutput: t.boolean({
      description: 'Show output on the way; false when absent. Wire name `intermediate_output`.',
    }),
    numInferenceSteps: t.int({ description: '1 to 500; 50 when absent. Wire name `num_inference_steps`.' }),
    numAnimationFrames: t.int({ description: '2 to 50; 10 when absent. Wire name `num_animation_frames`.' }),
    gifFramesPerSecond: t.int({ description: '1 to 50; 20 when absent. Wire name `gif_frames_per_second`.' }),
    numInterpolationSteps: t.int({
      description: '1 to 50; 5 when absent. Wire name `num_interpolation_steps`.',
    }),
    extra: t.field({
      type: 'JSON',
      description:
        "An object of further members of the request's `input`. Declared members are refused here.",
    }),
  }),
});

export type CreateAnimationInput = typeof CreateAnimationInput.$inferInput;
