import { createHash } from 'node:crypto';
import type { Asset } from '../generations/asset.ts';
import { isMoved, movedText, replaceBase64 } from '../generations/moved-content.ts';
import { minMediaChars } from '../generations/without-media.ts';
import { isWebAddress } from '../lib/addresses.ts';
import { throwFirstFailure } from '../lib/throw-first-failure.ts';
import type { DueGeneration, FileRecords, MovedOutput, PlannedFile } from '../store/file-records.ts';
import type { StoredOutput } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import { decodeBase64 } from './download.ts';
import type { AssetsOf } from './note-due-files.ts';

export interface PlanFilesOptions {
  readonly store: Pick<
    Store,
    'findContents' | 'measureContents' | 'findSummaries' | 'findTasks' | 'measureTasks'
  >;
  readonly records: Pick<FileRecords, 'find' | 'findDue' | 'findDueOf' | 'plan'>;
  readonly assetsOf: AssetsOf;
}

/** Records the files of generations that have ended. */
export interface PlanFiles {
  findAssets(owner: string, generationId: string): Promise<readonly Asset[]>;
  planAll(before: number, isClosed: () => boolean): Promise<void>;
  planEnded(ids: readonly string[]): Promise<void>;
}

const batchSize = 100;

export function createPlanFiles({ store, records, assetsOf }: PlanFilesOptions): PlanFiles {
  const findOutput = async (owner: string, id: string): Promise<StoredOutput | undefined> =>
    (await store.findContents(owner, [{ id, name: 'output' }]))[0];
  const planOne = async (generation: DueGeneration): Promise<void> => {
    const { owner, id } = generation;
    const [outputBytes] = await store.measureContents(owner, [{ id, name: 'output' }]);
    const output = await findOutput(owner, id);
    const assets = output ? assetsOf(output) : [];
    const inline = await compareInline(generation, assets, records);
    const planned = assets.flatMap((asset, position) =>
      toPlanned(asset, position, inline.changed.has(position)),
    );
    if (!output || inline.moved.size === 0) await records.plan(generation, planned);
    else
      await records.plan(generation, planned, {
        output: replaceBase64(output, inline.moved),
        outputBytes,
        task: await moveOfTask(generation, inline.moved, store),
      });
  };
  /** One that fails remains due, and keeps no others. */
  const plan = async (generations: readonly DueGeneration[]): Promise<readonly PromiseRejectedResult[]> => {
    const plans: PromiseSettledResult<void>[] = [];
    for (const generation of generations) plans.push(...(await Promise.allSettled([planOne(generation)])));
    return plans.filter((result) => result.status === 'rejected');
  };
  return {
    async findAssets(owner, id) {
      const output = await findOutput(owner, id);
      return output ? assetsOf(output) : [];
    },
    async planAll(before, isClosed) {
      const failures: PromiseRejectedResult[] = [];
      while (!isClosed()) {
        const found = await records.findDue(before, batchSize, failures.length);
        failures.push(...(await plan(found)));
        if (found.length < batchSize) break;
      }
      throwFirstFailure(failures);
    },
    planEnded: async (ids) => throwFirstFailure(await plan(await records.findDueOf(ids))),
  };
}

/** An asset without content, such as a part that was withheld, has no file. */
function toPlanned({ url, base64 }: Asset, position: number, isChanged: boolean): readonly PlannedFile[] {
  if (isWebAddress(url)) return [{ position, sourceUrl: url }];
  if (base64 === undefined) return [];
  return [{ position, inline: isMoved(base64) ? 'KEPT' : isChanged ? 'CHANGED' : undefined }];
}

interface ComparedInline {
  /** What an output can have in place of base64 text, because the store has the same content. */
  readonly moved: ReadonlyMap<string, string>;
  /** Positions at which the store has other content. */
  readonly changed: ReadonlySet<number>;
}

async function compareInline(
  { owner, id }: DueGeneration,
  assets: readonly Asset[],
  records: Pick<FileRecords, 'find'>,
): Promise<ComparedInline> {
  const moved = new Map<string, string>();
  const changed = new Set<number>();
  if (!assets.some(isInline)) return { moved, changed };
  const [found] = await records.find(owner, [id]);
  for (const { position = -1, stored } of found?.files ?? []) {
    const asset = assets[position];
    if (!stored || !asset || !isInline(asset)) continue;
    if ((await hashOf(asset.base64)) !== stored.hash) changed.add(position);
    else if (asset.base64.length >= minMediaChars) moved.set(asset.base64, movedText(stored));
  }
  return { moved, changed };
}

function isInline(asset: Asset): asset is Asset & { readonly base64: string } {
  const { url, base64 } = asset;
  return !isWebAddress(url) && base64 !== undefined && !isMoved(base64);
}

/** In slices: the text may be large. */
async function hashOf(base64: string): Promise<string> {
  const hasher = createHash('sha256');
  for await (const piece of decodeBase64(base64)) hasher.update(piece);
  return hasher.digest('hex');
}

/** The task of a generation repeats its output. */
async function moveOfTask(
  { owner, id }: DueGeneration,
  moved: ReadonlyMap<string, string>,
  store: PlanFilesOptions['store'],
): Promise<MovedOutput['task']> {
  const [generation] = await store.findSummaries(owner, [id]);
  if (generation?.taskId === undefined) return undefined;
  const [bytes] = await store.measureTasks(owner, [generation.taskId]);
  const [task] = await store.findTasks(owner, [generation.taskId]);
  return task && { record: replaceBase64(task, moved), bytes };
}
