import type { Generated } from 'kysely';
import type { FileFailure, FileState } from '../../file-records.ts';
import type { ContentName, CreationPhase, GenerationKind, InputState, TaskStatus } from '../../records.ts';

/**
 * Table rows. Columns hold text, integers (times are milliseconds) and null, which every engine supports. Text from clients
 * and models is stored as JSON, because engines reject or change some characters of plain text (U+0000, lone surrogates).
 */
export interface Tables {
  readonly secrets: SecretRow;
  readonly instances: InstanceRow;
  readonly creations: CreationRow;
  readonly generations: GenerationRow;
  readonly contents: ContentRow;
  readonly tasks: TaskRow;
  readonly access_tokens: AccessTokenRow;
  readonly cloned_voices: ClonedVoiceRow;
  readonly usage_days: UsageDayRow;
  readonly owner_records: OwnerRecordsRow;
  readonly poll_leases: PollLeaseRow;
  readonly polled_tasks: PolledTaskRow;
  readonly owner_changes: OwnerChangesRow;
  readonly generation_changes: GenerationChangeRow;
  readonly webhooks: WebhookRow;
  readonly webhook_deliveries: WebhookDeliveryRow;
  readonly files: FileRow;
  readonly file_objects: FileObjectRow;
  readonly file_sums: FileSumRow;
  readonly file_deletions: FileDeletionRow;
  readonly callbacks: CallbackRow;
  readonly callback_leases: InstanceLeaseRow;
}

interface SecretRow {
  readonly name: string;
  /** base64url. */
  readonly value: string;
}

/** A process that works on records. It is dead when its lock is free, or unknown, and its lease has expired. */
export interface InstanceRow {
  readonly id: string;
  readonly expires_at: number;
}

export interface CreationRow {
  readonly id: string;
  readonly owner: string;
  /** JSON text, like all client-chosen names. */
  readonly key: string | null;
  readonly operation: string;
  readonly fingerprint: string;
  readonly phase: CreationPhase;
  readonly subject_id: string;
  /** The instance that sends it. */
  readonly instance_id: string;
  /** Of a refused one: when it was refused. */
  readonly created_at: number;
  /** Why it was refused, as JSON. Null for any other. */
  readonly failure?: string | null | undefined;
}

export interface GenerationRow {
  readonly id: string;
  readonly owner: string;
  readonly kind: GenerationKind;
  readonly status: TaskStatus;
  /** JSON text. Empty instead of null, so that it can be compared. */
  readonly model: string;
  /** The collection, stored like `model`. The column keeps its first name, so that existing files need no migration. */
  readonly group_id: string;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly first_token_ms: number | null;
  readonly is_visible: 0 | 1;
  readonly task_id: string | null;
  /** The origin where its unfinished task can be read, `-` if the task has no address. Empty without an unfinished task. */
  readonly open_task: string;
  /** The instance that works on it. Null if it has ended, or if only the gateway works on it. */
  readonly instance_id: string | null;
  /** The instance that seemed dead when another one recorded this end for it. It may replace the end once. Null for other ends. */
  readonly ended_for: string | null;
  readonly usage: string | null;
  readonly error: string | null;
  /** The span of its create. Null if no spans were exported, and in rows of older versions. */
  readonly traceparent: string | null;
  /** Size of its contents and its task in bytes. */
  readonly size_bytes: number;
  /** The generation that it continues. It may have been deleted. Null for the first of a conversation. */
  readonly parent_id: string | null;
  readonly parent_choice: number | null;
  /** The first generation of its conversation. Null if it is the first. */
  readonly root_id: string | null;
  /** Number of generations before it in the conversation. Null if it is the first. */
  readonly depth: number | null;
  /** Null in rows of older versions, and of kinds without messages. */
  readonly input_state: InputState | null;
  /** Size of the inline images in its input. Null if it has none. */
  readonly image_bytes: number | null;
  /** The last event of its end. A trigger writes it. Null if no webhook got an event. */
  readonly end_event: string | null;
  /** Set at its end if its files are to be copied. Null once they are recorded. */
  readonly files_due_at: number | null;
}

/** The number and size of an owner's generations: the rows of `generations`, and the sum of their `size_bytes`. And their rate. */
interface OwnerRecordsRow {
  readonly owner: string;
  readonly records: number;
  readonly bytes: number;
  /** The minute of the last create with limits, since the epoch. */
  readonly minute: Generated<number>;
  /** Creates with limits in that minute. */
  readonly minute_creates: Generated<number>;
}

/** What a running generation has added to its output (see output-parts.ts). */
export type OutputPart = `output+${string}`;

/** Large values in separate rows: lists stay fast, and saving a running chat does not rewrite its request. */
export interface ContentRow {
  readonly generation_id: string;
  readonly part: ContentName | OutputPart;
  readonly body: string;
}

export interface TaskRow {
  readonly owner: string;
  readonly id: string;
  readonly generation_id: string | null;
  /** Reported time of the last change, or of the creation. */
  readonly updated_at: number;
  /** The record without its owner, as JSON. */
  readonly body: string;
}

export interface AccessTokenRow {
  readonly id: string;
  readonly owner: string;
  readonly created_at: number;
  /** The record without its owner, as JSON. */
  readonly body: string;
}

/** The gateway documents no read of a cloned voice. */
interface ClonedVoiceRow {
  readonly owner: string;
  /** The gateway's id, as JSON text. */
  readonly voice_id: string;
}

/** Sums of an owner's generations that were created on one day, with one kind, model and collection. */
export interface UsageDayRow {
  readonly owner: string;
  /** UTC, in days since the epoch. */
  readonly day: number;
  readonly kind: GenerationKind;
  /** As in `generations`, or `*` for a sum over models or collections beyond the limits of a day. */
  readonly model: string;
  readonly group_id: string;
  readonly generations: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly canceled: number;
  readonly unknown_outcome: number;
  /** Generations whose usage the gateway reported. */
  readonly with_usage: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
  readonly output_tokens: number;
}

/** The instance that polls a round: tasks of one owner that are read together. Valid while the instance is alive. */
interface PollLeaseRow {
  readonly owner: string;
  readonly round: string;
  readonly instance_id: string;
  /** By the clock of leases. */
  readonly taken_at: number;
}

/** A task that several instances may want to be polled. */
export interface PolledTaskRow {
  readonly owner: string;
  readonly id: string;
  readonly round: string;
  /** Polled for the watchers of other instances until this time of the clock of leases. */
  readonly watched_until: number;
  /** Polled without a watcher until this time. */
  readonly followed_until: number;
  /** Until this time of the clock of leases, other instances use the record instead of a read. */
  readonly fresh_until: number;
  /** The instance that read it last. */
  readonly read_by: string | null;
  readonly read_at: number | null;
  /** JSON text. Null if the last read succeeded. */
  readonly failure: string | null;
}

/** The last change of an owner's visible generations. Triggers write it. */
interface OwnerChangesRow {
  readonly owner: string;
  readonly number: number;
  readonly mark: number;
}

/** A change of a visible generation. Triggers write it. If the generation is gone, it was deleted. */
interface GenerationChangeRow {
  readonly owner: string;
  /** Counts the changes of the owner in the order of their commits. */
  readonly number: number;
  readonly generation_id: string;
  /** Random. */
  readonly mark: number;
  /** By the clock of the database. */
  readonly changed_at: number;
}

/** Who gets events of ends. The triggers that write deliveries read it. */
export interface WebhookRow {
  readonly id: string;
  /** Empty for a webhook of the operator. */
  readonly owner: string;
  readonly url: string;
  /** Lists of values, each between line breaks. Empty: all. Collections are stored like `group_id` of a generation. */
  readonly kinds: string;
  readonly statuses: string;
  readonly collections: string;
  readonly has_content: 0 | 1;
  /** Encrypted. Empty for a webhook of the operator. */
  readonly secret: string;
  readonly created_at: number;
  readonly disabled_at: number | null;
  /** Whether ends are recorded for it. */
  readonly is_active: 0 | 1;
  /** The instance that works off its queue. */
  readonly instance_id: Generated<string | null>;
  /** By the clock of leases. */
  readonly held_until: Generated<number>;
}

/** The outbox: the end of a generation, for one webhook. Triggers write it. */
export interface WebhookDeliveryRow extends Pick<
  GenerationRow,
  'owner' | 'kind' | 'status' | 'model' | 'group_id' | 'task_id' | 'created_at' | 'usage' | 'error'
> {
  readonly webhook_id: string;
  readonly event_id: string;
  readonly corrects: string | null;
  readonly generation_id: string;
  readonly finished_at: number;
  /** By the clock of the database. */
  readonly recorded_at: number;
  readonly state: 'PENDING' | 'DELIVERED' | 'FAILED';
  /** By the clock of leases. 0 before the first attempt. */
  readonly due_at: number;
  readonly attempts: number;
  /** By the clock of leases, like `attempted_at`. */
  readonly failing_since: number | null;
  readonly attempted_at: number | null;
  readonly response_status: number | null;
  readonly failure: string | null;
}

/** A file of a generation, or an upload. */
interface FileRow {
  readonly id: string;
  readonly owner: string;
  /** Null for an upload. */
  readonly generation_id: string | null;
  /** Among the assets of the generation. */
  readonly position: number | null;
  readonly state: FileState;
  readonly failure: FileFailure | null;
  /** JSON text of its address. Null if it came inline. */
  readonly source: string | null;
  readonly object_key: string | null;
  readonly attempts: number;
  readonly due_at: number;
  /** The instance that copies it. */
  readonly instance_id: string | null;
  readonly created_at: number;
  /** Of an upload that nothing refers to. */
  readonly expires_at: number | null;
}

/** Content in the store of files. The key is the id of the file that brought it. */
interface FileObjectRow {
  readonly key: string;
  readonly owner: string;
  readonly hash: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly stored_at: number;
}

/** The content of an owner, and of all: the row with an empty owner. */
interface FileSumRow {
  readonly owner: string;
  readonly files: number;
  readonly bytes: number;
}

/** A key of the store that may have content which nothing refers to. */
interface FileDeletionRow {
  readonly key: string;
  /** The instance that may be writing it. */
  readonly instance_id: string | null;
}

/** A subscription whose events one instance posts to a router. */
export interface CallbackRow {
  readonly id: string;
  readonly owner: string;
  /** The instance that posts. */
  readonly holder: string;
  /** JSON text. */
  readonly body: string;
  readonly generation_id: string | null;
  /** JSON text. Of the last acknowledged event. */
  readonly position: string | null;
  readonly is_posting: number;
  readonly expires_at: number | null;
}

/** Covers all callback subscriptions of the instance. By the clock of leases. */
interface InstanceLeaseRow {
  readonly instance_id: string;
  readonly expires_at: number;
}
