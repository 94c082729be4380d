import DataLoader from 'dataloader';
import { type LimitUse, RecordsUnavailableError } from '../errors.ts';
import type { Caller } from '../gateway/caller.ts';
import {
  type AccessToken,
  contentNames,
  type Generation,
  type GenerationSummary,
  type Task,
} from '../store/records.ts';
import type { GenerationFiles } from '../store/file-records.ts';
import type { PolledTask } from '../store/poll-records.ts';
import type { Engine } from '../generations/engine.ts';
import { createInFlight, type InFlight } from '../lib/in-flight.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import type { AnswerBudget } from './answer-budget.ts';
import {
  type ChargedLoaderOptions,
  type ContentLoader,
  createContentLoader,
  readWithinBudget,
} from './contents.ts';
import { createTaskLoader, type TaskLoader } from './task-loader.ts';
import {
  createThreadLoader,
  createThreadSizeLoader,
  type ThreadLoader,
  type ThreadSizeLoader,
} from './thread-loaders.ts';
import { createTaskSelections, type TaskSelections } from './task-selections.ts';

/** Longest wait for the record of a generation that runs here. */
const recordMs = 500;

/** Loads undefined for unknown keys. */
type Loader<Found> = DataLoader<string, Found | undefined>;
type FindByKeys<Found> = (keys: readonly string[]) => Promise<readonly (Found | Error | undefined)[]>;

/** What the loaders of an operation read. */
type LoaderParts = Pick<
  Engine,
  'store' | 'streams' | 'tasks' | 'clock' | 'abandonment' | 'limitsOf' | 'exchange' | 'files'
>;

/**
 * Reads by key, batched within one execution. Each event of a subscription gets new loaders, because records change. Creates
 * each loader at its first use, because most events of a subscription need none. A class: each execution has one, and objects
 * with getters of their own are expensive to create.
 */
export class Loaders {
  readonly #engine: LoaderParts;
  readonly #caller: Caller | undefined;
  readonly #budget: AnswerBudget;
  #generation: Loader<GenerationSummary> | undefined;
  #content: ContentLoader | undefined;
  #thread: ThreadLoader | undefined;
  #threadSize: ThreadSizeLoader | undefined;
  #newestTurn: Loader<GenerationSummary> | undefined;
  #accessToken: Loader<AccessToken> | undefined;
  #files: Loader<GenerationFiles> | undefined;
  #taskRecord: Loader<Task> | undefined;
  #polledTask: Loader<PolledTask> | undefined;
  #task: TaskLoader | undefined;
  #taskSelections: TaskSelections | undefined;
  #limitUses: Promise<readonly LimitUse[]> | undefined;
  #waits: InFlight | undefined;
  #others: Map<string, Loader<unknown>> | undefined;

  constructor(engine: LoaderParts, caller: Caller | undefined, budget: AnswerBudget) {
    this.#engine = engine;
    this.#caller = caller;
    this.#budget = budget;
  }

  get generation(): Loader<GenerationSummary> {
    return (this.#generation ??= this.#createLoader(({ owner }, ids) => this.#findSummaries(owner, ids)));
  }

  get content(): ContentLoader {
    return (this.#content ??= createContentLoader(this.#chargedOptions()));
  }

  /** From the first turn of a conversation to this one. */
  get thread(): ThreadLoader {
    return (this.#thread ??= createThreadLoader(this.#chargedOptions()));
  }

  get threadSize(): ThreadSizeLoader {
    return (this.#threadSize ??= createThreadSizeLoader(this.#chargedOptions()));
  }

  /** Of a conversation, by its first turn. Finds nothing if there is no other turn. */
  get newestTurn(): Loader<GenerationSummary> {
    return (this.#newestTurn ??= this.#createLoader(({ owner }, rootIds) =>
      this.#engine.store.findNewestTurns(owner, rootIds),
    ));
  }

  #chargedOptions(): ChargedLoaderOptions {
    return { store: this.#engine.store, owner: this.#caller?.owner, budget: this.#budget };
  }

  get accessToken(): Loader<AccessToken> {
    return (this.#accessToken ??= this.#createLoader(({ owner }, ids) =>
      this.#engine.store.findAccessTokens(owner, ids),
    ));
  }

  /** By the generation. Finds nothing if files are not kept. */
  get files(): Loader<GenerationFiles> {
    return (this.#files ??= this.#createLoader(
      async ({ owner }, ids) => this.#engine.files?.find(owner, ids) ?? ids.map(() => undefined),
    ));
  }

  /** The record, without a read from the gateway. */
  get taskRecord(): Loader<Task> {
    return (this.#taskRecord ??= this.#createLoader(({ owner }, ids) =>
      this.#readTasks(owner, ids, (admitted) => this.#engine.store.findTasks(owner, admitted)),
    ));
  }

  /** What other instances know about a task that is polled. */
  get polledTask(): Loader<PolledTask> {
    return (this.#polledTask ??= this.#createLoader(
      async ({ owner }, ids) =>
        this.#engine.store.sharing?.polls.findPolled(owner, ids) ?? ids.map(() => undefined),
    ));
  }

  /** Reads from the gateway unless the record is terminal. */
  get task(): TaskLoader {
    return (this.#task ??= createTaskLoader(
      async (ids) => {
        const caller = this.#caller;
        if (!caller) return ids.map(() => undefined);
        return this.#readTasks(caller.owner, ids, (admitted) => this.#engine.tasks.read(caller, admitted));
      },
      ({ generationId }) => generationId !== undefined && this.#clearGeneration(generationId),
    ));
  }

  /** Whether this execution has used `task`. */
  get usesTasks(): boolean {
    return this.#task !== undefined;
  }

  get taskSelections(): TaskSelections {
    return (this.#taskSelections ??= createTaskSelections());
  }

  /** Runs a wait of a field for a change. */
  wait<Result>(work: () => Promise<Result>): Promise<Result> {
    return (this.#waits ??= createInFlight()).run(work);
  }

  /** Resolves when no field of the operation waits for a change. Call it before a read that must not be older. */
  async waited(): Promise<void> {
    // Until then, all fields at the root have begun.
    await Promise.resolve();
    await this.#waits?.waitUntilIdle();
  }

  /** What the caller has used of its limits. Measured once, after the waits. */
  get limitUses(): Promise<readonly LimitUse[]> {
    return (this.#limitUses ??= this.#measureLimits());
  }

  /** A loader of a capability, of one type of values by its name. `find` belongs to its first use. */
  other<Found>(name: string, find: FindByKeys<Found>): Loader<Found> {
    const others = (this.#others ??= new Map());
    const known = others.get(name);
    // The name decides the type.
    if (known) return known as Loader<Found>;
    const created = new DataLoader(find);
    others.set(name, created);
    return created;
  }

  /** While the records are unavailable, the generations whose streams run here are known, and need not wait for them. */
  async #findSummaries(
    owner: string,
    ids: readonly string[],
  ): Promise<readonly (GenerationSummary | Error | undefined)[]> {
    const { store, streams, exchange, clock } = this.#engine;
    const running = ids.map((id) => streams.findRunning(owner, id)?.generation);
    const canSkip = exchange !== undefined && !running.includes(undefined);
    if (canSkip && exchange.connectedAt === undefined) return running;
    const reading = store.findSummaries(owner, ids);
    try {
      // A database that hangs is detected late. Not shorter: the record can know of a cancel on another instance.
      return (await (canSkip ? withTimeout(reading, { clock, timeoutMs: recordMs }) : reading)) ?? running;
    } catch (error) {
      if (!(error instanceof RecordsUnavailableError)) throw error;
      return running.map((generation) => generation ?? error);
    }
  }

  async #measureLimits(): Promise<readonly LimitUse[]> {
    const { store, clock, abandonment, limitsOf } = this.#engine;
    const limits = this.#caller && limitsOf(this.#caller);
    if (!this.#caller || !limits) return [];
    await this.waited();
    return store.measureLimits(this.#caller.owner, { limits, abandonment: abandonment() }, clock.now());
  }

  /** The generation and its task may have changed: the next field that shows them loads them again. */
  forget({ id, taskId }: Pick<Generation, 'id' | 'taskId'>): void {
    this.#clearGeneration(id);
    if (taskId === undefined) return;
    this.#taskRecord?.clear(taskId);
    this.#task?.clear(taskId);
  }

  /** Records have changed. Tasks stay: one operation shows one state of them. */
  forgetRecords(): void {
    this.#generation = undefined;
    this.#content = undefined;
    this.#thread = undefined;
    this.#threadSize = undefined;
    this.#newestTurn = undefined;
    this.#files = undefined;
  }

  /** Finds nothing without a caller. */
  #createLoader<Value>(
    find: (caller: Caller, ids: readonly string[]) => Promise<readonly (Value | Error | undefined)[]>,
  ): DataLoader<string, Value | undefined> {
    return new DataLoader(async (ids) => (this.#caller ? find(this.#caller, ids) : ids.map(() => undefined)));
  }

  async #readTasks<Outcome>(
    owner: string,
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<readonly Outcome[]>,
  ): Promise<readonly (Outcome | Error)[]> {
    const sizes = await this.#engine.store.measureTasks(owner, ids);
    return readWithinBudget(ids, { budget: this.#budget, sizeOf: (_id, index) => sizes[index], read });
  }

  #clearGeneration(id: string): void {
    this.#generation?.clear(id);
    this.#files?.clear(id);
    for (const name of contentNames) this.#content?.clear({ id, name });
    this.#threadSize?.clear({ id });
    this.#newestTurn?.clearAll();
  }
}
