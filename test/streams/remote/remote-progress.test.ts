import { expect, test } from 'vitest';
import { chatKind } from '../../../src/capabilities/chat/chat-kind.ts';
import { createRemoteProgress } from '../../../src/streams/remote/remote-progress.ts';
import { Streams } from '../../../src/streams/streams.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { createMessageHub } from '../../support/message-hub.ts';

test('queries of a chat at the same time share an answer that is newer than each of them', async () => {
  const clock = createManualClock();
  const hub = createMessageHub(clock);
  const [producer, reader] = [hub.join('producer'), hub.join('reader')];
  const streams = new Streams({ clock, logMs: 60_000 });
  const stream = streams.open(chatKind.shape, 'chat');
  createRemoteProgress({ streams, exchange: producer, clock });
  const progress = createRemoteProgress({
    streams: new Streams({ clock, logMs: 60_000 }),
    exchange: reader,
    clock,
  });
  let answers = 0;
  reader.listen('stream-progress', () => (answers += 1));
  const append = (): void => stream.append([{ choices: [{ index: 0, content: 'a' }] }]);
  const find = async (): Promise<number | undefined> => (await progress.find('chat'))?.sequence;
  append();
  const found = [find()];
  // The question has been answered, and the answer has not been read.
  clock.advance(10);
  append();
  for (let count = 0; count < 50; count += 1) found.push(find());
  for (let turn = 0; turn < 5; turn += 1) {
    clock.advance(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await Promise.all(found)).toEqual([1, ...Array.from({ length: 50 }, () => 2)]);
  expect(answers).toBe(2);
});
