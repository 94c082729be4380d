import { expect, test } from 'vitest';
import { topics } from '../../../src/streams/remote/messages.ts';
import { createFollowedChat } from '../../support/followed-chat.ts';

test.each(['runs', 'has ended'])(
  'many watchers who missed much of a long chat that %s cost few messages, and get all of it',
  async (phase) => {
    const chat = createFollowedChat();
    for (let count = 0; count < 40; count += 1) chat.append('x'.repeat(60_000));
    if (phase === 'has ended') await chat.end('SUCCEEDED');
    let received = 0;
    chat.reader.listen(topics.changes, (body) => (received += JSON.stringify(body).length));
    const watched = [0, 1, 2, 3, 4, 5, 6, 7, 38].map((after) => chat.watch({ after }));
    await chat.advance(200);
    for (const events of watched)
      expect(events[0]).toMatchObject({ sequence: 40, state: { choices: [{ content: chat.text }] } });
    // One who missed little gets that.
    expect(watched.at(-1)?.[0]).toMatchObject({ type: 'delta', fromSequence: 39 });
    expect(received).toBeLessThan(4 * chat.text.length);
  },
);
