import type { Json, JsonObject } from '../lib/json.ts';

/** A subscription whose events are posted to an address of a router. Without a credential. */
export interface CallbackRecord {
  readonly id: string;
  readonly owner: string;
  /** How to open it again. */
  readonly body: JsonObject;
  /** What it follows, if it began with a create. Absent until the create is accepted. */
  readonly generationId?: string | undefined;
  /** Position in its events that the router has acknowledged. Absent before the first, and for events without positions. */
  readonly position?: Json | undefined;
  /** Whether a later event may have been posted. */
  readonly isPosting: boolean;
  /** When the token of its caller expires. */
  readonly expiresAt?: number | undefined;
}

export type CallbackProgress = Pick<CallbackRecord, 'id' | 'position' | 'isPosting'>;

export interface CallbackLease {
  /** How often `renew` and `hasFree` are due. */
  readonly intervalMs: number;
  /** Renews the lease of this instance, which covers all its subscriptions. Call it before the first `add` too. */
  renew(): Promise<void>;
  /** Lets other instances take the subscriptions of this one, which holds them until then. */
  offer(): Promise<void>;
  /** Whether there are subscriptions that `takeOver` would take. */
  hasFree(): Promise<boolean>;
}

/** The recorded callback subscriptions. Each has one holder: the instance that posts its events. */
export interface CallbackRecords {
  /** Absent if one instance at a time uses the records: all subscriptions of others are free. */
  readonly lease?: CallbackLease | undefined;
  /**
   * Records a subscription that this instance holds. `exists`: it is recorded already. `full`: its owner has as many as
   * `maxOpen`.
   */
  add(record: CallbackRecord, maxOpen: number): Promise<'added' | 'exists' | 'full'>;
  find(id: string): Promise<CallbackRecord | undefined>;
  /** Records the progress of subscriptions, in one statement. Returns the ids that this instance still holds. */
  save(progress: readonly CallbackProgress[]): Promise<ReadonlySet<string>>;
  /** Records what a subscription follows once its create is accepted. */
  setGeneration(id: string, generationId: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Takes subscriptions whose holder is dead, or offers them. */
  takeOver(limit: number): Promise<readonly CallbackRecord[]>;
  /** The ids of the subscriptions that this instance holds. */
  findHeld(): Promise<ReadonlySet<string>>;
}
