import { type Capability, placeholders } from '../../graphql/capability.ts';
import { streamAccess } from '../../streams/stream-access.ts';
import { findChatReason } from './continue-chat.ts';
import { chatKind, findCompletion } from './chat-kind.ts';
import { addChatCreates, addChatStreams } from './schema.ts';
import { chatCompletionOutput } from './types.ts';
import { chatLimits } from './limits.ts';

const story = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Tell me a long story about lighthouses.' } }],
};
const more = { messages: [{ role: 'USER', content: { text: 'And then?' } }] };
const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Say hello in three languages.' } }],
};

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
  operations: [
    { name: 'stream-chat', variables: { input: story } },
    { name: 'start-chat', variables: { input: story, idempotencyKey: 'my-first-story' } },
    // A reader needs no more than ten updates a second.
    { name: 'chat-events', variables: { id: placeholders.chatId, minIntervalMs: 100 } },
    { name: 'create-chat-completion', variables: { input: hello } },
    {
      name: 'continue-chat',
      variables: { input: { ...story, ...more, continueFrom: placeholders.chatId } },
    },
  ],
  extend(graph) {
    addChatCreates(graph);
    addChatStreams(graph);
  },
};
