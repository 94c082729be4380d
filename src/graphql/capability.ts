import type { operationTexts } from '../client/operations.generated.ts';
import type { DescribedLimits } from '../generations/describe-limits.ts';
import type { NotContinuableReason } from '../errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { GenerationKind, GenerationSummary, StoredOutput } from '../store/records.ts';
import type { StreamAccess } from '../streams/stream-access.ts';
import type { TaskKind } from '../tasks/task-kinds.ts';
import type { OutputType } from './generation-output.ts';
import type { Graph } from './graph.ts';
import type { NodeType } from './node-types.ts';

/** One family of the gateway's API, in a folder of its own. `src/capabilities/index.ts` lists all. */
export interface Capability {
  readonly name: string;
  /** The generation kinds that it creates, by name. @default none */
  readonly kinds?: Readonly<Record<GenerationKind, KindDefinition>>;
  /** Its object types that `node` can read. @default none */
  readonly nodes?: readonly NodeType[];
  /** The limits of its creates, by the name of their input type. @default none */
  readonly inputs?: Readonly<Record<string, DescribedLimits>>;
  /** One for each root field. */
  readonly operations: readonly ExampleOperation[];
  /** Adds its types and root fields. */
  extend(graph: Graph): void;
}

/** One kind of generation. If it has neither a task nor a stream, the reply to its create has the result. */
export interface KindDefinition {
  /** The description of its enum value, with the gateway's path. */
  readonly description: string;
  /** Kinds that share an output type have the same value. */
  readonly output: OutputType;
  /** Whether no create makes it, so that only tasks from outside this API have it. @default false */
  readonly isCreatedElsewhere?: boolean;
  /** For long-running kinds: how tasks are read and canceled. */
  readonly task?: TaskKind;
  /** For kinds that can stream their reply. */
  readonly stream?: StreamAccess;
  /** For kinds that later creates can continue. */
  readonly conversation?: ConversationAccess;
}

interface ConversationAccess {
  /** Why this record cannot be continued, whatever precedes it. `input` is needed without an `inputState`. */
  findReason(recorded: {
    readonly generation: Pick<GenerationSummary, 'status' | 'inputState'>;
    readonly input?: JsonObject | undefined;
    readonly output: StoredOutput | undefined;
  }): NotContinuableReason | undefined;
}

/** A complete operation, offered by GraphiQL, used as a documentation example and a typed document for clients. */
export interface ExampleOperation {
  /** The name of its file in the capability's folder `operations`, without the extension. */
  readonly name: keyof typeof operationTexts;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The required credential. @default 'api-key' */
  readonly credential?: 'api-key' | 'system-token';
  /** The setting that must be on. @default none */
  readonly setting?: 'OWNER_WEBHOOKS';
}

/** An example with the name of its capability. */
export interface CapabilityOperation extends ExampleOperation {
  readonly capability: string;
}

/** Placeholder variables for ids that only an earlier operation returns. */
export const placeholders = {
  generationId: 'generation_put-the-id-here',
  chatId: 'generation_put-the-id-of-a-chat-here',
  imageStreamId: 'generation_put-the-id-of-an-image-stream-here',
  taskId: 'task_put-the-id-here',
  webhookId: 'webhook_put-the-id-here',
} as const;
