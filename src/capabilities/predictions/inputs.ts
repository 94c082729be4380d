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

export const FillImageInput = builder.inputType('FillImageInput', {
  description:
    'An image whose masked part, or surroundings, are painted anew (POST /hosta/v1/models/{owner}/{model_name}/predictions). What is absent is not sent.',
  fields: (t) => ({
    owner: t.string({
      required: true,
      description:
        "The hosted model's owner, the first part of `owner/name`: one segment of the path, at most 200 characters without slash.",
    }),
    modelName: t.string({
      required: true,
      description:
        "The hosted model's name, the second part of `owner/name`: one segment of the path, at most 200 characters without slash. Wire name `model_name`.",
    }),
    image: t.string({
      required: true,
      description:
        'What to repair: an http(s) address or a base64 data URI; jpeg, png, gif or webp. Its alpha channel may be the mask.',
    }),
    prompt: t.string({ required: true, description: 'What to show in the repaired part; not empty.' }),
    mask: t.string({
      description:
        "Black is kept, white is repaired: an http(s) address or a base64 data URI; jpeg, png, gif or webp, of the image's own size. May be absent when `outpaint` is used or the image has an alpha mask; an inline image without alpha channel has none.",
    }),
    steps: t.int({ description: '15 to 50; 50 when absent.' }),
    guidance: t.float({ description: '1.5 to 100, higher follows the prompt more closely; 60 when absent.' }),
    outpaint: t.string({
      description:
        'A quick way to expand the image, in the words of the model, such as `Zoom out 2x`; the mask is ignored when it is used. `None` when absent.',
    }),
    outputFormat: t.string({ description: 'File format; `jpg` when absent. Wire name `output_format`.' }),
    safetyTolerance: t.int({
      description:
        '1 to 6: 1 is the strictest, 6 the most permissive; 2 when absent. Wire name `safety_tolerance`.',
    }),
    promptUpsampling: t.boolean({
      description: 'Let the model enrich the prompt; false when absent. Wire name `prompt_upsampling`.',
    }),
    extra: t.field({
      type: 'JSON',
      description:
        "An object of further members of the request's `input`. Declared members are refused here.",
    }),
  }),
});

export type FillImageInput = typeof FillImageInput.$inferInput;
export type CreateAnimationInput = typeof CreateAnimationInput.$inferInput;
