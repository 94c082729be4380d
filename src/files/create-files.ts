import { join } from 'node:path';
import { createMaintenanceLog } from '../lib/maintenance-log.ts';
import type { Clock } from '../lib/clock.ts';
import { inBatches } from '../lib/in-batches.ts';
import { createInFlight } from '../lib/in-flight.ts';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Outgoing } from '../outgoing/outgoing.ts';
import type { FileRecords } from '../store/file-records.ts';
import type { Store } from '../store/store.ts';
import { createArrivingUploads } from './arriving-uploads.ts';
import { createCopier } from './copier.ts';
import { copyFile, type CopyFileOptions } from './copy-file.ts';
import { createDeletions } from './delete-released.ts';
import { dispositionOf, extensionOfType } from './disposition.ts';
import { fromStore } from './file-errors.ts';
import type { FileStore } from './file-store.ts';
import type { Files } from './files.ts';
import { openIncoming } from './incoming.ts';
import { createInputFiles } from './input-files.ts';
import { type AssetsOf, noteDueFiles } from './note-due-files.ts';
import { createPlanFiles } from './plan-files.ts';
import { reportOrphans } from './report-orphans.ts';
import { createSignedPaths } from './signed-paths.ts';
import { createUnknownOwners } from './unknown-owners.ts';
import { createUploads } from './uploads.ts';

export interface FilesOptions extends Pick<
  CopyFileOptions,
  'toReachable' | 'limits' | 'removesOldest' | 'timeoutMs'
> {
  readonly store: Store;
  readonly records: FileRecords;
  readonly fileStore: FileStore;
  readonly outgoing: Outgoing;
  readonly assetsOf: AssetsOf;
  /** For files that are being received. */
  readonly folder: string;
  readonly maxCopies: number;
  /** A signed address is valid for this time, or up to twice as long. */
  readonly addressMs: number;
  /** Whether clients read from the store itself. */
  readonly sharesStoreAddresses: boolean;
  /** Of this server, as clients see it. @default where it listens */
  readonly publicUrl: string | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly metrics: Metrics | undefined;
  readonly log: Log;
}

/** Between two looks at what other instances have left, and at what may be deleted. */
const roundMs = 5000;
const expiredBatch = 100;

export async function createFiles(options: FilesOptions): Promise<Files> {
  const { store, records, fileStore, outgoing, assetsOf, clock, log } = options;
  const forClients = withFailuresOf(fileStore);
  const incoming = await openIncoming(options.folder, store);
  const paths = createSignedPaths(await store.secret(), options.addressMs);
  const planning = createPlanFiles({ store, records, assetsOf });
  let onChanged: (owner: string, generationId: string) => void = () => {};
  let url = options.publicUrl ?? '';
  const copier = createCopier({
    records,
    copy: (file, local) => copyFile(file, local, { ...options, findAssets: planning.findAssets }),
    pathOf: (name) => join(incoming, name),
    onSettled({ owner, generationId, sourceUrl }) {
      onChanged(owner, generationId);
      // The output can do without an inline file.
      if (sourceUrl === undefined) rounds.wake(generationId);
    },
    maxCopies: options.maxCopies,
    clock,
    random: options.random,
    metrics: options.metrics,
    log,
  });
  /** The files that this instance may be writing. */
  const active = {
    uploads: new Set<string>(),
    has: (key: string): boolean => copier.active.has(key) || active.uploads.has(key),
  };
  const rounds = createRounds({ ...options, planning, copier, isActive: active.has });
  const addressOf: Files['addressOf'] = async ({ id, stored }) => {
    const { contentType, key } = stored;
    const extension = extensionOfType(contentType);
    const { path, ...times } = paths.sign('read', id, { now: clock.now(), extension });
    const disposition = dispositionOf(id, contentType);
    const { expiresAt } = times;
    if (!options.sharesStoreAddresses || !forClients.presign) return { url: url + path, expiresAt };
    return { url: await forClients.presign(key, { ...times, contentType, disposition }), expiresAt };
  };
  const uploads = createUploads({
    ...options,
    fileStore: forClients,
    ...createUnknownOwners(options),
    paths,
    url: () => url,
    pathOf: (name) => join(incoming, name),
    active: active.uploads,
    reserve: createArrivingUploads(options),
  });
  const open: Files['open'] = ({ key }, range) => forClients.open(key, range);
  const hasPublicAddress = options.publicUrl !== undefined;
  return {
    wrap: (inner) => noteDueFiles(inner, { assetsOf, clock, onDue: rounds.wake }),
    start(started) {
      onChanged = started.onChanged;
      url = options.publicUrl ?? started.url;
      rounds.start();
      reportOrphans({ records, fileStore, log }).catch((err: unknown) =>
        log.warn({ err }, 'could not look for orphans in the store of files'),
      );
    },
    async close() {
      const ended = Promise.all([rounds.close(), copier.close()]);
      // What waits for the store would delay the end.
      fileStore.close();
      await ended;
      await outgoing.close();
    },
    find: records.find,
    addressOf,
    storeOrigin: options.sharesStoreAddresses ? fileStore.origin : undefined,
    ...createInputFiles({
      store,
      records,
      open,
      findAssets: planning.findAssets,
      addressOf: hasPublicAddress ? addressOf : undefined,
      adopt: uploads.adopt,
      clock,
    }),
    createUpload: uploads.createUpload,
    receive: uploads.receive,
    async findAt(path) {
      const verified = paths.verify('read', path, clock.now());
      const file = verified && (await records.findStored(verified.id));
      if (!file) return undefined;
      return {
        file,
        expiresAt: verified.expiresAt,
        disposition: dispositionOf(verified.id, file.contentType),
      };
    },
    open,
  };
}

/** What clients ask for can be repeated when the store works again. */
function withFailuresOf(fileStore: FileStore): FileStore {
  const { presign, presignUpload } = fileStore;
  return {
    ...fileStore,
    put: (...put) => fromStore(fileStore.put(...put)),
    open: (...open) => fromStore(fileStore.open(...open)),
    presign: presign && ((...address) => fromStore(presign(...address))),
    presignUpload: presignUpload && ((...address) => fromStore(presignUpload(...address))),
  };
}

interface RoundOptions extends Pick<FilesOptions, 'records' | 'fileStore' | 'clock' | 'log'> {
  readonly planning: ReturnType<typeof createPlanFiles>;
  readonly copier: ReturnType<typeof createCopier>;
  readonly isActive: (key: string) => boolean;
}

/** Plans and copies at once what this instance ends, and regularly what others have left. */
function createRounds({ records, fileStore, clock, log, planning, copier, isActive }: RoundOptions) {
  const ended = new Set<string>();
  const running = createInFlight();
  let cancel = (): void => {};
  let isClosed = false;
  let isStarted = false;
  const deleteReleased = createDeletions({ records, fileStore, isActive, isClosed: () => isClosed });
  const report = createMaintenanceLog({ log, clock, work: 'file maintenance' });

  const attempt = async (job: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      report.onSuccess(job);
    } catch (error) {
      // The end aborts requests to the store.
      if (!isClosed) report.onError(error, job);
    }
  };
  const planEnded = async (): Promise<void> => {
    const ids = [...ended];
    ended.clear();
    // The first round plans everything.
    if (!isStarted || isClosed) return;
    await attempt('begin copies', async () => {
      await planning.planEnded(ids);
      await copier.run();
    });
  };
  const round = async (before: number): Promise<void> => {
    await attempt('look for copies', () => planning.planAll(before, () => isClosed));
    await attempt('begin copies', async () => {
      await records.hasten(clock.now());
      await copier.run();
    });
    await attempt('delete files', async () => {
      await inBatches({ size: expiredBatch, isStopped: () => isClosed }, (limit) =>
        records.expireUploads(clock.now(), limit),
      );
      await deleteReleased();
    });
  };
  const schedule = (): void => {
    if (isClosed) return;
    cancel = clock.after(roundMs, () => {
      void running.run(() => round(clock.now() - roundMs)).then(schedule);
    });
  };
  return {
    wake(generationId: string): void {
      if (isClosed) return;
      // The generations that end in one turn of the event loop are planned together.
      if (ended.size === 0) setImmediate(() => void running.run(planEnded));
      ended.add(generationId);
    },
    start(): void {
      isStarted = true;
      void running.run(() => round(clock.now() + 1)).then(schedule);
    },
    async close(): Promise<void> {
      isClosed = true;
      cancel();
      await running.waitUntilIdle();
    },
  };
}
