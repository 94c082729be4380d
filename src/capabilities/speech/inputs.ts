import type { Graph } from '../../graphql/graph.ts';
import { extraMember } from '../../graphql/field-options.ts';

function speechEmotion({ builder }: Graph) {
  return builder.enumType('SpeechEmotion', {
    description: 'Emotion of a voice.',
    values: {
      HAPPY: { value: 'happy', description: 'Happy.' },
      SAD: { value: 'sad', description: 'Sad.' },
      ANGRY: { value: 'angry', description: 'Angry.' },
      FEARFUL: { value: 'fearful', description: 'Fearful.' },
      DISGUSTED: { value: 'disgusted', description: 'Disgusted.' },
      SURPRISED: { value: 'surprised', description: 'Surprised.' },
      CALM: { value: 'calm', description: 'Calm.' },
    },
  } as const);
}

function speechVoiceInput({ builder, use }: Graph) {
  return builder.inputType('SpeechVoiceInput', {
    description: 'A voice and how it speaks.',
    fields: (t) => ({
      id: t.id({ required: true, description: '`Voice.voiceId` or `Voice.id`.' }),
      speed: t.float({ description: 'Factor, 0.5 to 2. Default: 1.' }),
      volume: t.float({ description: 'From 0 to 10. Default: 0, the normal volume.' }),
      pitch: t.float({ description: 'From −12 to 12. Default: 0, the original voice.' }),
      emotion: t.field({ type: use(speechEmotion), description: 'Default: inferred from the text.' }),
    }),
  });
}

export function createSpeechInput({ builder, use }: Graph) {
  return builder.inputType('CreateSpeechInput', {
    description: 'A speech synthesis.',
    fields: (t) => ({
      text: t.string({
        required: true,
        description:
          'Text to speak, 1 to 9999 characters. A line break starts a paragraph. `<#x#>` between two spoken texts pauses for x seconds, 0.01 to 99.99.',
      }),
      voice: t.field({
        type: use(speechVoiceInput),
        required: true,
      }),
      pronunciations: t.stringList({
        description:
          'Each `<word>/<replacement>`. For Chinese, a syllable with its tone (5 is neutral) per character: `处理/(chu3)(li3)`.',
      }),
      payload: t.string({
        description: 'Your own data, passed through. Up to 1048576 characters.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

export type CreateSpeechInput = ReturnType<typeof createSpeechInput>['$inferInput'];
