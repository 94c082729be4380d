import type { Asset } from '../generations/asset.ts';
import type { Context } from './context.ts';
import { contentTypeOf } from '../generations/content-type.ts';
import type { Graph } from './graph.ts';
import { nullable } from './field-options.ts';
import { base64Of } from './inline-content.ts';
import { shareable } from './subgraph/shareable.ts';

function assetKindEnum({ builder }: Graph) {
  return builder.enumType('AssetKind', {
    description: 'File kind.',
    values: {
      IMAGE: { description: 'Still or animated image.' },
      VIDEO: { description: 'Video.' },
      AUDIO: { description: 'Speech or music.' },
    },
  } as const);
}

function assetRoleEnum({ builder }: Graph) {
  return builder.enumType('AssetRole', {
    description: 'Relation of a file to the requested result.',
    values: {
      PRIMARY: { description: 'The requested result, or a part of it.' },
      COVER: { description: 'Cover picture of a song.' },
      MUSIC_VIDEO: { description: 'Video of a song.' },
      THUMBNAIL: { description: 'Still image of a video.' },
      PREVIEW: { description: 'Sample of a voice.' },
    },
  } as const);
}

function assetStorageEnum({ builder }: Graph) {
  return builder.enumType('AssetStorage', {
    description: 'Whether this server keeps a copy of a file.',
    values: {
      PENDING: { description: 'It will be copied, at the end of the generation.' },
      STORED: { description: '`url` is the copy.' },
      FAILED: { description: 'No copy: see `storageFailure`.' },
      OFF: { description: 'Not kept, or made before this server kept files.' },
    },
  } as const);
}

function storageFailureEnum({ builder }: Graph) {
  return builder.enumType('StorageFailure', {
    description: 'Why this server has no copy of a file.',
    values: {
      NOT_FOUND: { description: 'The provider no longer had it.' },
      UNREACHABLE: { description: 'No attempt succeeded.' },
      REFUSED_ADDRESS: { description: 'Not a public http(s) URL.' },
      TOO_LARGE: { description: 'Larger than one file may be.' },
      WRONG_TYPE: { description: 'Its bytes are not of the declared type.' },
      NO_ROOM: { description: 'The limits of stored bytes were reached.' },
      REMOVED: { description: 'It made room for newer files.' },
    },
  } as const);
}

/** Events of streams have no file yet. */
function storageOf({ file, isWithoutFile = false }: Asset, { engine }: Pick<Context, 'engine'>) {
  return file?.state ?? (engine.files && !isWithoutFile ? 'PENDING' : 'OFF');
}

export function assetRef({ builder, use }: Graph) {
  return builder.objectRef<Asset>('Asset').implement({
    description: 'A generated file, as a URL or inline.',
    extensions: shareable,
    fields: (t) => ({
      id: t.id({
        ...nullable('For inputs that take images. Null unless this server keeps files.'),
        resolve: ({ file }) => file?.id,
      }),
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
      title: t.exposeString('title', nullable('Title of the song, if reported.')),
      url: t.expose('url', {
        type: 'URL',
        ...nullable('Null if inline. If STORED, a signed address for a short time: read it again later.'),
      }),
      sourceUrl: t.field({
        type: 'URL',
        ...nullable("The provider's URL. Null if inline."),
        resolve: ({ file, url }) => (file ? file.sourceUrl : url),
      }),
      storage: t.field({
        type: use(assetStorageEnum),
        description: 'The status of the generation does not wait for it.',
        resolve: (asset, _args, context) => storageOf(asset, context),
      }),
      storageFailure: t.field({
        type: use(storageFailureEnum),
        ...nullable('Null unless FAILED.'),
        resolve: ({ file }) => file?.failure,
      }),
      contentType: t.string({
        ...nullable('MIME type, as reported, requested or recognized.'),
        resolve: contentTypeOf,
      }),
      width: t.exposeInt('width', nullable('In pixels, if reported.')),
      height: t.exposeInt('height', nullable('In pixels, if reported.')),
      durationSeconds: t.exposeFloat('durationSeconds', nullable('If reported.')),
      expiresAt: t.expose('expiresAt', { type: 'DateTime', ...nullable('When the URL expires, if known.') }),
      base64: t.string({
        ...nullable('Base64, if inline.'),
        resolve: (asset, _args, context) => base64Of(asset, context),
      }),
    }),
  });
}
