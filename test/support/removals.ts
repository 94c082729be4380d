import { GenerationChangedDocument } from '../../src/client/documents.generated.ts';
import { subscribe, type TestApp } from './app.ts';
import type { ManualClock } from './manual-clock.ts';

/** Collects the ids of deleted generations, in order. */
export async function watchRemovals(app: TestApp, clock: ManualClock) {
  const removed: string[] = [];
  const feed = subscribe(app.wsClient(), GenerationChangedDocument, {});
  const { feeds } = app.app.activity;
  const read = async (): Promise<void> => {
    for await (const { data } of feed)
      if (data?.generationChanged.__typename === 'GenerationDeleted')
        removed.push(data.generationChanged.generationId);
  };
  // The end of the app breaks the connection.
  read().catch(() => {});
  while (app.app.activity.feeds === feeds) await new Promise((resolve) => setImmediate(resolve));
  return {
    removed,
    /** Advances the clock in small steps until this many generations are deleted. */
    async waitFor(count: number): Promise<void> {
      while (removed.length < count) {
        clock.advance(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  };
}
