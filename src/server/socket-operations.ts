import { randomId } from '../lib/ids.ts';
import type { Permit } from './admission/admission.ts';

export interface StartedOperation {
  /** The operation id, unique among the open operations of the socket. */
  readonly id: string;
  /** The payload of its subscribe message. */
  readonly payload: object;
  readonly permit: Permit;
}

/** The permits of the operations of one WebSocket. */
export interface SocketOperations {
  readonly socketId: string;
  start(operation: StartedOperation): void;
  /** Releases the permit of the operation that this payload started, if any. */
  end(payload: unknown): void;
  /** Removes an operation from the queue of admission. Running operations continue. */
  cancelWaiting(id: unknown): void;
  cancelAllWaiting(): void;
}

export function createSocketOperations(): SocketOperations {
  // An id can be used again before its previous operation has ended, so payloads identify operations.
  const permits = new Map<unknown, Permit>();
  const waiting = new Map<unknown, Permit>();
  return {
    socketId: randomId('socket'),
    start({ id, payload, permit }) {
      permits.set(payload, permit);
      if (!permit.admitted) return;
      waiting.set(id, permit);
      void permit.admitted.then(() => {
        if (waiting.get(id) === permit) waiting.delete(id);
      });
    },
    end(payload) {
      permits.get(payload)?.release();
      permits.delete(payload);
    },
    cancelWaiting: (id) => waiting.get(id)?.release(),
    cancelAllWaiting() {
      for (const permit of waiting.values()) permit.release();
    },
  };
}
