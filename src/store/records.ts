import type { RetryAdvice } from '../error-codes.ts';
import type { InputIssue, LimitName } from '../errors.ts';
import { isRecord, type Json, type JsonObject } from '../lib/json.ts';

/**
 * Kind of a generation, such as `CHAT`. An open set: each capability names its kinds, and a database may contain kinds that
 * this program does not have.
 */
export type GenerationKind = string;

export type TaskStatus = 'QUEUED' | 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'CANCELED' | 'UNKNOWN';

/**
 * Status as clients see it. SUBMITTED: the gateway accepted the task, and this deployment cannot read its state. Derived,
 * never stored.
 */
export type ShownStatus = TaskStatus | 'SUBMITTED';

/** Whether a task has ended. (A generation may also end as UNKNOWN. Test its `finishedAt` instead.) */
export function isTerminal(status: TaskStatus): boolean {
  return status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELED';
}

/** Why a generation did not succeed. */
export interface GenerationFailure {
  readonly code: string;
  readonly message: string;
  readonly upstreamCode?: string | undefined;
  /** HTTP status of the gateway's reply, if there was one. */
  readonly status?: number | undefined;
  /** @default the most careful advice for the code */
  readonly retry?: RetryAdvice | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** The limit of this API that refused the create. */
  readonly limit?: LimitName | undefined;
  /** The first ones, of an input that was refused. */
  readonly issues?: readonly InputIssue[] | undefined;
  /** The running generation that the create continues. */
  readonly generationId?: string | undefined;
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

/** The members of a generation that may be large. Lists leave them out. */
export interface Contents {
  readonly prompt?: string | undefined;
  /** The request as sent, without secrets. Inline media and very long text are replaced by their size and hash. */
  readonly input: JsonObject;
  /** Format defined by the capability. `type` discriminates. */
  readonly output?: StoredOutput | undefined;
  readonly raw?: Json | undefined;
}

/** One create operation and its result. Times are milliseconds since the epoch. */
export interface Generation extends Contents {
  readonly id: string;
  readonly owner: string;
  readonly kind: GenerationKind;
  readonly status: TaskStatus;
  readonly model?: string | undefined;
  readonly collection?: string | undefined;
  readonly createdAt: number;
  readonly finishedAt?: number | undefined;
  /** Time from sending the request to the first token or image of a stream. */
  readonly firstTokenMs?: number | undefined;
  readonly usage?: GenerationUsage | undefined;
  readonly error?: GenerationFailure | undefined;
  /** The task at the gateway, for asynchronous kinds. */
  readonly taskId?: string | undefined;
  /** Present until its task has ended. */
  readonly openTask?: OpenTask | undefined;
  /** False until the gateway accepts the request. Lists contain visible generations only. */
  readonly isVisible: boolean;
  /** The span of its create, if spans were exported. */
  readonly traceparent?: string | undefined;
  /** Present if it continues an earlier generation. */
  readonly turn?: Turn | undefined;
  /** Whether `input` holds the messages whole. Absent for kinds without messages, and in records of older versions. */
  readonly inputState?: InputState | undefined;
  /** Size of the inline images in `input`. Absent if it holds none. */
  readonly inlineImageBytes?: number | undefined;
}

/** The kind whose generations can continue each other. Partial indexes name it. */
export const conversationKind: GenerationKind = 'CHAT';

/** The place of a generation in its conversation. */
export interface Turn {
  readonly parentId: string;
  /** The continued candidate of the parent's reply. */
  readonly choice: number;
  /** The first generation of the conversation. */
  readonly rootId: string;
  /** Number of generations before it. */
  readonly depth: number;
}

/** Most generations of a conversation, on the path from its first to any other. */
export const maxTurns = 1000;

export type InputState = 'WHOLE' | 'MEDIA_NOT_RECORDED' | 'TEXT_NOT_RECORDED';

export const contentNames = ['prompt', 'input', 'output', 'raw'] as const;
export type ContentName = (typeof contentNames)[number];

/** A generation without its contents. */
export type GenerationSummary = Omit<Generation, ContentName | 'traceparent' | 'inlineImageBytes'>;
/** A generation whose contents may be read when they are needed. A content that is present as a key is final. */
export type LazyGeneration = GenerationSummary & Partial<Pick<Generation, ContentName>>;

/** Identifies one content. */
export interface ContentRef<Name extends ContentName = ContentName> {
  readonly id: string;
  readonly name: Name;
}

/** A task that has not ended, for the decision whether it can be read. */
export interface OpenTask {
  /** Origin of the task's own address (`TaskLinks.get`). Absent if no reply contained one. */
  readonly readOrigin?: string | undefined;
}

export interface StoredOutput {
  readonly type: string;
}

export function isStoredOutput(value: unknown): value is StoredOutput {
  return isRecord(value) && typeof value['type'] === 'string';
}

export type GenerationPatch = Partial<
  Omit<
    Generation,
    'id' | 'owner' | 'kind' | 'createdAt' | 'traceparent' | 'turn' | 'inputState' | 'inlineImageBytes'
  >
> & {
  /** Set with the end of a generation whose files are to be copied. */
  readonly filesDueAt?: number;
};

/** Links to a task's endpoints, from a reply. Followed only on trusted origins. */
export interface TaskLinks {
  readonly get?: string | undefined;
  readonly status?: string | undefined;
  readonly cancel?: string | undefined;
  readonly stream?: string | undefined;
  readonly web?: string | undefined;
}

/** State of a task, as decoded from a reply. */
export interface TaskState {
  readonly status: TaskStatus;
  /** Status as the gateway spells it. */
  readonly rawStatus?: string | undefined;
  /** 0 to 1, as reported. */
  readonly progress?: number | undefined;
  readonly queuePosition?: number | undefined;
  readonly logs?: string | undefined;
  readonly createdAt?: number | undefined;
  /** Time of the last change, as reported by the gateway. */
  readonly updatedAt?: number | undefined;
  /** Model and version that process the task, as reported by the gateway. */
  readonly servedBy?:
    | { readonly model?: string | undefined; readonly version?: string | undefined }
    | undefined;
  readonly output?: StoredOutput | undefined;
  readonly error?: GenerationFailure | undefined;
  /** The request as echoed by the gateway. */
  readonly request?: Json | undefined;
  readonly metrics?: Json | undefined;
  /** Whether the gateway has deleted the input and output. */
  readonly isDataRemoved?: boolean | undefined;
  readonly links?: TaskLinks | undefined;
  readonly raw?: Json | undefined;
}

/** An asynchronous task, as last read. */
export interface Task extends TaskState {
  /** Packed id: kind, upstream id, and the model if reading the task needs it. */
  readonly id: string;
  readonly owner: string;
  readonly kind: GenerationKind;
  readonly upstreamId: string;
  /** Present if reading the task needs it. */
  readonly model?: string | undefined;
  /** Absent for a task created outside this API. */
  readonly generationId?: string | undefined;
  /** The span of its create, if spans were exported. */
  readonly traceparent?: string | undefined;
  /** When the gateway last answered a read. Saved with each change, and when the server stops polling. */
  readonly lastReadAt?: number | undefined;
  /** Reads in a row, at least a minute apart, that reported success without a result. */
  readonly unprovenSuccess?: { readonly reads: number; readonly lastAt: number } | undefined;
  /** Counted refusals of its read. Absent after a successful read. */
  readonly refusedReads?: RefusedReads | undefined;
  /** Set while reads fail. Absent after a successful read. */
  readonly readFailure?: GenerationFailure | undefined;
}

export interface RefusedReads {
  readonly reads: number;
  readonly firstAt: number;
  /** The last counted refusal or, after the end, the last check. */
  readonly lastAt: number;
  /** When they ended the task as FAILED. */
  readonly endedAt?: number | undefined;
}

/** Whether a task has ended only because the gateway refuses to report it. A good read replaces this end. */
export function isPresumedFailed({ status, refusedReads }: Pick<Task, 'status' | 'refusedReads'>): boolean {
  return status === 'FAILED' && refusedReads?.endedAt !== undefined;
}

/** An access token created through this API, without its secret. */
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
  readonly collection?: string | undefined;
}

/**
 * SENDING: the request may have been sent. SETTLED: the outcome is recorded. UNKNOWN: the request may have been sent, and the
 * reply is lost. Servers of earlier versions on the same records also write CLAIMED, which counts as SENDING.
 */
export type CreationPhase = 'SENDING' | 'SETTLED' | 'UNKNOWN';

/** Bookkeeping of one create operation: its idempotency key and phase. */
export interface Creation {
  readonly id: string;
  readonly owner: string;
  /** Idempotency key with its namespace. Absent for a create without a key. */
  readonly key?: string | undefined;
  readonly operation: string;
  readonly fingerprint: string;
  readonly phase: CreationPhase;
  /** Id of the Generation or AccessToken that it creates. */
  readonly subjectId: string;
  readonly createdAt: number;
  /** The instance that sends it. Set by the store. */
  readonly instanceId?: string | undefined;
  /** Why it was refused, if its key answers repetitions with that. */
  readonly failure?: GenerationFailure | undefined;
}

/** How the key of a create is released. */
export interface Release {
  /** Also keeps a generation that did not end by a cancellation. */
  readonly keepGeneration?: boolean;
  /** Nothing was sent, so the key of a canceled create stays. */
  readonly isUnsent?: boolean;
  /** Replaces an unknown outcome that clients know. @default that stays */
  readonly refusal?: Refusal;
}

/** Why nothing was charged for a create. */
export interface Refusal {
  readonly failure: GenerationFailure;
  readonly at: number;
  /** Keeps the key: repetitions get the failure. The oldest refusals of an owner are deleted. */
  readonly keepsKey: boolean;
}
