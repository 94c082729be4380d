import type { Graph } from '../../graphql/graph.ts';

function speechEmotion({ builder }: Graph) {
  return builder.enumType('SpeechEmotion', {
    description: 'The feeling that a voice speaks with. Normally inferred from the text.',
    values: {
      HAPPY: { value: 'happy', description: 'Wire value `happy`.' },
      SAD: { value: 'sad', description: 'Wire value `sad`.' },
      ANGRY: { value: 'angry', description: 'Wire value `angry`.' },
      FEARFUL: { value: 'fearful', description: 'Wire value `fearful`.' },
      DISGUSTED: { value: 'disgusted', description: 'Wire value `disgusted`.' },
      SURPRISED: { value: 'surprised', description: 'Wire value `surprised`.' },
      CALM: { value: 'calm', description: 'Wire value `calm`.' },
    },
  } as const);
}

export function createSpeechInput({ builder, use }: Graph) {
  return builder.inputType('CreateSpeechInput', {
    description:
      'Speech from text (POST /ent/v2/audio-tts). What is absent is not sent; numbers go out as text, as the gateway wants them.',
    fields: (t) => ({
      text: t.string({
        required: true,
        description:
          'What to say: 1 to 9999 characters; a line break begins a paragraph. `<#x#>` between two voiced texts is a pause of x seconds: 0.01 to 99.99, at most two decimals, never two in a row.',
      }),
      voiceSettingVoiceId: t.string({
        required: true,
        description:
          'Who says it: `voiceId` of a voice, preset or cloned. Wire name `voice_setting_voice_id`.',
      }),
      voiceSettingSpeed: t.float({
        description:
          'How fast, from 0.5 (half as fast) to 2 (twice); 1 when absent. Wire name `voice_setting_speed`.',
      }),
      voiceSettingVolume: t.float({
        description:
          'How loud, from 0, which is normal, to 10; 0 when absent. Wire name `voice_setting_volume`.',
      }),
      voiceSettingPitch: t.float({
        description:
          'How high, from −12 to 12; 0, the voice as it is, when absent. Wire name `voice_setting_pitch`.',
      }),
      voiceSettingEmotion: t.field({
        type: use(speechEmotion),
        description:
          'What feeling it is said with; inferred from the text when absent. Wire name `voice_setting_emotion`.',
      }),
      pronunciationDictTone: t.stringList({
        description:
          'How words are pronounced: entries `<word>/<replacement>`, for Chinese a syllable with its tone (1 to 4, 5 is neutral) in parentheses for each character, as in `处理/(chu3)(li3)`. Wire name `pronunciation_dict_tone`, as the text of a JSON list.',
      }),
      payload: t.string({
        description: 'Data of your own, passed through and not processed; at most 1048576 characters.',
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused.',
      }),
    }),
  });
}

export type CreateSpeechInput = ReturnType<typeof createSpeechInput>['$inferInput'];
