import type { Caller, CredentialForm } from '../gateway/caller.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { packId, unpackId } from '../lib/ids.ts';
import type {
  GenerationFailure,
  GenerationKind,
  TaskLinks,
  TaskState,
  TaskStatus,
} from '../store/records.ts';
import type { Json } from '../lib/json.ts';

/** What is needed to ask for a task. */
export interface TaskHandle {
  readonly kind: GenerationKind;
  readonly upstreamId: string;
  /** Where the read's path names it. */
  readonly model?: string | undefined;
  /** Only ever from the caller's own record: addresses that the gateway gave. */
  readonly links?: TaskLinks | undefined;
}

/** What one reply said of one task. */
export interface TaskReading extends TaskState {
  readonly raw: Json;
}

export interface TaskCall {
  readonly gateway: Gateway;
  readonly caller: Caller;
}

/** How tasks of one kind are asked for. A kind without a read is not trackable: the gateway documents no way to ask. */
export interface TaskKind {
  readonly kind: GenerationKind;
  /** Reads a record of this kind, at a path that an operator has named (`GATEWAY_TASK_PATHS`). */
  readonly decode?: (reply: Json) => TaskReading;
  /** A refusal under HTTP 200 at that path that only the family can tell. */
  readonly isRefusal?: (reply: Json) => boolean;
  /** How that path and the cancel address want the credential. @default 'bearer' */
  readonly form?: CredentialForm;
  /** How its cancel address is called, where the replies of this kind give one. */
  readonly cancelMethod?: 'POST' | 'PUT';
  /** Many in one request. Tasks that the reply does not mention are absent; the key is the upstream id. */
  readonly readMany?: (
    call: TaskCall,
    handles: readonly TaskHandle[],
  ) => Promise<ReadonlyMap<string, TaskReading>>;
  /** Tasks of kinds with the same word are read in one request together. */
  readonly batch?: string;
  /** One in one request; undefined when the gateway knows of none. */
  readonly readOne?: (call: TaskCall, handle: TaskHandle) => Promise<TaskReading | undefined>;
  /** Whether this one can be asked for, where that depends on what is known of it. @default true */
  readonly isReadable?: (handle: TaskHandle, gateway: Gateway) => boolean;
}

/** Why a task failed, in the gateway's words where it said any. */
export function taskFailure(status: TaskStatus, message: string | undefined): GenerationFailure | undefined {
  if (status !== 'FAILED') return undefined;
  return { code: 'GATEWAY_ERROR', message: message ?? 'The gateway reports a failure without a reason.' };
}

const kinds = new Map<GenerationKind, TaskKind>();

/** Adds a kind. One call per kind, by its capability. */
export function registerTaskKind(kind: TaskKind): void {
  kinds.set(kind.kind, kind);
}

export function findTaskKind(kind: GenerationKind): TaskKind | undefined {
  return kinds.get(kind);
}

/** Task ids describe themselves, so that they work on any instance, after a restart, and for work made elsewhere. */
export function taskIdOf({ kind, upstreamId, model }: TaskHandle): string {
  return packId('task', model === undefined ? [kind, upstreamId] : [kind, upstreamId, model]);
}

/** What an id describes; undefined when it is no task id of a known kind. */
export function handleOf(id: string): TaskHandle | undefined {
  const [kindWord, upstreamId, model, ...rest] = unpackId('task', id) ?? [];
  if (kindWord === undefined || upstreamId === undefined || rest.length > 0) return undefined;
  const kind = [...kinds.keys()].find((known) => known === kindWord);
  if (!kind || !isUpstreamId(upstreamId) || (model !== undefined && !isUpstreamId(model))) return undefined;
  return { kind, upstreamId, model };
}

/** One path segment of printable characters: it becomes part of an address. */
export function isUpstreamId(text: string): boolean {
  return (
    /^[\u0021-\u007E]{1,500}$/.test(text) &&
    text !== '.' &&
    text !== '..' &&
    !text.includes('/') &&
    !text.includes('\\')
  );
}
