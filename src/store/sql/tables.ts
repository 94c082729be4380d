import type { CreationPhase, GenerationKind, TaskStatus } from '../records.ts';

/**
 * Rows as they are kept. Columns hold text, whole numbers (times are milliseconds) and null, which every engine has;
 * what a client or a model wrote is JSON text, since engines refuse or change some characters in plain text (U+0000,
 * half a surrogate pair).
 */
export interface Tables {
  readonly secrets: SecretRow;
  readonly instances: InstanceRow;
  readonly creations: CreationRow;
  readonly generations: GenerationRow;
  readonly contents: ContentRow;
  readonly tasks: TaskRow;
  readonly access_tokens: AccessTokenRow;
}

export interface SecretRow {
  readonly name: string;
  /** base64url. */
  readonly value: string;
}

/** A process that works on records, as long as its lease is renewed. */
export interface InstanceRow {
  readonly id: string;
  readonly expires_at: number;
}

export interface CreationRow {
  readonly id: string;
  readonly owner: string;
  /** JSON text, as are all names that clients choose. */
  readonly key: string | null;
  readonly operation: string;
  readonly fingerprint: string;
  readonly phase: CreationPhase;
  readonly subject_id: string;
  /** Who sends it. */
  readonly instance_id: string;
  readonly created_at: number;
}

export interface GenerationRow {
  readonly id: string;
  readonly owner: string;
  readonly kind: GenerationKind;
  readonly status: TaskStatus;
  /** JSON text; empty where there is none, so that it can be compared. */
  readonly model: string;
  /** The same. */
  readonly group_id: string;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly is_visible: 0 | 1;
  readonly task_id: string | null;
  /** Who works on it: null once it has ended, or only the gateway works on it. */
  readonly instance_id: string | null;
  readonly prompt: string | null;
  readonly usage: string | null;
  readonly error: string | null;
}

export type ContentPart = 'input' | 'output' | 'raw';

/** What can be long: apart, so that lists stay quick and saving a running chat does not write its request again. */
export interface ContentRow {
  readonly generation_id: string;
  readonly part: ContentPart;
  readonly body: string;
}

export interface TaskRow {
  readonly owner: string;
  readonly id: string;
  readonly generation_id: string | null;
  /** When it was last seen to change, or first seen. */
  readonly updated_at: number;
  /** The whole record but its owner. */
  readonly body: string;
}

export interface AccessTokenRow {
  readonly id: string;
  readonly owner: string;
  readonly created_at: number;
  /** The whole record but its owner. */
  readonly body: string;
}
