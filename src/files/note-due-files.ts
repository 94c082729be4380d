import type { Asset } from '../generations/asset.ts';
import type { Clock } from '../lib/clock.ts';
import type { GenerationPatch, StoredOutput } from '../store/records.ts';
import type { Store } from '../store/store.ts';

export type AssetsOf = (output: StoredOutput) => readonly Asset[];

export interface DueFilesOptions {
  readonly assetsOf: AssetsOf;
  readonly clock: Pick<Clock, 'now'>;
  /** A generation whose files are due was recorded. */
  readonly onDue: (generationId: string) => void;
}

/** Wraps a store: the write that ends a generation also says that its files are to be copied, so that no crash comes in between. */
export function noteDueFiles(store: Store, { assetsOf, clock, onDue }: DueFilesOptions): Store {
  const withDue = <Patch extends GenerationPatch | undefined>(patch: Patch, isEnd: boolean): Patch =>
    isEnd && patch?.output && assetsOf(patch.output).length > 0
      ? { ...patch, filesDueAt: clock.now() }
      : patch;
  return {
    ...store,
    async settle(creationId, { generation, ...settlement }) {
      const patch = withDue(generation, generation?.finishedAt !== undefined);
      const settled = await store.settle(creationId, { ...settlement, ...(patch && { generation: patch }) });
      if (settled && patch?.filesDueAt !== undefined) onDue(settled.id);
      return settled;
    },
    async endGeneration(id, end) {
      const patch = withDue(end, true);
      const ended = await store.endGeneration(id, patch);
      if (ended && patch.filesDueAt !== undefined) onDue(id);
      return ended;
    },
    async saveTask(task, patch) {
      const due = withDue(patch, patch?.finishedAt !== undefined);
      const saved = await store.saveTask(task, due);
      if (saved.generation && due?.filesDueAt !== undefined) onDue(saved.generation.id);
      return saved;
    },
    async recover(orphans, { unknown, interrupted }) {
      // What a stream had saved may have files.
      const filesDueAt = clock.now();
      const recovered = await store.recover(orphans, {
        unknown,
        interrupted: { ...interrupted, filesDueAt },
      });
      for (const { id } of recovered) onDue(id);
      return recovered;
    },
  };
}
