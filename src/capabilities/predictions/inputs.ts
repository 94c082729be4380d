import type { Graph } from '../../graphql/graph.ts';

export function createAnimationInput({ builder }: Graph) {
  return builder.inputType('CreateAnimationInput', {
    description:
      'An animation from one prompt to another (POST /hosta/v1/predictions). What is absent is not sent.',
    fields: (t) => ({
      version: t.string({
        required: true,
        description: 'Which hosted model runs, as the gateway refers to it; not empty.',
      }),
      promptStart: t.string({
        required: true,
        description: 'What the animation shows at its start; not empty. Wire name `prompt_start`.',
      }),
      promptEnd: t.string({
        required: true,
        description:
          'What it shows at its end; several prompts, gone through one after the other, are separated by `|`; not empty. Wire name `prompt_end`.',
      }),
      width: t.int({ description: 'Width in pixels, from 1; 512 when absent.' }),
      height: t.int({ description: 'Height in pixels, from 1; 512 when absent.' }),
      gifPingPong: t.boolean({
        description:
          'Play backwards to the start before looping; false when absent. Wire name `gif_ping_pong`.',
      }),
      outputFormat: t.string({
        description:
          'File format, in the word of the model: `gif` when absent; `mp4` is known too. Wire name `output_format`.',
      }),
      guidanceScale: t.float({
        description:
          'How closely the frames follow the prompts, 1 to 20: higher is closer; 7.5 when absent. Wire name `guidance_scale`.',
      }),
      promptStrength: t.float({
        description:
          'How strongly the prompts change the frames: lower is more coherent, higher more varied but jumpier; no range is documented; 0.8 when absent. Wire name `prompt_strength`.',
      }),
      filmInterpolation: t.boolean({
        description:
          'Interpolate between the frames, for smoother motion; true when absent. Wire name `film_interpolation`.',
      }),
      intermediateOutput: t.boolean({
        description:
          'Show output before all of it is done; false when absent. Wire name `intermediate_output`.',
      }),
      numInferenceSteps: t.int({
        description:
          'How many steps the model takes for a frame, 1 to 500: more is finer and slower; 50 when absent. Wire name `num_inference_steps`.',
      }),
      numAnimationFrames: t.int({
        description:
          'How many frames the model makes, 2 to 50; 10 when absent. Wire name `num_animation_frames`.',
      }),
      gifFramesPerSecond: t.int({
        description:
          'How many frames are played in a second, 1 to 50; 20 when absent. Wire name `gif_frames_per_second`.',
      }),
      numInterpolationSteps: t.int({
        description:
          'How many steps are interpolated between two frames, 1 to 50; 5 when absent. Wire name `num_interpolation_steps`.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          "Further members of the request's `input`: a JSON object with their wire names. What has a field of its own here is refused.",
      }),
    }),
  });
}

export function fillImageInput({ builder }: Graph) {
  return builder.inputType('FillImageInput', {
    description:
      'An image whose masked part is, or whose surroundings are, painted anew (POST /hosta/v1/models/{owner}/{model_name}/predictions). What is absent is not sent.',
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
          'The image to repair: an http(s) address or a base64 data URI; jpeg, png, gif or webp. Its alpha channel may be the mask.',
      }),
      prompt: t.string({ required: true, description: 'What to show in the repaired part; not empty.' }),
      mask: t.string({
        description:
          'A black-and-white image of the same size, whose black is kept and whose white is repaired: an http(s) address or a base64 data URI; jpeg, png, gif or webp. May be absent when the image has an alpha mask (an inline image without alpha channel has none) or `outpaint` is used.',
      }),
      steps: t.int({
        description: 'How many steps the model takes, 15 to 50: more is finer and slower; 50 when absent.',
      }),
      guidance: t.float({
        description:
          'How closely the image follows the prompt, 1.5 to 100: higher is closer; 60 when absent.',
      }),
      outpaint: t.string({
        description:
          'A quick way to expand the image beyond its borders, in the words of the model, such as `Zoom out 2x`; the mask is ignored then. `None` when absent: the image is not expanded.',
      }),
      outputFormat: t.string({
        description:
          'File format, in the word of the model, such as `png`; `jpg` when absent. Wire name `output_format`.',
      }),
      safetyTolerance: t.int({
        description:
          'What the safety filters let through: 1, the strictest, to 6, the most permissive; 2 when absent. Wire name `safety_tolerance`.',
      }),
      promptUpsampling: t.boolean({
        description: 'Let the model enrich the prompt; false when absent. Wire name `prompt_upsampling`.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          "Further members of the request's `input`: a JSON object with their wire names. What has a field of its own here is refused.",
      }),
    }),
  });
}

export type FillImageInput = ReturnType<typeof fillImageInput>['$inferInput'];
export type CreateAnimationInput = ReturnType<typeof createAnimationInput>['$inferInput'];
