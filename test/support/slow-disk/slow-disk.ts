import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SlowDiskOptions {
  /** The directory of the records. */
  readonly directory: string;
  /** Additional time of each sync. */
  readonly syncMs?: number;
  /** A directory for the files as a power failure would leave them. */
  readonly copy?: string;
  /** A file for `readDiskCounts`. */
  readonly counts?: string;
}

export interface DiskCounts {
  readonly writes: number;
  readonly bytes: number;
  readonly syncs: number;
}

/** Compiles the library that observes and slows the writes of a process. Undefined where that is not possible. */
export function buildSlowDisk(target: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const library = join(target, 'slow-disk.so');
  const source = join(import.meta.dirname, 'slow-disk.c');
  const { status } = spawnSync('gcc', [
    '-O2',
    '-shared',
    '-fPIC',
    '-o',
    library,
    source,
    '-ldl',
    '-lpthread',
  ]);
  return status === 0 ? library : undefined;
}

/** Environment of a process that uses the disk. */
export function slowDiskEnv(
  library: string,
  { directory, syncMs, copy, counts }: SlowDiskOptions,
): Readonly<Record<string, string>> {
  return {
    LD_PRELOAD: library,
    SLOW_DISK_DIR: directory,
    ...(syncMs !== undefined && { SLOW_DISK_SYNC_MS: String(syncMs) }),
    ...(copy !== undefined && { SLOW_DISK_COPY: copy }),
    ...(counts !== undefined && { SLOW_DISK_COUNTS: counts }),
  };
}

/** What the process has written to the directory so far. */
export function readDiskCounts(path: string): DiskCounts {
  const counts = readFileSync(path);
  const [writes = 0, bytes = 0, syncs = 0] = [0, 8, 16].map((offset) =>
    Number(counts.readBigUInt64LE(offset)),
  );
  return { writes, bytes, syncs };
}
