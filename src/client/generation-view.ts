import type * as documents from './documents.generated.ts';
import type { GengraphProblem } from './problem.ts';

export interface GeneratedAsset {
  readonly kind: documents.AssetKind;
  readonly role: documents.AssetRole;
  /** The result that the file belongs to. A song and its cover have the same. */
  readonly index: number;
  /** Of a song. */
  readonly title: string | null;
  /** Null if the file is inline. */
  readonly url: string | null;
  /** An inline file. Lists leave it out, as it may be large: follow the generation. */
  readonly base64: string | null;
  readonly contentType: string | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly durationSeconds: number | null;
  readonly expiresAt: string | null;
}

/** The complete state of a generation. */
export interface GenerationView {
  /** Null until it is known, and if the create was refused. */
  readonly id: string | null;
  readonly kind: documents.GenerationKind | null;
  readonly status: documents.TaskStatus | 'STARTING';
  /** As requested. */
  readonly model: string | null;
  readonly prompt: string | null;
  readonly collection: string | null;
  readonly createdAt: string | null;
  readonly finishedAt: string | null;
  /** Whether `stop` can cancel it. */
  readonly isCancelable: boolean;
  /** Null for kinds without tasks. */
  readonly taskId: string | null;
  /** From 0 to 1. Null if the gateway reports none. */
  readonly progress: number | null;
  readonly queuePosition: number | null;
  /** Why the task cannot be read now, so that this view may be old. Absent until a task is watched. */
  readonly readFailure?: GengraphProblem | null | undefined;
  readonly assets: readonly GeneratedAsset[];
  readonly error: GengraphProblem | null;
  readonly isEnded: boolean;
}

/** A generation that exists. */
export interface GenerationItem extends GenerationView {
  readonly id: string;
  readonly kind: documents.GenerationKind;
  readonly createdAt: string;
}

/** What only a task reports. */
export type TaskState = Pick<GenerationView, 'progress' | 'queuePosition' | 'readFailure'>;

/** What operations of this client select of a generation. */
export interface GenerationFields extends Omit<
  GenerationItem,
  'taskId' | keyof TaskState | 'assets' | 'isEnded'
> {
  readonly __typename: 'Generation';
  readonly isTerminal: boolean;
  readonly assets: readonly (Omit<GeneratedAsset, 'base64'> & { readonly base64?: string | null })[];
  readonly task: { readonly id: string } | null;
}

const beforeAssets =
  '__typename id kind status model prompt collection createdAt finishedAt isTerminal isCancelable assets{kind role index title url contentType width height durationSeconds expiresAt';
const problemFields = '{code message retry retryAfterSeconds}';
const afterAssets = `error${problemFields}task{id}`;
export const taskFields = `progress queuePosition readFailure${problemFields}`;
/** Of many generations. */
export const listedFields = `${beforeAssets}}${afterAssets}`;
/** Of one. */
export const generationFields = `${beforeAssets} base64}${afterAssets}`;

export function toGenerationItem({
  __typename,
  isTerminal,
  task,
  assets,
  ...members
}: GenerationFields): GenerationItem {
  return {
    ...members,
    taskId: task?.id ?? null,
    progress: null,
    queuePosition: null,
    assets: assets.map((asset) => ({ base64: null, ...asset })),
    isEnded: isTerminal,
  };
}
