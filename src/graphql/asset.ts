import { builder } from './builder.ts';
import { shareable } from './subgraph/shareable.ts';

export type AssetKind = 'IMAGE' | 'VIDEO' | 'AUDIO';

/** A file that a generation made. */
export interface Asset {
  readonly kind: AssetKind;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly durationSeconds?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly base64?: string | undefined;
}

const AssetKindEnum = builder.enumType('AssetKind', {
  description: 'What kind of file.',
  values: {
    IMAGE: { value: 'IMAGE', description: 'A still or animated image.' },
    VIDEO: { value: 'VIDEO', description: 'A video.' },
    AUDIO: { value: 'AUDIO', description: 'Speech or music.' },
  },
} as const);

export const AssetRef = builder.objectRef<Asset>('Asset').implement({
  description: 'A file that a generation made: by address, or inline.',
  extensions: shareable,
  fields: (t) => ({
    kind: t.expose('kind', { type: AssetKindEnum, description: 'What kind of file.' }),
    url: t.expose('url', {
      type: 'URL',
      nullable: true,
      description: 'Where it lies; as the gateway gave it.',
    }),
    contentType: t.exposeString('contentType', {
      nullable: true,
      description: 'MIME type, where the gateway tells it.',
    }),
    width: t.exposeInt('width', { nullable: true, description: 'Pixels.' }),
    height: t.exposeInt('height', { nullable: true, description: 'Pixels.' }),
    durationSeconds: t.exposeFloat('durationSeconds', { nullable: true, description: 'Playing time.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the address ends; null where the gateway names no time.',
    }),
    base64: t.exposeString('base64', {
      nullable: true,
      description: 'The file itself in base64, where the gateway sent it inline.',
    }),
  }),
});
