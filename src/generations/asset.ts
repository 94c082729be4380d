import type { FileFailure, FileState, StoredFile } from '../store/file-records.ts';

export type AssetKind = 'IMAGE' | 'VIDEO' | 'AUDIO';

/** The relation of a file to the requested result. */
type AssetRole = 'PRIMARY' | 'COVER' | 'MUSIC_VIDEO' | 'THUMBNAIL' | 'PREVIEW';

/** What is known of a file in the store of this deployment. */
export interface AssetFile {
  /** Of the asset. */
  readonly id: string;
  readonly state: FileState | 'OFF';
  readonly failure?: FileFailure | undefined;
  /** The address of the provider. Absent if the file came inline. */
  readonly sourceUrl?: string | undefined;
  /** Absent unless STORED. */
  readonly stored?: StoredFile | undefined;
}

/** A file that a generation made. */
export interface Asset {
  /** Absent if files are not kept. */
  readonly file?: AssetFile | undefined;
  /** It belongs to no generation, so it is never kept. @default false */
  readonly isWithoutFile?: boolean | undefined;
  readonly kind: AssetKind;
  /** @default 'PRIMARY' */
  readonly role?: AssetRole | undefined;
  /** The result that the file belongs to, from 0. @default its position */
  readonly index?: number | undefined;
  readonly title?: string | undefined;
  readonly url?: string | undefined;
  readonly contentType?: string | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly durationSeconds?: number | undefined;
  readonly expiresAt?: number | undefined;
  readonly base64?: string | undefined;
}

/** Gives each file without an index its position. */
export function withIndexes(assets: readonly Asset[]): readonly Asset[] {
  return assets.map((asset, index) => (asset.index === undefined ? { ...asset, index } : asset));
}
