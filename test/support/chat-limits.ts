import { expect } from 'vitest';
import type { ChatInput, ChatMessageInput } from '../../src/client/documents.generated.ts';
import type { TestApp } from './app.ts';
import { createChatCompletion, type Failure, made, refused, startChat } from './chats.ts';

type Issue = NonNullable<Failure['issues']>[number];

export interface LimitChecks {
  /** The issues of a rejected input. Also checks that nothing was sent. */
  issuesOf(input: ChatInput): Promise<readonly Issue[]>;
  /** Checks that our limits and the sandbox's independent ones accept the input. */
  accept(input: ChatInput): Promise<void>;
  statusOf(input: ChatInput): Promise<string>;
}

/** `getApp` returns the app that the suite starts before its tests. */
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
