import type { Asset } from '../../generations/asset.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import type { Song, SongList } from './wire.ts';

function songRef({ builder }: Graph) {
  return builder.objectRef<Song>('Song').implement({
    description: 'One clip of a song.',
    fields: (t) => ({
      clipId: t.exposeID('clipId', nullable('For `createSongCover` and `adjustSongSpeed`.')),
      title: t.exposeString('title', nullable('Title of the song.')),
      audioUrl: t.expose('audioUrl', { type: 'URL', ...nullable('URL of the audio.') }),
      videoUrl: t.expose('videoUrl', { type: 'URL', ...nullable('URL of the music video.') }),
      imageUrl: t.expose('imageUrl', { type: 'URL', ...nullable('URL of the largest cover picture.') }),
      lyrics: t.exposeString('lyrics', nullable('Lyrics; null or empty for an instrumental.')),
      style: t.exposeString('style', nullable('Style, as reported.')),
      durationSeconds: t.exposeFloat('durationSeconds', nullable('Playing time.')),
      model: t.exposeString('model', nullable('As the gateway names it.')),
    }),
  });
}

function songListRef({ builder, use }: Graph) {
  return builder.objectRef<SongList>('SongList').implement({
    description: 'The clips of one request. With a task, they can arrive one by one.',
    fields: (t) => ({
      songs: t.expose('songs', { type: [use(songRef)], description: 'In the order of the gateway.' }),
    }),
  });
}

function songAssets({ songs }: SongList): readonly Asset[] {
  return songs.flatMap(
    ({ title, audioUrl, videoUrl, imageUrl, durationSeconds }, index): readonly Asset[] => {
      const song = { index, title };
      return [
        ...(audioUrl === undefined
          ? []
          : [{ ...song, kind: 'AUDIO', url: audioUrl, durationSeconds } as const]),
        ...(videoUrl === undefined
          ? []
          : [{ ...song, kind: 'VIDEO', role: 'MUSIC_VIDEO', url: videoUrl, durationSeconds } as const]),
        ...(imageUrl === undefined
          ? []
          : [{ ...song, kind: 'IMAGE', role: 'COVER', url: imageUrl } as const]),
      ];
    },
  );
}

export const songListOutput: OutputType<SongList> = {
  type: 'song-list',
  ref: songListRef,
  assets: songAssets,
};
