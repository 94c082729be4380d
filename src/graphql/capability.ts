import type { operationTexts } from '../client/operations.generated.ts';
import type { GenerationKind } from '../store/records.ts';
import type { StreamAccess } from '../streams/stream-access.ts';
import type { TaskKind } from '../tasks/task-kinds.ts';
import type { OutputType } from './generation-output.ts';
import type { Graph } from './graph.ts';
import type { NodeType } from './node-types.ts';

/** One family of the gateway's API. Its folder holds all of it; `src/capabilities/index.ts` lists it. */
export interface Capability {
  readonly name: string;
  /** The kinds of generations that it makes, by name. @default none */
  readonly kinds?: Readonly<Record<GenerationKind, KindDefinition>>;
  /** The forms of its results. Capabilities with the same form list the same value. @default none */
  readonly outputs?: readonly OutputType[];
  /** Its objects that `node` finds. @default none */
  readonly nodes?: readonly NodeType[];
  /** One for each of its root fields. */
  readonly operations: readonly ExampleOperation[];
  /** Adds its types and root fields. */
  extend(graph: Graph): void;
}

/** One kind of generation. A kind without a task and a stream gets its result in the reply to its create. */
export interface KindDefinition {
  /** What it makes, with the gateway's path: the description of its enum value. */
  readonly description: string;
  /** How its tasks are read and cancelled, for kinds of long-running work. */
  readonly task?: TaskKind;
  /** How its streams are followed and cancelled, for kinds whose reply can be a stream. */
  readonly stream?: StreamAccess;
}

/** An example: a tab of GraphiQL, a section of the documentation, and a typed document for clients. */
export interface ExampleOperation {
  /** Name of its file in the capability's folder `operations`, without extension. */
  readonly name: keyof typeof operationTexts;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The credential that it needs. @default 'api-key' */
  readonly credential?: 'api-key' | 'system-token';
}

/** Placeholders in variables for ids that an earlier operation returns. */
export const placeholders = {
  generationId: 'generation_put-the-id-here',
  taskId: 'task_put-the-id-here',
} as const;
