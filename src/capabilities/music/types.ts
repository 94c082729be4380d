import type { Asset } from '../../generations/asset.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import type { Song, SongList } from './wire.ts';

function songRef({ builder }: Graph) {
  return builder.objectRef<Song>('Song').implement({
    description: 'One clip that a music create made.',
    fields: (t) => ({
      clipId: t.exposeID('clipId', {
        nullable: true,
        description: "The clip's id, which covers (`coverClipId`) and changes of speed (`clipId`) take.",
      }),
      title: t.exposeString('title', { nullable: true, description: 'Its title.' }),
      audioUrl: t.expose('audioUrl', { type: 'URL', nullable: true, description: 'Address of the audio.' }),
      videoUrl: t.expose('videoUrl', {
        type: 'URL',
        nullable: true,
        description: 'Address of a video to the song, where there is one.',
      }),
      imageUrl: t.expose('imageUrl', {
        type: 'URL',
        nullable: true,
        description: 'Address of its cover picture, the largest there is.',
      }),
      lyrics: t.exposeString('lyrics', {
        nullable: true,
        description: 'What is sung; null or empty for an instrumental.',
      }),
      tags: t.exposeString('tags', { nullable: true, description: 'Its style, as reported.' }),
      durationSeconds: t.exposeFloat('durationSeconds', {
        nullable: true,
        description: 'Playing time in seconds, as reported.',
      }),
      model: t.exposeString('model', {
        nullable: true,
        description: 'The model that made it, as the gateway names it.',
      }),
    }),
  });
}

function songListRef({ builder, use }: Graph) {
  return builder.objectRef<SongList>('SongList').implement({
    description: 'The clips that a music create made; those of a task may come one after the other.',
    fields: (t) => ({
      songs: t.field({
        type: [use(songRef)],
        description: 'The clips, in the order of the gateway.',
        resolve: ({ songs }) => [...songs],
      }),
    }),
  });
}

function songAssets({ songs }: SongList): readonly Asset[] {
  return songs.flatMap(({ audioUrl, videoUrl, imageUrl, durationSeconds }): readonly Asset[] => [
    ...(audioUrl === undefined ? [] : [{ kind: 'AUDIO', url: audioUrl, durationSeconds } as const]),
    ...(videoUrl === undefined ? [] : [{ kind: 'VIDEO', url: videoUrl, durationSeconds } as const]),
    ...(imageUrl === undefined ? [] : [{ kind: 'IMAGE', url: imageUrl } as const]),
  ]);
}

export const songListOutput: OutputType<SongList> = {
  type: 'song-list',
  ref: songListRef,
  assets: songAssets,
};
