import { ConfigError } from '../config.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { allGenerationKinds, type GenerationKind } from '../store/records.ts';
import { readIfKnown } from './read-if-known.ts';
import { findTaskKind, type TaskHandle, type TaskKind } from './task-kinds.ts';

/** Undocumented read paths of the operator's gateway, by kind, for example `/v1/video/query?id={id}`. */
export type TaskPaths = Readonly<Partial<Record<GenerationKind, string>>>;

/** How to read each kind in this deployment. */
export interface TaskReads {
  find(kind: GenerationKind): TaskKind | undefined;
  /** Whether this task can be read. */
  isTrackable(handle: TaskHandle): boolean;
}

export function createTaskReads(gateway: Gateway, paths: TaskPaths): TaskReads {
  const find = (kind: GenerationKind): TaskKind | undefined => {
    const known = findTaskKind(kind);
    const path = paths[kind];
    return known && path !== undefined ? withPath(known, path) : known;
  };
  return {
    find,
    isTrackable(handle) {
      const kind = find(handle.kind);
      if ((kind?.readMany ?? kind?.readOne) === undefined) return false;
      return kind?.isReadable?.(handle, gateway) ?? true;
    },
  };
}

/** Validates the operator's paths. Call it after all kinds are known. @throws ConfigError naming every invalid path */
export function toTaskPaths(paths: Readonly<Record<string, string>>): TaskPaths {
  const problems = Object.entries(paths).flatMap(([kind, path]) => {
    // The lookup also rejects a name that is not a kind.
    const known = findTaskKind(kind as GenerationKind);
    if (!known?.decode || known.readMany) return [`tasks of kind ${kind} cannot be read by a path`];
    return path.includes('{id}') ? [] : [`the path of ${kind} must contain {id}`];
  });
  if (problems.length > 0)
    throw new ConfigError(`Invalid setting: GATEWAY_TASK_PATHS: ${problems.join('; ')}`);
  return paths;
}

/** Kinds that cannot be read in this deployment: the end of their tasks never shows. */
export function endlessKinds(paths: TaskPaths): readonly GenerationKind[] {
  return allGenerationKinds.filter((kind) => {
    const { readMany, readOne } = findTaskKind(kind) ?? {};
    return paths[kind] === undefined && (readMany ?? readOne) === undefined;
  });
}

/** Adds the operator's path to a kind. The documented read takes precedence when this task has one. */
function withPath(kind: TaskKind, path: string): TaskKind {
  const { decode, readOne, isReadable, isRefusal, form = 'bearer' } = kind;
  if (!decode) return kind;
  return {
    ...kind,
    isReadable: () => true,
    async readOne(call, handle) {
      if (readOne && (isReadable?.(handle, call.gateway) ?? true)) return readOne(call, handle);
      const { gateway, caller } = call;
      const request = { path: fillIn(path, handle), caller, form, ...(isRefusal && { isRefusal }) };
      const reply = await readIfKnown(() => gateway.read(request));
      return reply === undefined ? undefined : decode(reply);
    },
  };
}

function fillIn(path: string, { upstreamId, model = '' }: TaskHandle): string {
  return path.replaceAll(/\{(id|model)\}/g, (_whole, name: string) =>
    encodeURIComponent(name === 'id' ? upstreamId : model),
  );
}
