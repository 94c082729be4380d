import type { RequestMembers } from './request-members.ts';

const submit = { endpoint: 16, method: 'POST', path: '/music/submit/music' } as const;

export const musicRequests: readonly RequestMembers[] = [
  {
    ...submit,
    field: 'createSong',
    calls: [{ input: { gptDescriptionPrompt: 'a calm song', makeInstrumental: true, mv: 'SONG_V4_5_PLUS' } }],
    members: {
      gpt_description_prompt: 'input.gptDescriptionPrompt',
      make_instrumental: 'input.makeInstrumental',
      mv: 'input.mv',
    },
  },
  {
    ...submit,
    field: 'createSongCover',
    calls: [
      {
        input: {
          mv: 'SONG_V5',
          makeInstrumental: false,
          prompt: 'la la la',
          tags: 'jazz',
          title: 'Again',
          coverClipId: 'c-1',
        },
      },
    ],
    members: {
      mv: 'input.mv',
      make_instrumental: 'input.makeInstrumental',
      prompt: 'input.prompt',
      tags: 'input.tags',
      title: 'input.title',
      cover_clip_id: 'input.coverClipId',
    },
  },
  {
    endpoint: 17,
    method: 'POST',
    path: '/music/submit/adjust-speed',
    field: 'adjustSongSpeed',
    calls: [{ input: { clipId: 'c-1', speed: 1.5, keepPitch: true } }],
    members: { clip_id: 'input.clipId', speed: 'input.speed', keep_pitch: 'input.keepPitch' },
  },
  {
    endpoint: 18,
    method: 'POST',
    path: '/music/fetch',
    field: 'taskByHandle',
    variant: 'of SONG',
    selection: 'status',
    calls: [{ handle: { kind: 'SONG', upstreamId: 's-1' } }],
    members: { ids: { by: 'handle.upstreamId' }, action: { always: '' } },
  },
];
