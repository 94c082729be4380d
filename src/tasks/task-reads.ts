import type { Gateway } from '../gateway/gateway.ts';
import type { FilledPath } from '../gateway/path.ts';
import type { GenerationKind } from '../store/records.ts';
import type { CanRead } from '../store/shown-status.ts';
import { readOneTask } from './read-one-task.ts';
import type { TaskHandle, TaskKind, TaskKinds, TaskLocation } from './task-kinds.ts';

/** Undocumented read paths of the operator's gateway, by kind, for example `/v1/video/query?id={id}`. */
export type TaskPaths = Readonly<Record<GenerationKind, string>>;

/** How to read each kind in this deployment. */
export interface TaskReads {
  find(kind: GenerationKind): TaskKind | undefined;
  /** Whether this task can be read. */
  isTrackable(task: TaskLocation): boolean;
  /** `isTrackable` for an unfinished task, from the record of its generation. */
  readonly canRead: CanRead;
}

export interface TaskReadsOptions {
  readonly gateway: Gateway;
  readonly kinds: TaskKinds;
  readonly paths: TaskPaths;
}

export function createTaskReads({ gateway, kinds, paths }: TaskReadsOptions): TaskReads {
  const find = (kind: GenerationKind): TaskKind | undefined => {
    const known = kinds.find(kind);
    const path = paths[kind];
    return known && path !== undefined ? withPath(known, path) : known;
  };
  const isTrackable = (task: TaskLocation): boolean => {
    const kind = find(task.kind);
    if ((kind?.readMany ?? kind?.readOne) === undefined) return false;
    return kind?.isReadable?.(task, gateway) ?? true;
  };
  return {
    find,
    isTrackable,
    canRead: (kind, { readOrigin }) => isTrackable({ kind, links: { get: readOrigin } }),
  };
}

/** Problems of the operator's paths. */
export function findPathProblems(
  paths: Readonly<Record<string, string>>,
  kinds: TaskKinds,
): readonly string[] {
  return Object.entries(paths).flatMap(([kind, path]) => {
    // The lookup also rejects a name that is not a kind.
    const known = kinds.find(kind);
    if (!known?.decode || known.readMany) return [`tasks of kind ${kind} cannot be read by a path`];
    return path.includes('{id}') ? [] : [`the path of ${kind} must contain {id}`];
  });
}

/** The paths of kinds that the schema has. */
export function knownPaths(paths: TaskPaths, kinds: TaskKinds): TaskPaths {
  return Object.fromEntries(Object.entries(paths).filter(([kind]) => kinds.find(kind) !== undefined));
}

/** Kinds that cannot be read in this deployment: the end of their tasks never shows. */
export function untrackableKinds(paths: TaskPaths, kinds: TaskKinds): readonly GenerationKind[] {
  return kinds.generationKinds.filter((kind) => {
    const { readMany, readOne } = kinds.find(kind) ?? {};
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
      const request = { path: fillPath(path, handle), form, ...(isRefusal && { isRefusal }) };
      return readOneTask(call, request, decode);
    },
  };
}

function fillPath(template: string, { upstreamId, model = '' }: TaskHandle): FilledPath {
  const path = template.replaceAll(/\{(id|model)\}/g, (_whole, name: string) =>
    encodeURIComponent(name === 'id' ? upstreamId : model),
  );
  const [endpoint = ''] = template.split('?');
  return { path, template: endpoint };
}
