import type { Caller, CredentialForm } from '../gateway/caller.ts';
import type { Gateway, GatewayRequest } from '../gateway/gateway.ts';
import { packId, unpackId } from '../lib/ids.ts';
import type {
  GenerationFailure,
  GenerationKind,
  TaskLinks,
  TaskState,
  TaskStatus,
} from '../store/records.ts';
import type { Json, JsonObject } from '../lib/json.ts';
import { abbreviate } from '../lib/text.ts';

/** The members of a task that decide whether it can be read. */
export interface TaskLocation {
  readonly kind: GenerationKind;
  /** Addresses from the gateway. Taken only from the caller's own record. */
  readonly links?: TaskLinks | undefined;
}

/** Identifies a task at the gateway: the arguments of its read. */
export interface TaskHandle extends TaskLocation {
  readonly upstreamId: string;
  /** Present when the read's path contains it. */
  readonly model?: string | undefined;
}

/** The state of one task in one reply. */
export interface TaskReading extends TaskState {
  readonly raw: Json;
  /** The task's own status word means success, but the reply holds no result. */
  readonly isUnprovenSuccess?: true;
}

export interface TaskCall {
  readonly gateway: Gateway;
  readonly caller: Caller;
}

export interface BatchRead {
  readonly toRequest: (handles: readonly TaskHandle[]) => Omit<GatewayRequest, 'caller'>;
  /** The records of tasks in the reply, by upstream id. */
  readonly find: (reply: Json) => ReadonlyMap<string, JsonObject>;
  /** Decodes one of them. Equal records have equal readings, and the record is their `raw`. */
  readonly decode: (record: JsonObject) => TaskReading;
}

/** How to read and cancel tasks of one kind. A kind without a read is not trackable: the gateway documents none. */
export interface TaskKind {
  /** Decodes a task record: from the operator's read path (`GATEWAY_TASK_PATHS`), a cancel, or a create's reply. */
  readonly decode?: (reply: Json) => TaskReading;
  /** Detects this family's own form of a refusal under HTTP 200 at that path. */
  readonly isRefusal?: (reply: Json) => boolean;
  /** Form of the credential at that path and at the cancel address. @default 'bearer' */
  readonly form?: CredentialForm;
  /** HTTP method of the cancel address, for kinds whose replies contain one. */
  readonly cancelMethod?: 'POST' | 'PUT';
  /** Reads many tasks in one request. */
  readonly readMany?: BatchRead;
  /** Kinds with the same value are read together in one request. */
  readonly batch?: string;
  /** Reads one task. Undefined when the gateway does not know it. */
  readonly readOne?: (call: TaskCall, handle: TaskHandle) => Promise<TaskReading | undefined>;
  /** Whether the path of `readOne` has the model as a segment. @default false */
  readonly takesModel?: boolean;
  /** Whether this task can be read, for kinds where that depends on the origin of `links.get`. @default true */
  readonly isReadable?: (task: TaskLocation, gateway: Gateway) => boolean;
}

/** The failure of a task, with the gateway's message and code if it gave them. */
export function taskFailure(
  status: TaskStatus,
  message: string | undefined,
  upstreamCode?: string,
): GenerationFailure | undefined {
  if (status !== 'FAILED') return undefined;
  const text = message || 'The gateway reports a failure without a reason.';
  return {
    code: 'GATEWAY_ERROR',
    message: abbreviate(text, 1000),
    ...(upstreamCode !== undefined && { upstreamCode }),
  };
}

/** The task kinds of one schema. */
export interface TaskKinds {
  /** Every kind of generation, also those without tasks. */
  readonly generationKinds: readonly GenerationKind[];
  /** How tasks of this kind are read; undefined for a kind that has no tasks. */
  find(kind: GenerationKind): TaskKind | undefined;
  /** Unpacks a task id. Undefined when it is not a task id of a known kind. */
  handleOf(id: string): TaskHandle | undefined;
}

export function createTaskKinds(kinds: ReadonlyMap<GenerationKind, { readonly task?: TaskKind }>): TaskKinds {
  const find = (kind: GenerationKind): TaskKind | undefined => kinds.get(kind)?.task;
  return {
    generationKinds: [...kinds.keys()],
    find,
    handleOf(id) {
      const [kind, upstreamId, model, ...rest] = unpackId('task', id) ?? [];
      if (kind === undefined || upstreamId === undefined || rest.length > 0) return undefined;
      const isValid = isUpstreamId(upstreamId) && (model === undefined || isUpstreamId(model));
      return find(kind) && isValid ? { kind, upstreamId, model } : undefined;
    },
  };
}

/** Task ids are self-describing: they work on any instance, after a restart, and for tasks created by other clients. */
export function taskIdOf({ kind, upstreamId, model }: TaskHandle): string {
  return packId('task', model === undefined ? [kind, upstreamId] : [kind, upstreamId, model]);
}

/** Longest id of a task. PostgreSQL refuses rows of an index above 2704 bytes, which also hold the owner. */
export const maxTaskIdChars = 2500;

/** Accepts one path segment of printable ASCII characters, because the id becomes part of a URL. */
export function isUpstreamId(text: string): boolean {
  return upstreamIdPattern.test(text);
}

/** From ! to ~ without / and \, and not a dot segment. */
const upstreamIdPattern = /^(?!\.{1,2}$)[!-.0-[\]-~]{1,500}$/;
