/** Messages between the instances that share a database. They can be lost, which `onGap` reports. */
export interface Exchange {
  /** `body` is JSON text. Without `to`, all other instances receive it. Never waits. */
  send(topic: string, body: string, to?: string): void;
  /** `body` is the parsed JSON, with bigint for integers beyond ±2^53. Messages from one sender arrive in order. Returns the unsubscribe function. */
  listen(topic: string, onMessage: (body: unknown, sender: string) => void): () => void;
  /** Calls back when messages to all instances may be lost. Returns the unsubscribe function. */
  onGap(listener: () => void): () => void;
  /** Calls back when the database is available again. Returns the unsubscribe function. */
  onReconnected(listener: () => void): () => void;
  /** Delivers what this instance has sent so far. Resolves to false while the database is unavailable. */
  catchUp(sender: string): Promise<boolean>;
  /** On the monotonic clock, since when this instance receives messages. Undefined while the database is unavailable. */
  readonly connectedAt: number | undefined;
  /** Sends the remaining messages if the database is available. */
  close(): Promise<void>;
}
