import { builder } from '../../graphql/builder.ts';
import type { Asset } from '../../generations/asset.ts';
import { createArguments, CreateGenerationResultRef, toCreateCall } from '../../graphql/create.ts';
import { createNow } from '../../generations/create-now.ts';
import { createTask } from '../../tasks/create-task.ts';
import { registerOutput } from '../../graphql/generation-output.ts';
import { registerTaskKind } from '../../tasks/task-kinds.ts';
import {
  adjustSpeedPath,
  fetchSongs,
  submitMusicPath,
  toSongBody,
  toSongCoverBody,
  toSpeedBody,
} from './client.ts';
import { AdjustSongSpeedInput, CreateSongCoverInput, CreateSongInput } from './inputs.ts';
import { songCoverLimits, songLimits, songSpeedLimits } from './limits.ts';
import { decodeSpeedReply, decodeSubmission, type Song, type SongList } from './wire.ts';

registerTaskKind({ kind: 'SONG', batch: 'music', readMany: fetchSongs });
registerTaskKind({ kind: 'SONG_COVER', batch: 'music', readMany: fetchSongs });

const SongRef = builder.objectRef<Song>('Song').implement({
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

const SongListRef = builder.objectRef<SongList>('SongList').implement({
  description: 'The clips that a music create made; those of a task may come one after the other.',
  fields: (t) => ({
    songs: t.field({
      type: [SongRef],
      description: 'The clips, in the order of the gateway.',
      resolve: ({ songs }) => [...songs],
    }),
  }),
});

function songAssets({ songs }: SongList): readonly Asset[] {
  return songs.flatMap(({ audioUrl, videoUrl, imageUrl, durationSeconds }): readonly Asset[] => [
    ...(audioUrl === undefined ? [] : [{ kind: 'AUDIO', url: audioUrl, durationSeconds } as const]),
    ...(videoUrl === undefined ? [] : [{ kind: 'VIDEO', url: videoUrl, durationSeconds } as const]),
    ...(imageUrl === undefined ? [] : [{ kind: 'IMAGE', url: imageUrl } as const]),
  ]);
}

registerOutput({ type: 'song-list', ref: SongListRef, assets: songAssets });

builder.mutationFields((t) => ({
  createSong: t.field({
    type: CreateGenerationResultRef,
    description:
      'Makes a song from a description (POST /music/submit/music). Follow its task with `taskProgress`. The gateway documents no limit for the length of the description, so none is checked.',
    args: {
      input: t.arg({ type: CreateSongInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'SONG',
        input,
        limits: songLimits,
        model: input.mv,
        prompt: input.gptDescriptionPrompt,
        path: submitMusicPath,
        toBody: toSongBody,
        decode: decodeSubmission,
      }),
  }),
  createSongCover: t.field({
    type: CreateGenerationResultRef,
    description:
      'Makes a cover of an existing song (POST /music/submit/music). Follow its task with `taskProgress`.',
    args: {
      input: t.arg({ type: CreateSongCoverInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createTask(toCreateCall(args, context, info), {
        kind: 'SONG_COVER',
        input,
        limits: songCoverLimits,
        model: input.mv ?? undefined,
        prompt: input.prompt ?? undefined,
        path: submitMusicPath,
        toBody: toSongCoverBody,
        decode: decodeSubmission,
      }),
  }),
  adjustSongSpeed: t.field({
    type: CreateGenerationResultRef,
    description:
      "Makes an existing song faster or slower (POST /music/submit/adjust-speed). The reply is the result: there is no task. Costs 0 credits. The gateway's document does not show that reply: where no song is found in it, `output.songs` is empty and `raw` has it as it came.",
    args: {
      input: t.arg({ type: AdjustSongSpeedInput, required: true, description: 'The request.' }),
      ...createArguments,
    },
    resolve: (_root, { input, ...args }, context, info) =>
      createNow(toCreateCall(args, context, info), {
        kind: 'SONG_SPEED',
        input,
        limits: songSpeedLimits,
        path: adjustSpeedPath,
        toBody: toSpeedBody,
        decode: decodeSpeedReply,
      }),
  }),
}));
