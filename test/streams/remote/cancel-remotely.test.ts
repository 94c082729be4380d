import { expect, test } from 'vitest';
import { createInProcessBus } from '../../../src/bus/in-process-bus.ts';
import { cancelRemotely } from '../../../src/streams/remote/cancel-remotely.ts';
import { buildGeneration } from '../../store/support.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMessageHub } from '../../support/message-hub.ts';

test('a cancel does not wait for an answer about a chat whose record was deleted', async () => {
  const clock = createManualClock();
  const exchange = createMessageHub(clock).join('here');
  const store = { findSummaries: async () => [undefined] };
  const canceled = cancelRemotely({ store, bus: createInProcessBus(), exchange, clock }, buildGeneration());
  // The clock stands still.
  expect(await canceled).toBeUndefined();
});
