import type { Json, JsonObject } from '../lib/json.ts';

/** What a create operation makes. One line per capability that makes generations. */
export const generationKinds = {
  CHAT: 'A chat completion (/v1/chat/completions).',
  IMAGE: 'Images in the reply (/v1/images/generations).',
  SPEECH: 'Speech from text (/ent/v2/audio-tts).',
  ANIMATION: 'An animation between two prompts (/hosta).',
  IMAGE_FILL: 'An image whose masked part is, or whose surroundings are, painted anew (/hosta).',
  QUEUED_IMAGE: 'Images from the queue (/hostb/flux-lora).',
  QUEUED_INPAINTING: 'Inpainted images from the queue (/hostb/flux-lora/inpainting).',
  VIDEO: 'A video from images or with a character (/v1/video/create).',
  REFERENCE_VIDEO: 'A video from a prompt, by reference images where given (/v1/videos/generations).',
  TRANSITION_VIDEO: 'A video that goes from picture to picture (/openapi/v2/video/multi_transition).',
  MULTI_IMAGE_VIDEO:
    'A video from several images, made elsewhere and read by its id (/videoa/v1/videos/multi-image2video).',
  LIP_SYNC:
    'A video whose lips follow a voice, made elsewhere and read by its id (/videoa/v1/videos/advanced-lip-sync).',
  SONG: 'A song from a description (/music).',
  SONG_COVER: 'A cover of an existing song (/music).',
  SONG_SPEED: 'An existing song at another speed (/music).',
  CONTENT: 'Content in the native format, with URL context (/v1beta).',
} as const;

export type GenerationKind = keyof typeof generationKinds;

// Object.keys forgets which keys it was given.
export const allGenerationKinds = Object.keys(generationKinds) as readonly GenerationKind[];

export type TaskStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'UNKNOWN';

/** Whether a task has ended. (A generation may also end as UNKNOWN: its `finishedAt` says so.) */
export function isTerminal(status: TaskStatus): boolean {
  return status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELED';
}

/** Why a generation did not succeed. */
export interface GenerationFailure {
  readonly code: string;
  readonly message: string;
  readonly upstreamCode?: string | undefined;
  /** HTTP status of the gateway's reply, where one came. */
  readonly status?: number | undefined;
  readonly isRetryable?: boolean | undefined;
  readonly retryAfterSeconds?: number | undefined;
}

/** Token counts as the gateway reported them. */
export interface GenerationUsage {
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  readonly promptTokensDetails?: Json | undefined;
  readonly completionTokensDetails?: Json | undefined;
  readonly raw?: Json | undefined;
}

/** One create operation and what came of it. Times are milliseconds since the epoch. */
export interface Generation {
  readonly id: string;
  readonly owner: string;
  readonly kind: GenerationKind;
  readonly status: TaskStatus;
  readonly model?: string | undefined;
  readonly prompt?: string | undefined;
  readonly group?: string | undefined;
  readonly createdAt: number;
  readonly finishedAt?: number | undefined;
  /** The request as sent, without secrets, inline media replaced by size and hash. */
  readonly input: JsonObject;
  /** In the form of its capability, told by `type`. */
  readonly output?: StoredOutput | undefined;
  readonly usage?: GenerationUsage | undefined;
  readonly error?: GenerationFailure | undefined;
  readonly raw?: Json | undefined;
  /** The work at the gateway, for kinds that end later. */
  readonly taskId?: string | undefined;
  /** False while the gateway has not accepted the request: a refused create leaves nothing to see. */
  readonly isVisible: boolean;
}

export interface StoredOutput {
  readonly type: string;
}

export type GenerationPatch = Partial<Omit<Generation, 'id' | 'owner' | 'kind' | 'createdAt'>>;

/** Where a reply says that more about a task can be asked. Followed only on trusted origins. */
export interface TaskLinks {
  readonly get?: string | undefined;
  readonly status?: string | undefined;
  readonly cancel?: string | undefined;
  readonly stream?: string | undefined;
  readonly web?: string | undefined;
}

/** How far work is that ends later: what a reply says of it. */
export interface TaskState {
  readonly status: TaskStatus;
  /** The gateway's own word. */
  readonly rawStatus?: string | undefined;
  /** 0 to 1, as reported. */
  readonly progress?: number | undefined;
  readonly queuePosition?: number | undefined;
  readonly logs?: string | undefined;
  readonly createdAt?: number | undefined;
  /** When the gateway says that its state changed. */
  readonly updatedAt?: number | undefined;
  /** The model that works on it, as the gateway names it, and its version. */
  readonly servedBy?:
    | { readonly model?: string | undefined; readonly version?: string | undefined }
    | undefined;
  readonly output?: StoredOutput | undefined;
  readonly error?: GenerationFailure | undefined;
  /** The request as the gateway repeats it. */
  readonly request?: Json | undefined;
  readonly metrics?: Json | undefined;
  /** Whether the gateway has deleted input and output. */
  readonly isDataRemoved?: boolean | undefined;
  readonly links?: TaskLinks | undefined;
  readonly raw?: Json | undefined;
}

/** Work that ends later, as last read. */
export interface Task extends TaskState {
  /** Self-describing: kind, upstream id, and the model where its read needs one. */
  readonly id: string;
  readonly owner: string;
  readonly kind: GenerationKind;
  readonly upstreamId: string;
  /** Where its read needs one. */
  readonly model?: string | undefined;
  /** Absent for a task that was made elsewhere. */
  readonly generationId?: string | undefined;
  /** Why the last reads failed; absent once one succeeds. */
  readonly readFailure?: GenerationFailure | undefined;
}

/** An access token made through this API: never its secret. */
export interface AccessToken {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  /** 500,000 units are one currency unit. Undefined: unlimited. */
  readonly quotaUnits?: number | bigint | undefined;
  readonly expiresAt?: number | undefined;
  readonly modelLimits?: readonly string[] | undefined;
  readonly allowIps: readonly string[];
  readonly groups: readonly string[];
  readonly createdAt: number;
  readonly creationGroup?: string | undefined;
}

/**
 * CLAIMED: the intent is recorded, nothing left yet. SENDING: bytes may have left. SETTLED: the reply is recorded.
 * UNKNOWN: bytes may have left and the reply is lost for good.
 */
export type CreationPhase = 'CLAIMED' | 'SENDING' | 'SETTLED' | 'UNKNOWN';

/** The bookkeeping of one create: who may repeat it, and how far it came. */
export interface Creation {
  readonly id: string;
  readonly owner: string;
  /** The idempotency key with its namespace; absent for a create that nothing may repeat. */
  readonly key?: string | undefined;
  readonly operation: string;
  readonly fingerprint: string;
  readonly phase: CreationPhase;
  /** The Generation or AccessToken that it makes. */
  readonly subjectId: string;
  readonly createdAt: number;
  /** Who sends it; told by the store. */
  readonly instanceId?: string | undefined;
}
