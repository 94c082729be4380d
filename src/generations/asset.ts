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
