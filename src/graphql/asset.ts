import type { Asset } from '../generations/asset.ts';
import { contentTypeOf } from '../generations/content-type.ts';
import type { Graph } from './graph.ts';
import { shareable } from './subgraph/shareable.ts';

function assetKindEnum({ builder }: Graph) {
  return builder.enumType('AssetKind', {
    description: 'File kind.',
    values: {
      IMAGE: { value: 'IMAGE', description: 'Still or animated image.' },
      VIDEO: { value: 'VIDEO', description: 'Video.' },
      AUDIO: { value: 'AUDIO', description: 'Speech or music.' },
    },
  } as const);
}

function assetRoleEnum({ builder }: Graph) {
  return builder.enumType('AssetRole', {
    description: 'Relation of a file to the requested result.',
    values: {
      PRIMARY: { value: 'PRIMARY', description: 'The requested result, or a part of it.' },
      COVER: { value: 'COVER', description: 'Cover picture of a song.' },
      MUSIC_VIDEO: { value: 'MUSIC_VIDEO', description: 'Video of a song.' },
      THUMBNAIL: { value: 'THUMBNAIL', description: 'Still image of a video.' },
      PREVIEW: { value: 'PREVIEW', description: 'Sample of a voice.' },
    },
  } as const);
}

export function assetRef({ builder, use }: Graph) {
  return builder.objectRef<Asset>('Asset').implement({
    description: 'A generated file, as a URL or inline.',
    extensions: shareable,
    fields: (t) => ({
      kind: t.expose('kind', { type: use(assetKindEnum) }),
      role: t.field({
        type: use(assetRoleEnum),
        description: 'All files of a prediction are PRIMARY.',
        resolve: ({ role = 'PRIMARY' }) => role,
      }),
      index: t.int({
        description:
          'The result that the file belongs to, from 0: a song, its cover and its video have one index.',
        resolve: ({ index = 0 }) => index,
      }),
      title: t.exposeString('title', { nullable: true, description: 'Title of the song, if reported.' }),
      url: t.expose('url', {
        type: 'URL',
        nullable: true,
        description: 'Null if inline.',
      }),
      contentType: t.string({
        nullable: true,
        description: 'MIME type, as reported, requested or recognized.',
        resolve: contentTypeOf,
      }),
      width: t.exposeInt('width', {
        nullable: true,
        description: 'In pixels, if reported.',
      }),
      height: t.exposeInt('height', {
        nullable: true,
        description: 'In pixels, if reported.',
      }),
      durationSeconds: t.exposeFloat('durationSeconds', {
        nullable: true,
        description: 'If reported.',
      }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the URL expires, if known.',
      }),
      base64: t.exposeString('base64', {
        nullable: true,
        description: 'Base64, if inline.',
      }),
    }),
  });
}
