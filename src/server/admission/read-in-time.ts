import type { IncomingMessage } from 'node:http';
import { RequestError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { startArrivalDeadline } from './arrival-deadline.ts';

/**
 * The body of a request that is read at the pace of its reader, whose own time does not count. The request keeps its socket: its
 * log line has the address.
 * @throws RequestError if it arrives too slowly; the errors of the request
 */
export async function* readInTime(
  request: IncomingMessage,
  clock: Clock,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces: AsyncIterator<Uint8Array> = request.iterator({ destroyOnReturn: false });
  let bytes = 0;
  /** While the reader waits for the client. */
  let fail: ((error: Error) => void) | undefined;
  let cancelDeadline = (): void => {};
  const expectRest = (): void => {
    const before = bytes;
    cancelDeadline = startArrivalDeadline({
      clock,
      receivedBytes: () => bytes - before,
      onMissed() {
        if (fail) fail(new RequestError('REQUEST_TIMEOUT', 'The file arrived too slowly. Send it again.'));
        else expectRest();
      },
    });
  };
  // Not a race with one promise for all pieces, which would hold them.
  const readNext = (): Promise<IteratorResult<Uint8Array>> =>
    new Promise((resolve, reject) => {
      fail = reject;
      pieces.next().then(resolve, reject);
    });
  expectRest();
  try {
    for (;;) {
      const { done, value } = await readNext();
      fail = undefined;
      if (done) return;
      bytes += value.length;
      yield value;
    }
  } finally {
    cancelDeadline();
  }
}
