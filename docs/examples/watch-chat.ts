import { print } from 'graphql';
import { createClient } from 'graphql-ws';
import { StreamChatDocument, type StreamChatSubscription } from '../../src/client/documents.generated.ts';
import { reconnecting } from '../../src/client/reconnecting.ts';

const client = createClient({
  url: process.argv[2] ?? 'ws://127.0.0.1:4000/graphql',
  connectionParams: { Authorization: 'Bearer sk-sandbox' },
  ...reconnecting,
});
const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'Tell me a long story.' } }] };
const events = client.iterate<StreamChatSubscription>({
  query: print(StreamChatDocument),
  variables: { input },
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
