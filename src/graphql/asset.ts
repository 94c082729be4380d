import type { Asset } from '../generations/asset.ts';
import type { Graph } from './graph.ts';
import { shareable } from './subgraph/shareable.ts';

function assetKindEnum({ builder }: Graph) {
  return builder.enumType('AssetKind', {
    description: 'What kind of file it is.',
    values: {
      IMAGE: { value: 'IMAGE', description: 'A still or animated image.' },
      VIDEO: { value: 'VIDEO', description: 'A video.' },
      AUDIO: { value: 'AUDIO', description: 'Speech or music.' },
    },
  } as const);
}

export function assetRef({ builder, use }: Graph) {
  return builder.objectRef<Asset>('Asset').implement({
    description: 'A file that a generation made: by address, or inline.',
    extensions: shareable,
    fields: (t) => ({
      kind: t.expose('kind', { type: use(assetKindEnum), description: 'What kind of file it is.' }),
      url: t.expose('url', {
        type: 'URL',
        nullable: true,
        description: 'Its address, as the gateway gave it; null where it came inline.',
      }),
      contentType: t.exposeString('contentType', {
        nullable: true,
        description: 'MIME type, where the gateway tells it.',
      }),
      width: t.exposeInt('width', {
        nullable: true,
        description: 'Width in pixels, where the gateway tells it.',
      }),
      height: t.exposeInt('height', {
        nullable: true,
        description: 'Height in pixels, where the gateway tells it.',
      }),
      durationSeconds: t.exposeFloat('durationSeconds', {
        nullable: true,
        description: 'Playing time in seconds, where the gateway tells it.',
      }),
      expiresAt: t.expose('expiresAt', {
        type: 'DateTime',
        nullable: true,
        description: 'When the address stops working; null where the gateway names no time.',
      }),
      base64: t.exposeString('base64', {
        nullable: true,
        description: 'The file itself in base64, where it came inline.',
      }),
    }),
  });
}
