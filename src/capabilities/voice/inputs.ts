import type { Graph } from '../../graphql/graph.ts';

function clonePromptInput({ builder }: Graph) {
  return builder.inputType('ClonePromptInput', {
    description:
      'A further recording of the voice with what is said in it, which makes the clone more like it. Both members, or none.',
    fields: (t) => ({
      promptAudio: t.field({
        type: 'BigInt',
        description:
          'Id of the recording, from a file upload at the gateway; required. Wire name `prompt_audio`.',
      }),
      promptText: t.string({
        description: 'What is said in the recording; required. Wire name `prompt_text`.',
      }),
    }),
  });
}

export function cloneVoiceInput({ builder, use }: Graph) {
  return builder.inputType('CloneVoiceInput', {
    description:
      'A voice from an uploaded audio file (POST /speecha/v1/voice_clone). What is absent is not sent.',
    fields: (t) => ({
      fileId: t.field({
        type: 'BigInt',
        required: true,
        description:
          'Id of the audio to clone, from a file upload at the gateway, which checks it: mp3, m4a or wav, 10 seconds to 5 minutes, at most 20 MB. Wire name `file_id`.',
      }),
      voiceId: t.string({
        required: true,
        description:
          'The id of the new voice, of your choice: 8 to 256 letters, digits, `-` and `_`; first a letter, last a letter or digit. Wire name `voice_id`.',
      }),
      clonePrompt: t.field({
        type: use(clonePromptInput),
        description:
          'A further recording of the voice, which makes the clone more like it. Wire name `clone_prompt`.',
      }),
      text: t.string({
        description: 'What the preview of the voice says, at most 1000 characters; tone tags are allowed.',
      }),
      model: t.string({
        description:
          'The model that speaks the preview: `speech-2.6-hd`, `speech-2.6-turbo`, `speech-02-hd`, `speech-02-turbo`, or another that the gateway has.',
      }),
      languageBoost: t.string({
        description:
          "The language or dialect to favour, or `auto`; the gateway's own default when absent. Wire name `language_boost`.",
      }),
      needNoiseReduction: t.boolean({
        description:
          "Take noise out of the audio; the gateway's own default when absent. Wire name `need_noise_reduction`.",
      }),
      needVolumeNormalization: t.boolean({
        description:
          "Even out the volume of the audio; the gateway's own default when absent. Wire name `need_volume_normalization`.",
      }),
      aigcWatermark: t.boolean({
        description:
          "Append a rhythm to the preview that marks it as made by AI; the gateway's own default when absent. Wire name `aigc_watermark`.",
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused.',
      }),
    }),
  });
}

export type CloneVoiceInput = ReturnType<typeof cloneVoiceInput>['$inferInput'];
