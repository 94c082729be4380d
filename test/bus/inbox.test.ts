import { expect, test } from 'vitest';
import { createInbox } from '../../src/bus/postgres/inbox.ts';

test('messages may be missing from each instance that has ended: it may have been killed before it sent its last', () => {
  let gaps = 0;
  const inbox = createInbox({
    instanceId: 'own',
    findRowsAfter: async () => [],
    onRow() {},
    onGap: () => void (gaps += 1),
  });
  inbox.startAfter(['alive', 'ended', 'killed'].map((sender) => ({ sender, recipient: '', number: 1 })));
  const seen = [['alive', 'ended', 'killed'], ['alive'], ['alive']].map((ids) => {
    inbox.keep(new Set(ids));
    return gaps;
  });
  expect(seen).toEqual([0, 1, 1]);
});
