import type { Kysely } from 'kysely';
import type { Deadline } from '../../store.ts';
import type { Tables } from './tables.ts';

/** The records, for reads and for writes. */
export interface Database {
  /** Reads see every completed write, and do not wait for writers. */
  readonly reader: Kysely<Tables>;
  readonly writes: Writes;
}

/** Runs a read of an owner, without the parsing that follows. */
export type RunRead = <Result>(owner: string, read: () => Promise<Result>) => Promise<Result>;

/** Part of a write that runs while it has the connection. */
export type Write<Result> = (db: Kysely<Tables>) => Promise<Result>;

/**
 * Runs writes. Each waits for other writers until its deadline at most, counted from the call: time in the queue of this
 * process counts too.
 */
export interface Writes {
  readonly transaction: <Result>(write: Write<Result>, deadline?: Deadline) => Promise<Result>;
  /** For a write of one statement. */
  readonly statement: <Result>(write: Write<Result>, deadline?: Deadline) => Promise<Result>;
  /**
   * Resolves when the writes that have resolved before the call survive a power failure. A completed write survives a crash of
   * the process without it.
   */
  readonly sync: () => Promise<void>;
  readonly createDeadline: () => Deadline;
}
