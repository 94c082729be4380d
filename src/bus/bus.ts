/** Publish/subscribe for record changes. A message only means "read again": the store holds the facts. */
export interface Bus {
  /** Lost and duplicate messages are harmless. `subject` identifies the changed record, in a few hundred characters at most. */
  publish(topic: string, subject: string): void;
  /**
   * The subscription is active when this returns. `onGap` is called when messages of other instances may be lost. Returns the
   * unsubscribe function.
   */
  subscribe(topic: string, onMessage: (subject: string) => void, onGap?: () => void): () => void;
  /** Number of open subscriptions in this process. */
  readonly subscriptions: number;
}
