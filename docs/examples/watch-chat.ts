import { print } from 'graphql';
import { StreamChatDocument, type StreamChatSubscription } from '../../src/client/documents.generated.ts';
import { createReconnectingClient } from '../../src/client/reconnecting.ts';

const client = createReconnectingClient({
  url: process.argv[2] ?? 'ws://127.0.0.1:4000/graphql',
  connectionParams: { Authorization: 'Bearer sk-sandbox' },
});
const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Tell me a long story.' } }] };
// One key for each request of the user. Every subscription with it shows the same chat, which is paid once.
const idempotencyKey = crypto.randomUUID();
const events = client.iterate<StreamChatSubscription>({
  query: print(StreamChatDocument),
  variables: { input, idempotencyKey },
});

let shown = '';
for await (const { data, errors } of events) {
  if (errors) throw new AggregateError(errors, 'The subscription was refused.');
  const text = data?.streamChat.soFar.choices[0]?.message.content ?? '';
  process.stdout.write(text.slice(shown.length));
  shown = text;
  if (data?.streamChat.__typename === 'ChatFailed') throw new Error(data.streamChat.error.message);
}
await client.dispose();
