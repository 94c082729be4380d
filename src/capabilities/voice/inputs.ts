import type { Graph } from '../../graphql/graph.ts';

function clonePromptInput({ builder }: Graph) {
  return builder.inputType('ClonePromptInput', {
    description: 'A further recording of the voice, with its words.',
    fields: (t) => ({
      promptAudio: t.field({
        type: 'BigInt',
        description: 'File id of the recording, uploaded to the gateway. Required.',
      }),
      promptText: t.string({
        description: 'Words of the recording. Required.',
      }),
    }),
  });
}

export function cloneVoiceInput({ builder, use }: Graph) {
  return builder.inputType('CloneVoiceInput', {
    description: 'A voice from an uploaded audio file.',
    fields: (t) => ({
      fileId: t.field({
        type: 'BigInt',
        required: true,
        description:
          'File id of the audio, uploaded to the gateway: mp3, m4a or wav, 10 seconds to 5 minutes, up to 20 MB.',
      }),
      voiceId: t.string({
        required: true,
        description:
          'Your id for the new voice: 8 to 256 letters, digits, `-` and `_`, starting with a letter and ending with a letter or digit.',
      }),
      clonePrompt: t.field({
        type: use(clonePromptInput),
        description: 'A further recording, which makes the clone more similar.',
      }),
      text: t.string({
        description: 'Preview text, up to 1000 characters. Tone tags are allowed.',
      }),
      model: t.string({
        description:
          'Preview model: `speech-2.6-hd`, `speech-2.6-turbo`, `speech-02-hd`, `speech-02-turbo`, or another model of the gateway.',
      }),
      languageBoost: t.string({
        description: 'Preferred language or dialect, or `auto`. The gateway has its own default.',
      }),
      needNoiseReduction: t.boolean({
        description: 'Reduce noise. The gateway has its own default.',
      }),
      needVolumeNormalization: t.boolean({
        description: 'Normalize the volume. The gateway has its own default.',
      }),
      aigcWatermark: t.boolean({
        description: 'Append an audible AI marker to the preview. The gateway has its own default.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further request members by wire name. `stream` and members that have a field here are refused.',
      }),
    }),
  });
}

export type CloneVoiceInput = ReturnType<typeof cloneVoiceInput>['$inferInput'];
