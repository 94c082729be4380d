/** Wake-ups between those who change records and those who wait for it. Says "look again"; the records hold the facts. */
export interface Bus {
  /** Lost and doubled messages are harmless. `subject` names what changed, in at most a few hundred characters. */
  publish(topic: string, subject: string): void;
  /** Live when this returns. Returns how to unsubscribe. */
  subscribe(topic: string, onMessage: (subject: string) => void): () => void;
  /** Open subscriptions of this process. */
  readonly subscriptions: number;
}
