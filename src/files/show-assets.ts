import type { Asset } from '../generations/asset.ts';
import type { GenerationFiles } from '../store/file-records.ts';
import { assetIdOf, type Files } from './files.ts';

export interface ShownGeneration {
  readonly id: string;
  /** Absent before the end of the generation. */
  readonly found: GenerationFiles | undefined;
}

/** The assets of a generation, with the addresses of stored files in place of those of the provider. */
export function showAssets(
  assets: readonly Asset[],
  { id, found }: ShownGeneration,
  files: Pick<Files, 'addressOf'>,
): Promise<readonly Asset[]> {
  const show = async (asset: Asset, position: number): Promise<Asset> => {
    const record = found?.files.find((file) => file.position === position);
    const stored = record?.stored;
    const file = {
      id: assetIdOf(id, position),
      state: record?.state ?? (!found || found.isDue ? ('PENDING' as const) : ('OFF' as const)),
      failure: record?.failure,
      sourceUrl: asset.url,
      stored,
    };
    if (!record || !stored) return { ...asset, file };
    const { contentType } = stored;
    return { ...asset, ...(await files.addressOf({ id: record.id, stored })), contentType, file };
  };
  return Promise.all(assets.map(show));
}
