import type { Graph } from '../../graphql/graph.ts';
import { extraMember } from '../../graphql/field-options.ts';

function songModel({ builder }: Graph) {
  return builder.enumType('SongModel', {
    description: 'Music model version.',
    values: {
      SONG_V5_5: { value: 'song-v5-5', description: '`song-v5-5`.' },
      SONG_V5: { value: 'song-v5', description: '`song-v5`.' },
      SONG_V4_5_PLUS: { value: 'song-v4-5+', description: '`song-v4-5+`.' },
      SONG_V4_5: { value: 'song-v4-5', description: '`song-v4-5`.' },
      SONG_V4_5_ALL: { value: 'song-v4-5-all', description: '`song-v4-5-all`.' },
      SONG_V4: { value: 'song-v4', description: '`song-v4`.' },
      SONG_V3_5: { value: 'song-v3-5', description: '`song-v3-5`.' },
    },
  } as const);
}

export function createSongInput({ builder, use }: Graph) {
  return builder.inputType('CreateSongInput', {
    description: 'A song from a description.',
    fields: (t) => ({
      description: t.string({
        required: true,
        description: 'Topic and style, not empty. The gateway documents no lyrics for a new song.',
      }),
      model: t.field({
        type: use(songModel),
        required: true,
      }),
      isInstrumental: t.boolean({
        defaultValue: false,
        description: 'Without vocals.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

export function createSongCoverInput({ builder, use }: Graph) {
  return builder.inputType('CreateSongCoverInput', {
    description: 'A cover of an existing song.',
    fields: (t) => ({
      clipId: t.id({
        required: true,
        description: '`Song.clipId`, or the id of a direct upload to the gateway.',
      }),
      model: t.field({
        type: use(songModel),
        defaultValue: 'song-v5',
      }),
      isInstrumental: t.boolean({
        defaultValue: false,
        description: 'If false, `lyrics` is required.',
      }),
      lyrics: t.string({
        description: 'Up to 3000 characters. Required unless `isInstrumental`.',
      }),
      style: t.string({
        description: 'Style, up to 200 characters. Recommended.',
      }),
      title: t.string({ description: 'Title of the cover.' }),
      extra: t.field(extraMember),
    }),
  });
}

export function adjustSongSpeedInput({ builder }: Graph) {
  return builder.inputType('AdjustSongSpeedInput', {
    description: 'An existing song at another speed.',
    fields: (t) => ({
      clipId: t.id({
        required: true,
        description: '`Song.clipId`, or the id of a direct upload to the gateway.',
      }),
      speed: t.float({
        required: true,
        description: 'Speed factor, 0.25 to 4. 0.5 is half as fast.',
      }),
      keepPitch: t.boolean({
        description: 'Preserve the pitch.',
      }),
      extra: t.field(extraMember),
    }),
  });
}

export type AdjustSongSpeedInput = ReturnType<typeof adjustSongSpeedInput>['$inferInput'];
export type CreateSongInput = ReturnType<typeof createSongInput>['$inferInput'];
export type CreateSongCoverInput = ReturnType<typeof createSongCoverInput>['$inferInput'];
