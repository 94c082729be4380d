import type { RequestMembers } from './request-members.ts';

const submit = { endpoint: 16, method: 'POST', path: '/music/submit/music' } as const;

export const musicRequests: readonly RequestMembers[] = [
  {
    ...submit,
    field: 'createSong',
    calls: [{ input: { description: 'a calm song', isInstrumental: true, model: 'SONG_V4_5_PLUS' } }],
    members: {
      gpt_description_prompt: 'input.description',
      make_instrumental: 'input.isInstrumental',
      mv: 'input.model',
    },
  },
  {
    ...submit,
    field: 'createSongCover',
    calls: [
      {
        input: {
          model: 'SONG_V5',
          isInstrumental: false,
          lyrics: 'la la la',
          style: 'jazz',
          title: 'Again',
          clipId: 'c-1',
        },
      },
    ],
    members: {
      mv: 'input.model',
      make_instrumental: 'input.isInstrumental',
      prompt: 'input.lyrics',
      tags: 'input.style',
      title: 'input.title',
      cover_clip_id: 'input.clipId',
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
