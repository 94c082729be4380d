import type { IncomingMessage } from 'node:http';
import { RequestError } from '../../errors.ts';
import { addPiece } from '../../lib/add-piece.ts';
import type { Clock } from '../../lib/clock.ts';
import { largeWork } from '../../lib/fairness/large-work.ts';
import { startArrivalDeadline } from './arrival-deadline.ts';
import type { ReceivedBody } from './received-bytes.ts';

/** Bytes of one body that are read in one iteration of the event loop, about. */
const pieceBytes = 262_144;

/** The client aborted the request. */
export const aborted = Symbol('aborted');

/**
 * Reads the body of a request, in pieces. Stops reading at the first limit that it exceeds.
 * @throws RequestError or RateLimitError
 */
export async function readBody(
  request: IncomingMessage,
  { received, clock }: { readonly received: ReceivedBody; readonly clock: Clock },
): Promise<Buffer[] | typeof aborted> {
  const { promise, resolve, reject } = Promise.withResolvers<true | typeof aborted>();
  const pieces: Buffer[] = [];
  let bytes = 0;
  let nextPause = pieceBytes;
  let isReading = true;
  const pause = async (): Promise<void> => {
    nextPause = bytes + pieceBytes;
    request.pause();
    await largeWork.nextPiece();
    if (isReading) request.resume();
  };
  const onData = (piece: Buffer): void => {
    addPiece(pieces, piece);
    bytes += piece.length;
    try {
      received.update(bytes);
      if (bytes >= nextPause) void pause();
    } catch (error) {
      reject(error);
    }
  };
  const onEnd = (): void => resolve(true);
  const onClose = (): void => resolve(aborted);
  const cancelDeadline = startArrivalDeadline({
    clock,
    receivedBytes: () => bytes,
    isHeld: true,
    onMissed: () =>
      reject(new RequestError('REQUEST_TIMEOUT', 'The request body arrived too slowly. Nothing was sent.')),
  });
  request.on('data', onData).once('end', onEnd).once('error', onClose).once('close', onClose);
  try {
    if ((await promise) === aborted) return aborted;
  } finally {
    isReading = false;
    cancelDeadline();
    // The request must not hold the pieces. An error after this needs a listener.
    request.off('data', onData).off('end', onEnd).off('error', onClose).off('close', onClose);
    request.on('error', ignore).pause();
  }
  return pieces;
}

function ignore(): void {}
