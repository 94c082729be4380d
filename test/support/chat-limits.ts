import { expect } from 'vitest';
import type { ChatInput, ChatMessageInput } from '../../src/client/documents.generated.ts';
import type { TestApp } from './app.ts';
import { createChatCompletion, type Failure, made, refused, startChat } from './chats.ts';

type Issue = NonNullable<Failure['issues']>[number];

export interface LimitChecks {
  /** What is wrong with an input, after checking that nothing was sent for it. */
  issuesOf(input: ChatInput): Promise<readonly Issue[]>;
  /** Accepted by our limits, and by the sandbox's own, which were written from the same document by others. */
  accept(input: ChatInput): Promise<void>;
  statusOf(input: ChatInput): Promise<string>;
}

/** Checks against the app that a suite starts before its tests. */
export function createLimitChecks(getApp: () => TestApp): LimitChecks {
  const statusOf = async (input: ChatInput): Promise<string> =>
    made(await createChatCompletion(getApp(), { input })).status;
  return {
    async issuesOf(input) {
      const { sandbox } = getApp();
      const before = sandbox.activity.count();
      const failure = refused(await startChat(getApp(), { input, idempotencyKey: crypto.randomUUID() }));
      expect(failure.__typename).toBe('InvalidInputError');
      expect(sandbox.activity.count()).toBe(before);
      return failure.issues ?? [];
    },
    async accept(input) {
      expect(await statusOf(input)).toBe('SUCCEEDED');
    },
    statusOf,
  };
}

export const userMessage = (text: string): ChatMessageInput => ({ role: 'USER', content: { text } });
