import { StreamChatDocument } from '@gengraph/client/documents';
import type { Sample } from '../show-me/samples.ts';
import { queryOf } from '../show-me/query-of.ts';
import type { Turn } from './conversation.ts';

/** The operation behind a reply. */
export function writeChat({ input, id, key }: Turn, collection: string): Sample {
  if (!input) {
    const query = `subscription Follow($id: ID!) {
  chatEvents(id: $id) {
    __typename
    sequence
    ... on ChatDelta { choices { index content } }
    ... on ChatSnapshot { soFar { choices { message { content } } } }
    ... on ChatFailed { error { code message retry } }
  }
}`;
    return { query, variables: { id }, kit: `const chat = useChatStream('${id}');` };
  }
  const kit = `// A page:
const chat = useChatStream(input, { id: '${key}', collection: '${collection}' });
chat.text; // grows, also after a lost connection and a reload
chat.stop();

// The same with the AI SDK:
const { messages, sendMessage } = useChat({
  id: '${collection}',
  transport: new GengraphChatTransport(gengraph, { model: '${input.model}' }),
});`;
  return { query: queryOf(StreamChatDocument), variables: { input, idempotencyKey: key, collection }, kit };
}
