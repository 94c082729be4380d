import type { Graph } from '../../graphql/graph.ts';
import { extraMember } from '../../graphql/field-options.ts';

function voiceSampleInput({ builder }: Graph) {
  return builder.inputType('VoiceSampleInput', {
    description: 'A further recording of the voice, with its words.',
    fields: (t) => ({
      fileId: t.field({
        type: 'BigInt',
        required: true,
        description: 'Id of a file uploaded directly to the gateway.',
      }),
      transcript: t.string({ required: true, description: 'Words of the recording. Not empty.' }),
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
          'Id of a file uploaded directly to the gateway: mp3, m4a or wav, 10 seconds to 5 minutes, up to 20 MB.',
      }),
      voiceId: t.string({
        required: true,
        description:
          'Your id for the voice: 8 to 256 letters, digits, `-`, `_`; first a letter, last a letter or digit.',
      }),
      sample: t.field({
        type: use(voiceSampleInput),
        description: 'A further recording, for more similarity.',
      }),
      previewText: t.string({
        description: 'Preview text, up to 1000 characters. Tone tags are allowed.',
      }),
      previewModel: t.string({
        description: 'Such as `speech-2.6-hd` or `speech-02-turbo`.',
      }),
      language: t.string({
        description: 'Language or dialect, or `auto`.',
      }),
      reduceNoise: t.boolean({
        description: 'Reduce noise.',
      }),
      normalizeVolume: t.boolean({
        description: 'Normalize the volume.',
      }),
      watermark: t.boolean({
        description: 'Audible AI marker in the preview.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

export type CloneVoiceInput = ReturnType<typeof cloneVoiceInput>['$inferInput'];
