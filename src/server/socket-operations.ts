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
  /** Registers the function that ends the accounting of the bytes of a payload. Called when its operation starts or ends. */
  receive(payload: unknown, endAccounting: () => void): void;
  start(operation: StartedOperation): void;
  /** The message of this payload has been handled. Returns the permit of the operation that it started, to be released. */
  end(payload: unknown): Permit | undefined;
  /** Removes an operation from the queue of admission. Running operations continue. */
  cancelWaiting(id: unknown): void;
  cancelAllWaiting(): void;
}

export function createSocketOperations(): SocketOperations {
  // An id can be used again before its previous operation has ended, so payloads identify operations.
  const permits = new Map<unknown, Permit>();
  const waiting = new Map<unknown, Permit>();
  const accounting = new Map<unknown, () => void>();
  const endAccounting = (payload: unknown): void => {
    accounting.get(payload)?.();
    accounting.delete(payload);
  };
  return {
    socketId: randomId('socket'),
    receive(payload, end) {
      if (typeof payload === 'object' && payload !== null) accounting.set(payload, end);
      else end();
    },
    start({ id, payload, permit }) {
      permits.set(payload, permit);
      if (!permit.admitted) {
        endAccounting(payload);
        return;
      }
      waiting.set(id, permit);
      void permit.admitted.then(() => {
        endAccounting(payload);
        if (waiting.get(id) === permit) waiting.delete(id);
      });
    },
    end(payload) {
      endAccounting(payload);
      const permit = permits.get(payload);
      permits.delete(payload);
      return permit;
    },
    cancelWaiting: (id) => waiting.get(id)?.release(),
    cancelAllWaiting() {
      for (const permit of waiting.values()) permit.release();
    },
  };
}
