import { expect, test } from 'vitest';
import { chatKind } from '../../../src/capabilities/chat/chat-kind.ts';
import { createReplicaLog } from '../../../src/streams/remote/replica-log.ts';

test('what the watchers of a long chat missed takes a bounded amount of memory', () => {
  const log = createReplicaLog(chatKind.shape, 100);
  log.startAt(100);
  const delta = { choices: [{ index: 0, content: 'x'.repeat(5_000_000) }] };
  const places = [10, 20, 30, 40];
  for (const after of places) log.addMissed({ after, through: 100, delta });
  const held = places.filter((after) => log.since(after, chatKind.shape.initial) !== undefined);
  expect(held).toEqual([20, 30, 40]);
  log.addMissed({
    after: 50,
    through: 100,
    delta: { choices: [{ index: 0, content: 'x'.repeat(20_000_000) }] },
  });
  expect(log.since(50, chatKind.shape.initial)).toBeDefined();
  expect(log.since(40, chatKind.shape.initial)).toBeUndefined();
});
