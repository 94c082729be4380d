import { randomId } from '../../lib/ids.ts';
import { LazyMap } from '../../lib/lazy-map.ts';
import type { Permit } from '../admission/admission.ts';

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
  return new Operations();
}

class Operations implements SocketOperations {
  readonly socketId = randomId('socket');
  // An id can be used again before its previous operation has ended, so payloads identify operations.
  readonly #permits = new LazyMap<unknown, Permit>();
  readonly #waiting = new LazyMap<unknown, Permit>();
  readonly #accounting = new LazyMap<unknown, () => void>();

  receive(payload: unknown, end: () => void): void {
    if (typeof payload === 'object' && payload !== null) this.#accounting.set(payload, end);
    else end();
  }

  start({ id, payload, permit }: StartedOperation): void {
    this.#permits.set(payload, permit);
    if (!permit.admitted) {
      this.#endAccounting(payload);
      return;
    }
    this.#waiting.set(id, permit);
    void permit.admitted.then(() => {
      this.#endAccounting(payload);
      if (this.#waiting.get(id) === permit) this.#waiting.delete(id);
    });
  }

  end(payload: unknown): Permit | undefined {
    this.#endAccounting(payload);
    const permit = this.#permits.get(payload);
    this.#permits.delete(payload);
    return permit;
  }

  cancelWaiting(id: unknown): void {
    this.#waiting.get(id)?.release();
  }

  cancelAllWaiting(): void {
    for (const permit of this.#waiting.values()) permit.release();
  }

  #endAccounting(payload: unknown): void {
    this.#accounting.get(payload)?.();
    this.#accounting.delete(payload);
  }
}
