import type { Graph } from '../../graphql/graph.ts';

function voiceSampleInput({ builder }: Graph) {
  return builder.inputType('VoiceSampleInput', {
    description: 'A further recording of the voice, with its words.',
    fields: (t) => ({
      fileId: t.field({
        type: 'BigInt',
        description: 'File id of the recording, uploaded to the gateway. Required.',
      }),
      transcript: t.string({
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
      sample: t.field({
        type: use(voiceSampleInput),
        description: 'A further recording, which makes the clone more similar.',
      }),
      previewText: t.string({
        description: 'Preview text, up to 1000 characters. Tone tags are allowed.',
      }),
      previewModel: t.string({
        description:
          'Preview model: `speech-2.6-hd`, `speech-2.6-turbo`, `speech-02-hd`, `speech-02-turbo`, or another model of the gateway.',
      }),
      language: t.string({
        description: 'Preferred language or dialect, or `auto`. The gateway has its own default.',
      }),
      reduceNoise: t.boolean({
        description: 'Reduce noise. The gateway has its own default.',
      }),
      normalizeVolume: t.boolean({
        description: 'Normalize the volume. The gateway has its own default.',
      }),
      watermark: t.boolean({
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
