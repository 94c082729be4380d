import { type Asset, withIndexes } from '../../generations/asset.ts';
import { assetRef } from '../../graphql/asset.ts';
import type { OutputType } from '../../graphql/generation-output.ts';
import type { Graph } from '../../graphql/graph.ts';
import { nullable } from '../../graphql/field-options.ts';
import type { Video } from './wire.ts';

function videoRef({ builder, use }: Graph) {
  return builder.objectRef<Video>('Video').implement({
    description: 'Usually one video.',
    fields: (t) => ({
      url: t.field({
        type: 'URL',
        ...nullable('URL of the first video.'),
        resolve: ({ files }) => files[0]?.url,
      }),
      durationSeconds: t.float({
        ...nullable('Playing time.'),
        resolve: ({ files }) => files[0]?.durationSeconds,
      }),
      thumbnailUrl: t.expose('thumbnailUrl', { type: 'URL', ...nullable('URL of a still image.') }),
      files: t.field({
        type: [use(assetRef)],
        description: 'All videos, in the order of the gateway.',
        resolve: ({ files }) => withIndexes(files),
      }),
      model: t.exposeString('model', nullable('As the gateway names it.')),
      prompt: t.exposeString('prompt', nullable('As used.')),
      seed: t.expose('seed', { type: 'BigInt', ...nullable('As used.') }),
    }),
  });
}

function videoAssets({ files, thumbnailUrl }: Video): readonly Asset[] {
  return thumbnailUrl === undefined
    ? files
    : [...files, { kind: 'IMAGE', role: 'THUMBNAIL', index: 0, url: thumbnailUrl }];
}

export const videoOutput: OutputType<Video> = { type: 'video', ref: videoRef, assets: videoAssets };
