import { unlink } from 'node:fs/promises';
import { backOffMs } from '../lib/back-off.ts';
import type { Clock } from '../lib/clock.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Log } from '../lib/log.ts';
import { codeOf } from '../lib/thrown.ts';
import { hourMs } from '../lib/time.ts';
import { wait } from '../lib/wait.ts';
import type { Metrics } from '../metrics/metrics.ts';
import {
  type ClaimedFile,
  type FileFailure,
  type FileRecords,
  maxPostponedMs,
} from '../store/file-records.ts';
import type { Copied, LocalCopy } from './copy-file.ts';
import { FileFailedError, FileRetryError } from './file-errors.ts';

export interface CopierOptions {
  readonly records: Pick<FileRecords, 'claim' | 'postpone' | 'fail'>;
  /** @throws like `copyFile` */
  readonly copy: (file: ClaimedFile, local: LocalCopy) => Promise<Copied>;
  /** Of a local file with this name. */
  readonly pathOf: (name: string) => string;
  /** It is stored, or will not be. */
  readonly onSettled: (file: ClaimedFile) => void;
  readonly maxCopies: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly metrics: Metrics | undefined;
  readonly log: Log;
}

/** Copies the files that are due, a few at a time. */
export interface Copier {
  /** The files that are being copied. */
  readonly active: Pick<ReadonlySet<string>, 'has'>;
  /** Begins to copy what is due, as far as there is room. Resolves when everything has begun. */
  run(): Promise<void>;
  /** Aborts all copies. They continue at the next start, or on another instance. */
  close(): Promise<void>;
}

/** A copy that takes longer is slow: its provider may hang. */
const slowMs = 2000;
const delays = { firstMs: 2000, maxMs: maxPostponedMs / 2 };
/** Addresses of providers live for hours or days. */
const maxAgeMs = 48 * hourMs;
/** Also of a file that seems to be older, because the server was down or its clock is ahead: they take half an hour. */
const minAttempts = 10;

interface ActiveCopy {
  /** How the address begins. Absent if the file came inline. */
  readonly provider: string | undefined;
  /** On the monotonic clock. */
  readonly startedAt: number;
}

export function createCopier(options: CopierOptions): Copier {
  const { records, maxCopies, clock, metrics, log } = options;
  const active = new Map<string, ActiveCopy>();
  const running = createInFlight();
  const closing = new AbortController();
  let claiming: Promise<void> | undefined;
  let isAskedAgain = false;

  /** Providers whose slow copies are one half of all, or more. */
  const findSlow = (): readonly string[] => {
    const startedBefore = clock.elapsed() - slowMs;
    const slow = [...active.values()].filter(({ startedAt }) => startedAt <= startedBefore);
    return [...Map.groupBy(slow, ({ provider }) => provider)].flatMap(([provider, copies]) =>
      provider !== undefined && 2 * copies.length >= maxCopies ? provider : [],
    );
  };
  const claimExcept = async (except: readonly string[]): Promise<void> => {
    const limit = maxCopies - active.size;
    if (limit <= 0 || closing.signal.aborted) return;
    const selection = { limit, active: new Set(active.keys()), except };
    for (const file of await records.claim(clock.now(), selection)) start(file);
  };
  const claim = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const slow = findSlow();
      // Files of others come first: those of a provider that hangs would keep them waiting for hours.
      if (slow.length > 0) await claimExcept(slow);
      await claimExcept([]);
    } while (isAskedAgain);
  };
  const run = async (): Promise<void> => {
    if (claiming) isAskedAgain = true;
    claiming ??= claim().finally(() => (claiming = undefined));
    await claiming;
  };
  const start = (file: ClaimedFile): void => {
    active.set(file.id, { provider: toProvider(file.sourceUrl), startedAt: clock.elapsed() });
    void running.run(async () => {
      await copy(file);
      active.delete(file.id);
      // The next round repeats a claim that fails.
      run().catch(() => {});
    });
  };
  const copy = async (file: ClaimedFile): Promise<void> => {
    try {
      if ((await copyOnce(file, closing.signal, options)) !== 'STORED') return;
      countCopy(metrics, 'stored');
      options.onSettled(file);
    } catch (error) {
      // If this write fails too, the file is claimed again, after a wait: a claim may work.
      await settle(file, error).catch((err: unknown) => {
        log.warn({ err, fileId: file.id }, 'could not record that a file was not copied');
        return wait(clock, delays.firstMs, closing.signal);
      });
    }
  };
  const settle = async (file: ClaimedFile, error: unknown): Promise<void> => {
    const now = clock.now();
    const { id: fileId, generationId, attempts } = file;
    if (closing.signal.aborted) return records.postpone(file, now);
    const failure = failureOf(error);
    const { maxAttempts = Infinity } = error instanceof FileRetryError ? error : {};
    const isFinal =
      error instanceof FileFailedError ||
      attempts >= maxAttempts ||
      (attempts >= minAttempts && now - file.createdAt > maxAgeMs);
    countCopy(metrics, isFinal ? 'given-up' : 'failed', failure);
    if (isFinal) {
      log.warn(
        { err: error, fileId, generationId, failure, attempts },
        'a file of a generation was not stored',
      );
      await records.fail(file, failure);
      options.onSettled(file);
      return;
    }
    const delayMs = backOffMs(attempts, delays);
    const retryMs = Math.round(delayMs * (0.75 + options.random() / 2));
    log.info({ err: error, fileId, generationId, attempts, retryMs }, 'could not copy a file; retrying');
    await records.postpone(file, now + retryMs);
  };

  return {
    active,
    run,
    async close() {
      closing.abort(new Error('the server stops'));
      await claiming?.catch(() => {});
      await running.waitUntilIdle();
    },
  };
}

/** Afterwards, its local bytes do not fill the disk while the records write what follows. */
async function copyOnce(file: ClaimedFile, signal: AbortSignal, options: CopierOptions): Promise<Copied> {
  const path = options.pathOf(file.id);
  try {
    return await options.copy(file, { path, signal });
  } finally {
    // The store may have moved it.
    await unlink(path).catch(() => {});
  }
}

function countCopy(
  metrics: Metrics | undefined,
  outcome: 'stored' | 'failed' | 'given-up',
  failure?: FileFailure,
): void {
  const reason = failure && { 'error.type': failure };
  metrics?.add('gengraph.file.copies', 1, { 'gengraph.file.outcome': outcome, ...reason });
}

/** The address up to its path. */
function toProvider(url: string | undefined): string | undefined {
  return url?.match(/^[^/]*\/\/[^/]*\/?/)?.[0];
}

function failureOf(error: unknown): FileFailure {
  if (error instanceof FileFailedError || error instanceof FileRetryError) return error.failure;
  return ['ENOSPC', 'EDQUOT'].includes(codeOf(error)) ? 'NO_ROOM' : 'UNREACHABLE';
}
