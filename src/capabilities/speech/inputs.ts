import type { Graph } from '../../graphql/graph.ts';

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

export function createSpeechInput({ builder, use }: Graph) {
  return builder.inputType('CreateSpeechInput', {
    description: 'A speech synthesis.',
    fields: (t) => ({
      text: t.string({
        required: true,
        description:
          'Text to speak, 1 to 9999 characters. A line break starts a paragraph. `<#x#>` between two spoken texts pauses for x seconds: 0.01 to 99.99, at most two decimals, never two pauses in a row.',
      }),
      voiceSettingVoiceId: t.string({
        required: true,
        description: '`voiceId` of a preset or cloned voice.',
      }),
      voiceSettingSpeed: t.float({
        description: 'Speed, 0.5 to 2. Default 1.',
      }),
      voiceSettingVolume: t.float({
        description: 'Volume, 0 to 10. Default 0, which is normal.',
      }),
      voiceSettingPitch: t.float({
        description: 'Pitch, −12 to 12. Default 0, the original voice.',
      }),
      voiceSettingEmotion: t.field({
        type: use(speechEmotion),
        description: 'Emotion. Inferred from the text by default.',
      }),
      pronunciationDictTone: t.stringList({
        description:
          'Pronunciations, each `<word>/<replacement>`. For Chinese: one syllable with its tone (1 to 4, 5 is neutral) in parentheses per character, as in `处理/(chu3)(li3)`. Wire name `pronunciation_dict_tone`.',
      }),
      payload: t.string({
        description: 'Your own data, passed through. Up to 1048576 characters.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further request members by wire name. `stream` and members that have a field here are refused.',
      }),
    }),
  });
}

export type CreateSpeechInput = ReturnType<typeof createSpeechInput>['$inferInput'];
