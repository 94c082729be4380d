import type { Asset } from '../generations/asset.ts';
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

export function assetRef({ builder, use }: Graph) {
  return builder.objectRef<Asset>('Asset').implement({
    description: 'A generated file, as a URL or inline.',
    extensions: shareable,
    fields: (t) => ({
      kind: t.expose('kind', { type: use(assetKindEnum), description: 'File kind.' }),
      url: t.expose('url', {
        type: 'URL',
        nullable: true,
        description: 'Null if the file is inline.',
      }),
      contentType: t.exposeString('contentType', {
        nullable: true,
        description: 'MIME type, if reported.',
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
        description: 'The file in base64, if inline.',
      }),
    }),
  });
}
