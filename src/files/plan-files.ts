import type { Asset } from '../generations/asset.ts';
import { isWebAddress } from '../lib/addresses.ts';
import type { DueGeneration, FileRecords, PlannedFile } from '../store/file-records.ts';
import type { StoredOutput } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { AssetsOf } from './note-due-files.ts';

export interface PlanFilesOptions {
  readonly store: Pick<Store, 'findContents'>;
  readonly records: Pick<FileRecords, 'findDue' | 'findDueOf' | 'plan'>;
  readonly assetsOf: AssetsOf;
}

/** Records the files of generations that have ended. */
export interface PlanFiles {
  /** The assets of a generation. */
  findAssets(owner: string, generationId: string): Promise<readonly Asset[]>;
  /** Returns whether there may be more. */
  planAll(before: number): Promise<boolean>;
  planEnded(ids: readonly string[]): Promise<void>;
}

const batchSize = 100;

export function createPlanFiles({ store, records, assetsOf }: PlanFilesOptions): PlanFiles {
  const findAssets = async (owner: string, id: string): Promise<readonly Asset[]> => {
    const [output] = await store.findContents(owner, [{ id, name: 'output' }]);
    // The store returns the output as a capability has decoded it.
    return output ? assetsOf(output as unknown as StoredOutput) : [];
  };
  const plan = async (generations: readonly DueGeneration[]): Promise<void> => {
    for (const generation of generations) {
      const assets = await findAssets(generation.owner, generation.id);
      await records.plan(generation, assets.flatMap(toPlanned));
    }
  };
  return {
    findAssets,
    async planAll(before) {
      const found = await records.findDue(before, batchSize);
      await plan(found);
      return found.length === batchSize;
    },
    planEnded: async (ids) => plan(await records.findDueOf(ids)),
  };
}

/** An asset without content, such as a part that was withheld, has no file. */
function toPlanned({ url, base64 }: Asset, position: number): readonly PlannedFile[] {
  if (isWebAddress(url)) return [{ position, sourceUrl: url }];
  return base64 === undefined ? [] : [{ position }];
}
