import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { postJson } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const operations = 300;
/** About 100 KB of reply for little work. */
const query = '{ __schema { types { name description fields { name description } } } }';
/** Makes each frame fill a socket read, so that the server can pause between frames. */
const padding = 'x'.repeat(64_000);

test('the server pauses reading from a socket that does not read its replies, and loses no operation', async () => {
  let begun = 0;
  await using app = await startApp({
    // Not the limit that the test is about.
    env: { ANONYMOUS_ANSWER_BYTES_PER_SECOND: '1000000000' },
    onLog: ({ operationId }) => {
      if (operationId !== undefined) begun += 1;
    },
  });
  const socket = await openRawSocket(app.url);
  await socket.init();
  socket.pause();
  for (let index = 0; index < operations; index += 1) {
    socket.subscribe(`a${index}`, { query, extensions: { padding } });
  }
  for (let before = -1; before < begun;) {
    before = begun;
    // The server still serves other clients. It has paused when no operation starts between two rounds.
    for (let trips = 0; trips < 10; trips += 1) await postJson(app.url, { query: '{ __typename }' });
  }
  expect(begun).toBeLessThan(operations);
  socket.resume();
  const received = await socket.inbox.when((all) => all.length === 1 + 2 * operations);
  expect(new Set(received.map(({ id }) => id)).size).toBe(1 + operations);
  expect(begun).toBe(operations);
});
