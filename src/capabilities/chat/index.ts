import type { Capability } from '../../graphql/capability.ts';
import { streamAccess } from '../../streams/stream-access.ts';
import { findChatReason } from './continue-chat.ts';
import { chatKind, findCompletion } from './chat-kind.ts';
import { chatOperations } from './operations.ts';
import { addChatCreates, addChatStreams } from './schema.ts';
import { chatCompletionOutput } from './types.ts';
import { chatLimits } from './limits.ts';

export const chat: Capability = {
  name: 'chat',
  kinds: {
    CHAT: {
      description: 'A chat completion.',
      output: chatCompletionOutput,
      stream: streamAccess(chatKind, findCompletion),
      conversation: { findReason: findChatReason },
    },
  },
  inputs: { ChatInput: chatLimits },
  operations: chatOperations,
  extend(graph) {
    addChatCreates(graph);
    addChatStreams(graph);
  },
};
