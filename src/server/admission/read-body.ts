import type { IncomingMessage } from 'node:http';
import { RequestError } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { startArrivalDeadline } from './arrival-deadline.ts';
import type { ReceivedBody } from './received-bytes.ts';

/** The client aborted the request. */
export const aborted = Symbol('aborted');

/** The body arrived too slowly. */
export class SlowBodyError extends RequestError {
  constructor() {
    super('BAD_REQUEST', 'The request body arrived too slowly.');
  }
}

/**
 * Reads the body of a request. Stops reading at the first limit that it exceeds.
 * @throws RequestError or RateLimitError
 */
export async function readBody(
  request: IncomingMessage,
  { received, clock }: { readonly received: ReceivedBody; readonly clock: Clock },
): Promise<Buffer | typeof aborted> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | typeof aborted>();
  const pieces: Buffer[] = [];
  let bytes = 0;
  const onData = (piece: Buffer): void => {
    pieces.push(piece);
    bytes += piece.length;
    try {
      received.update(bytes);
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = (): void =>
    resolve(pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, bytes));
  const onClose = (): void => resolve(aborted);
  const cancelDeadline = startArrivalDeadline({
    clock,
    receivedBytes: () => bytes,
    onMissed: () => reject(new SlowBodyError()),
  });
  request.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
  try {
    return await promise;
  } finally {
    cancelDeadline();
    // The request must not hold the pieces. An error after this needs a listener.
    request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    request.on('error', ignore).pause();
  }
}

function ignore(): void {}
