import type { Store } from '../store.ts';
import type { RunFairly } from '../../lib/fairness/fair-work.ts';

/**
 * Limits how long reads of clients keep the event loop busy. Writes, and reads without an owner, do not wait. Contents have
 * `runRead` instead, because no other read should wait while they are parsed.
 */
export function withFairReads(store: Store, run: RunFairly): Store {
  const fair =
    <Rest extends readonly unknown[], Result>(read: (owner: string, ...rest: Rest) => Promise<Result>) =>
    (owner: string, ...rest: Rest): Promise<Result> =>
      run(owner, () => read(owner, ...rest));
  return {
    ...store,
    findGenerations: fair(store.findGenerations),
    findSummaries: fair(store.findSummaries),
    measureContents: fair(store.measureContents),
    hasGenerations: fair(store.hasGenerations),
    countGenerations: fair(store.countGenerations),
    listGenerations: fair(store.listGenerations),
    findThread: fair(store.findThread),
    measureThreads: fair(store.measureThreads),
    listContinuations: fair(store.listContinuations),
    countContinuations: fair(store.countContinuations),
    findNewestTurns: fair(store.findNewestTurns),
    listTurns: fair(store.listTurns),
    findLastChange: fair(store.findLastChange),
    listChanges: fair(store.listChanges),
    measureTasks: fair(store.measureTasks),
    findTasks: fair(store.findTasks),
    findAccessTokens: fair(store.findAccessTokens),
    countAccessTokens: fair(store.countAccessTokens),
    listAccessTokens: fair(store.listAccessTokens),
  };
}
