export type AssetKind = 'IMAGE' | 'VIDEO' | 'AUDIO';

/** The relation of a file to the requested result. */
type AssetRole = 'PRIMARY' | 'COVER' | 'MUSIC_VIDEO' | 'THUMBNAIL' | 'PREVIEW';

/** A file that a generation made. */
export interface Asset {
  readonly kind: AssetKind;
  /** @default 'PRIMARY' */
  readonly role?: AssetRole | undefined;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly durationSeconds?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly base64?: string | undefined;
}
