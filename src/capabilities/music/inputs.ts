import type { Graph } from '../../graphql/graph.ts';

function songModel({ builder }: Graph) {
  return builder.enumType('SongModel', {
    description: 'Version of the music model. Wire name `mv`.',
    values: {
      SONG_V5_5: { value: 'song-v5-5', description: 'Wire value `song-v5-5`.' },
      SONG_V5: { value: 'song-v5', description: 'Wire value `song-v5`.' },
      SONG_V4_5_PLUS: { value: 'song-v4-5+', description: 'Wire value `song-v4-5+`.' },
      SONG_V4_5: { value: 'song-v4-5', description: 'Wire value `song-v4-5`.' },
      SONG_V4_5_ALL: { value: 'song-v4-5-all', description: 'Wire value `song-v4-5-all`.' },
      SONG_V4: { value: 'song-v4', description: 'Wire value `song-v4`.' },
      SONG_V3_5: { value: 'song-v3-5', description: 'Wire value `song-v3-5`.' },
    },
  } as const);
}

export function createSongInput({ builder, use }: Graph) {
  return builder.inputType('CreateSongInput', {
    description: 'A song from a description (POST /music/submit/music).',
    fields: (t) => ({
      gptDescriptionPrompt: t.string({
        required: true,
        description:
          'What the song is about and sounds like; not empty. No upper limit is documented. Wire name `gpt_description_prompt`.',
      }),
      makeInstrumental: t.boolean({
        defaultValue: false,
        description: 'Make it without vocals. Always sent. Wire name `make_instrumental`.',
      }),
      mv: t.field({ type: use(songModel), required: true, description: 'Version of the music model.' }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other form of song, is refused.',
      }),
    }),
  });
}

export function createSongCoverInput({ builder, use }: Graph) {
  return builder.inputType('CreateSongCoverInput', {
    description:
      'A cover of an existing song (POST /music/submit/music). All six members are sent, empty where absent.',
    fields: (t) => ({
      coverClipId: t.id({
        required: true,
        description:
          'Clip id of a generated or uploaded song: `clipId` of a song. Wire name `cover_clip_id`.',
      }),
      mv: t.field({
        type: use(songModel),
        defaultValue: 'song-v5',
        description: 'Version of the music model.',
      }),
      makeInstrumental: t.boolean({
        defaultValue: false,
        description:
          'True: an instrumental cover, whose `prompt` may be empty. False: a cover with vocals. Wire name `make_instrumental`.',
      }),
      prompt: t.string({
        description: 'Lyrics of the cover, at most 3000 characters; required with vocals, empty when absent.',
      }),
      tags: t.string({
        description: 'Style of the cover, at most 200 characters; recommended, empty when absent.',
      }),
      title: t.string({ description: 'Title of the cover; empty when absent.' }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own, here or in the other form of song, is refused.',
      }),
    }),
  });
}

export function adjustSongSpeedInput({ builder }: Graph) {
  return builder.inputType('AdjustSongSpeedInput', {
    description: 'A song at another speed (POST /music/submit/adjust-speed). What is absent is not sent.',
    fields: (t) => ({
      clipId: t.id({
        required: true,
        description: 'Clip id of a generated or uploaded song: `clipId` of a song. Wire name `clip_id`.',
      }),
      speed: t.float({
        required: true,
        description: 'How many times as fast, 0.25 to 4: 1 is as it was, 0.5 half as fast.',
      }),
      keepPitch: t.boolean({
        description:
          "Whether the song stays as high as it was; otherwise faster is higher and slower is lower. The gateway's own default when absent. Wire name `keep_pitch`.",
      }),
      extra: t.field({
        type: 'JSON',
        description:
          'Further members of the request body: a JSON object with their wire names. What has a field of its own here is refused.',
      }),
    }),
  });
}

export type AdjustSongSpeedInput = ReturnType<typeof adjustSongSpeedInput>['$inferInput'];
export type CreateSongInput = ReturnType<typeof createSongInput>['$inferInput'];
export type CreateSongCoverInput = ReturnType<typeof createSongCoverInput>['$inferInput'];
