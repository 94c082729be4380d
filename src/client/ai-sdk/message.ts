import type { UIMessage } from 'ai';
import type { ChatStatus, ChatUsage } from '../chat-events.ts';
import type { GengraphProblem } from '../problem.ts';

/** The `metadata` of each assistant message. */
export interface GengraphMetadata {
  /** Of the last step, which a further message continues. */
  readonly generationId: string;
  /** Of the last step. `streaming` also after a stop, until the messages are loaded again. */
  readonly status: ChatStatus;
  /** As the gateway named it, of the last step. */
  readonly finishReason?: string | null;
  /** Of all steps. */
  readonly usage?: ChatUsage;
  /** Why the reply failed. What had arrived is kept. */
  readonly error?: GengraphProblem;
}

/** Messages as the transport makes them. Give `useChat` this type to read `metadata`. */
export type GengraphMessage = UIMessage<GengraphMetadata>;

/** A failure, with its advice. `useChat` returns it as `error` and calls `onError` with it. */
export class GengraphChatError extends Error {
  /** `retry` says how to react, `issues` has the problems of an input that breaks a limit. */
  readonly problem: GengraphProblem;

  constructor(problem: GengraphProblem) {
    super(problem.message);
    this.name = 'GengraphChatError';
    this.problem = problem;
  }
}

/** The usage of a message that already has steps. */
export function addUsage(sum: ChatUsage | undefined, usage: ChatUsage | null): ChatUsage | undefined {
  if (!sum || !usage) return usage ?? sum;
  const add = (one: number | null, other: number | null): number | null =>
    one === null && other === null ? null : (one ?? 0) + (other ?? 0);
  return {
    promptTokens: add(sum.promptTokens, usage.promptTokens),
    completionTokens: add(sum.completionTokens, usage.completionTokens),
    totalTokens: add(sum.totalTokens, usage.totalTokens),
  };
}

/** Of an assistant message that the transport made. */
export function metadataOf({
  role,
  metadata,
}: Pick<UIMessage, 'role' | 'metadata'>): GengraphMetadata | undefined {
  // Other messages have metadata of the page's choice.
  const isOwn = typeof metadata === 'object' && metadata !== null && 'generationId' in metadata;
  return role === 'assistant' && isOwn && typeof metadata.generationId === 'string'
    ? { status: 'completed', ...metadata, generationId: metadata.generationId }
    : undefined;
}
