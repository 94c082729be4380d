import type { PoolConfig } from 'pg';
import type { ConnectionPool } from '../../src/store/postgres/waiting-pool.ts';
import { createGatedPool } from './gated-pool.ts';

/** Lets a test decide when each statement of one store is sent. */
export interface Steps {
  readonly createPool: (config: PoolConfig) => ConnectionPool;
  /** Whether a statement waits for `next`. */
  readonly isWaiting: boolean;
  /** Sends the statement that has waited longest. */
  next(): void;
  /** While it is free, every statement is sent at once. */
  setFree(isFree: boolean): void;
}

/** `name` is the application name of the connections. */
export function createSteps(name: string): Steps {
  const waiting: (() => void)[] = [];
  let isFree = true;
  const pass = async (): Promise<void> => {
    if (!isFree) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    createPool: (config) => createGatedPool(config, name, pass),
    get isWaiting() {
      return waiting.length > 0;
    },
    next: () => waiting.shift()?.(),
    setFree(free) {
      isFree = free;
      if (free) for (const send of waiting.splice(0)) send();
    },
  };
}
