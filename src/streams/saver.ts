import type { SaveTimes } from './save-times.ts';

export interface SaverOptions {
  readonly times: SaveTimes;
  readonly save: () => Promise<void>;
}

/**
 * Throttles saves of a value that changes often. A failed save is retried after the same interval. A class: every running
 * stream holds one, and closures take more memory.
 */
export class Saver {
  readonly #options: SaverOptions;
  #saving: Promise<void> | undefined;
  #isDirty = false;
  #isScheduled = false;
  #isStopped = false;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** Marks the value as changed. Cheap enough to call for every delta. */
  changed(): void {
    if (this.#isDirty) return;
    this.#isDirty = true;
    this.#schedule();
  }

  /** Cancels the next save. Resolves when no save is in flight. */
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
