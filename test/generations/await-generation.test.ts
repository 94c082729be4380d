import { expect, onTestFinished, test } from 'vitest';
import { createInProcessBus } from '../../src/bus/in-process-bus.ts';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { awaitGeneration } from '../../src/generations/await-generation.ts';
import { generationTopic } from '../../src/generations/publish-changes.ts';
import { createGenerationWatch } from '../../src/generations/watch-generation.ts';
import type { Generation } from '../../src/store/records.ts';
import { buildGeneration, owner } from '../store/support.ts';
import { createManualClock } from '../support/manual-clock.ts';

const running: Generation = {
  ...buildGeneration(),
  status: 'RUNNING',
  finishedAt: undefined,
  taskId: undefined,
};

/** Reads that the test answers, in their order. */
function open() {
  const bus = createInProcessBus();
  const reads: PromiseWithResolvers<readonly [Generation]>[] = [];
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled));
  const store = {
    findSummaries() {
      const read = Promise.withResolvers<readonly [Generation]>();
      reads.push(read);
      return read.promise;
    },
  };
  const engine = {
    store,
    generationWatch: createGenerationWatch({ store, bus }),
    clock: createManualClock(),
    tasks: { canRead: () => true },
  };
  const operation = { engine, caller: { owner } } as unknown as Parameters<typeof awaitGeneration>[2];
  return {
    reads,
    unhandled,
    awaited: awaitGeneration(running.id, 60, operation),
    change: () => bus.publish(generationTopic(owner), running.id),
  };
}

const away = new RecordsUnavailableError('away');
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a change that cannot be read during the first read fails the wait, and nothing else', async () => {
  const { awaited, change, reads, unhandled } = open();
  change();
  await turn();
  reads[1]?.reject(away);
  await turn();
  reads[0]?.resolve([running]);
  await expect(awaited).rejects.toBe(away);
  expect(unhandled).toEqual([]);
});

test('a change that cannot be read after the first read has failed fails nothing', async () => {
  const { awaited, change, reads, unhandled } = open();
  change();
  await turn();
  reads[0]?.reject(away);
  await expect(awaited).rejects.toBe(away);
  reads[1]?.reject(away);
  await turn();
  expect(unhandled).toEqual([]);
});
