import type { SaveTimes } from './save-times.ts';

/** Throttles saves of a value that changes often. */
export interface Saver {
  /** Marks the value as changed. Cheap enough to call for every delta. */
  changed(): void;
  /** Cancels the next save. Resolves when no save is in flight. */
  stop(): Promise<void>;
}

export interface SaverOptions {
  readonly times: SaveTimes;
  readonly save: () => Promise<void>;
}

/** A failed save is retried after the same interval. */
export function createSaver(options: SaverOptions): Saver {
  return new ThrottledSaver(options);
}

/** A class: every running stream holds one, and closures take more memory. */
class ThrottledSaver implements Saver {
  readonly #options: SaverOptions;
  #saving: Promise<void> | undefined;
  #isDirty = false;
  #isScheduled = false;
  #isStopped = false;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  changed(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#options.times.delete(this);
    await this.#saving;
  }

  /** The time of the next save has come. */
  onDue(): void {
    if (this.#isStopped) return;
    this.#isScheduled = false;
    this.#isDirty = false;
    this.#saving = this.#options.save().then(
      () => this.#onSaved(),
      () => {
        this.#isDirty = true;
        this.#onSaved();
      },
    );
  }

  #onSaved(): void {
    this.#saving = undefined;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isDirty || this.#isStopped || this.#isScheduled || this.#saving) return;
    this.#isScheduled = true;
    this.#options.times.add(this);
  }
}
