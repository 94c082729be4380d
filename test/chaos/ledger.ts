/** One request of a create, as the gateway received it. */
export interface Receipt {
  readonly arrivedAt: number;
  /** The server that sent it. */
  readonly server: number;
  /** `refused` charges nothing. `lost` was received, and its connection broke before a reply. */
  outcome: 'refused' | 'lost' | 'accepted';
  /** What was written to the connection so far. */
  text: string;
  /** When the last byte was written, if the whole reply was. */
  wholeAt: number | undefined;
  /** When the gateway broke the connection in the middle of the reply. */
  cutAt: number | undefined;
}

/** What a client was told, in order. */
export interface Answer {
  readonly at: number;
  readonly code: string;
  readonly retry: string | undefined;
  readonly message: string | undefined;
}

export type IntentKind =
  | 'chat'
  | 'completion'
  | 'content'
  | 'image'
  | 'queued-image'
  | 'song'
  | 'speech'
  | 'video'
  | 'animation';

/** One thing that a user wants once, however often it is tried. */
export interface Intent {
  readonly name: string;
  readonly kind: IntentKind;
  readonly owner: string;
  readonly words: number;
  /** The gateway breaks the connection after so many words. */
  readonly cutAfter: number | undefined;
  readonly startedAt: number;
  readonly receipts: Receipt[];
  readonly answers: Answer[];
  /** The acknowledged generation. */
  id: string | undefined;
  /** The first time a client was told the id. */
  acknowledgedAt: number | undefined;
  canceledAt: number | undefined;
  /** The statuses that a client was told with the id. */
  readonly told: Set<string>;
  /** Its name was the key of a mutation. */
  hasKey: boolean;
  /** The terminal event that a watcher saw, with the text before it. */
  readonly ends: {
    readonly at: number;
    readonly type: string;
    readonly code: string | undefined;
    readonly text: string;
  }[];
  settledAt: number | undefined;
}

export function promptOf({ name, words, cutAfter }: Intent): string {
  return `intent ${name} words ${words}${cutAfter === undefined ? '' : ` cut ${cutAfter}`}`;
}

/** Differs between intents, so that a text of another one is found. */
export function wordOf({ name }: Intent, index: number): string {
  return `${name}w${index} `;
}

export function textOf(intent: Intent): string {
  return Array.from({ length: intent.words }, (_, index) => wordOf(intent, index)).join('');
}

export function chargedReceipts({ receipts }: Intent): readonly Receipt[] {
  return receipts.filter(({ outcome }) => outcome !== 'refused');
}
