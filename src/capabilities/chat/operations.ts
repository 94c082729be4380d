import { type ExampleOperation, placeholders } from '../../graphql/capability.ts';

const story = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Tell me a long story about lighthouses.' } }],
};
const more = { messages: [{ role: 'USER', content: { text: 'And then?' } }] };
const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Say hello in three languages.' } }],
};

export const chatOperations: readonly ExampleOperation[] = [
  { name: 'stream-chat', variables: { input: story } },
  { name: 'start-chat', variables: { input: story, idempotencyKey: 'my-first-story' } },
  // A reader needs no more than ten updates a second.
  { name: 'chat-events', variables: { id: placeholders.chatId, minIntervalMs: 100 } },
  { name: 'create-chat-completion', variables: { input: hello } },
  {
    name: 'continue-chat',
    variables: { input: { ...story, ...more, continueFrom: placeholders.chatId } },
  },
];
