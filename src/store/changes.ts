import { dayMs } from '../lib/time.ts';

/** At least this many changes of each owner are kept. A client that missed more reads its list again. */
export const keptChanges = 10_000;

/** Changes are kept this long. */
export const keptDays = 7;
export const keptMs = keptDays * dayMs;

/**
 * A position in the changes of an owner. The numbers of an owner have no gaps, and their order is the order of the commits.
 * Number 0 is the position before the first change.
 */
export interface ChangePosition {
  readonly number: number;
  /** Random. After a restore of older records, the same number has another mark. */
  readonly mark: number;
}

/** A visible generation was created, changed or deleted. */
export interface RecordedChange extends ChangePosition {
  readonly generationId: string;
}

export interface ChangesPage {
  /** The number of the first change. */
  readonly from: number;
  readonly limit: number;
}
