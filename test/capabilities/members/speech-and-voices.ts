import type { RequestMembers } from './request-members.ts';

export const speechAndVoiceRequests: readonly RequestMembers[] = [
  {
    endpoint: 3,
    method: 'POST',
    path: '/ent/v2/audio-tts',
    field: 'createSpeech',
    calls: [
      {
        input: {
          text: 'Hello <#0.5#> again.',
          voice: { id: 'en-us-ava', speed: 1.25, volume: 2, pitch: -3, emotion: 'HAPPY' },
          pronunciations: ['again/agen'],
          payload: 'p',
        },
      },
    ],
    members: {
      text: 'input.text',
      voice_setting_voice_id: 'input.voice.id',
      voice_setting_speed: 'input.voice.speed',
      voice_setting_volume: 'input.voice.volume',
      voice_setting_pitch: 'input.voice.pitch',
      voice_setting_emotion: 'input.voice.emotion',
      pronunciation_dict_tone: 'input.pronunciations',
      payload: 'input.payload',
    },
  },
  {
    endpoint: 8,
    method: 'GET',
    path: '/videoa/v1/general/presets-voices',
    field: 'voices',
    selection: 'edges { cursor }',
    reply: { data: [] },
    calls: [{ first: 30, after: null }],
    members: { 'query:pageSize': { by: 'first' }, 'query:pageNum': { by: 'after' } },
  },
  {
    endpoint: 12,
    method: 'POST',
    path: '/speecha/v1/voice_clone',
    field: 'cloneVoice',
    calls: [
      {
        input: {
          fileId: '9007199254740993',
          voiceId: 'my-voice-1',
          sample: { fileId: '9007199254740995', transcript: 'as it was said' },
          previewText: 'Hello.',
          previewModel: 'speech-2.6-hd',
          language: 'auto',
          reduceNoise: true,
          normalizeVolume: true,
          watermark: false,
        },
      },
    ],
    members: {
      file_id: 'input.fileId',
      voice_id: 'input.voiceId',
      clone_prompt: 'input.sample',
      'clone_prompt.prompt_audio': 'input.sample.fileId',
      'clone_prompt.prompt_text': 'input.sample.transcript',
      text: 'input.previewText',
      model: 'input.previewModel',
      language_boost: 'input.language',
      need_noise_reduction: 'input.reduceNoise',
      need_volume_normalization: 'input.normalizeVolume',
      aigc_watermark: 'input.watermark',
    },
  },
];
