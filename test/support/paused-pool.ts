import type { PoolConfig } from 'pg';
import type { ConnectionPool } from '../../src/store/postgres/waiting-pool.ts';
import { createGatedPool } from './gated-pool.ts';

/** Stops the statements of one store before they are sent. */
export interface StatementGate {
  readonly createPool: (config: PoolConfig) => ConnectionPool;
  /** Statements since the last `pauseBefore`. */
  readonly count: number;
  /** Resets the count, and stops before the statement with this index (from 0). */
  pauseBefore(index: number): Pause;
}

export interface Pause {
  readonly reached: Promise<void>;
  resume(): void;
}

export function createStatementGate(name: string): StatementGate {
  let count = 0;
  let pausedAt = -1;
  let reached = Promise.withResolvers<void>();
  let resumed = Promise.withResolvers<void>();
  const pass = async (): Promise<void> => {
    const index = count;
    count += 1;
    if (index !== pausedAt) return;
    reached.resolve();
    await resumed.promise;
  };
  return {
    createPool: (config) => createGatedPool(config, name, pass),
    get count() {
      return count;
    },
    pauseBefore(index) {
      count = 0;
      pausedAt = index;
      reached = Promise.withResolvers();
      resumed = Promise.withResolvers();
      return { reached: reached.promise, resume: resumed.resolve };
    },
  };
}
