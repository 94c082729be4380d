import { builder } from '../../graphql/builder.ts';

const ClonePromptInput = builder.inputType('ClonePromptInput', {
  description: 'A sample that makes a clone truer. Both members, or no sample.',
  fields: (t) => ({
    promptAudio: t.field({
      type: 'BigInt',
      description: 'Id of the uploaded sample; required. Wire name `prompt_audio`.',
    }),
    promptText: t.string({ description: 'What is said in it; required. Wire name `prompt_text`.' }),
  }),
});

export const CloneVoiceInput = builder.inputType('CloneVoiceInput', {
  description:
    'A voice from an uploaded audio file (POST /speecha/v1/voice_clone). What is absent is not sent.',
  fields: (t) => ({
    fileId: t.field({
      type: 'BigInt',
      required: true,
      description:
        'Id of the uploaded audio: mp3, m4a or wav, 10 seconds to 5 minutes, at most 20 MB. Wire name `file_id`.',
    }),
    voiceId: t.string({
      required: true,
      description:
        'What the voice will be named by, of your choice: 8 to 256 letters, digits, `-` and `_`; first a letter, last a letter or digit. Wire name `voice_id`.',
    }),
    clonePrompt: t.field({
      type: ClonePromptInput,
      description: 'A sample that makes the clone truer. Wire name `clone_prompt`.',
    }),
    text: t.string({
      description: 'What the preview says, at most 1000 characters; tone tags are allowed.',
    }),
    model: t.string({
      description:
        'What speaks the preview: `speech-2.6-hd`, `speech-2.6-turbo`, `speech-02-hd`, `speech-02-turbo`, or another that the gateway has.',
    }),
    languageBoost: t.string({
      description: '`auto`, or the language or dialect to favour. Wire name `language_boost`.',
    }),
    needNoiseReduction: t.boolean({
      description: 'Take noise out of the audio. Wire name `need_noise_reduction`.',
    }),
    needVolumeNormalization: t.boolean({
      description: 'Even out its volume. Wire name `need_volume_normalization`.',
    }),
    aigcWatermark: t.boolean({
      description: 'Append a rhythm to the preview that marks it as generated. Wire name `aigc_watermark`.',
    }),
    extra: t.field({
      type: 'JSON',
      description: 'An object of further members of the request body. Declared members are refused here.',
    }),
  }),
});

export type CloneVoiceInput = typeof CloneVoiceInput.$inferInput;
