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
  const kit = `import { createGengraph } from '@gengraph/client';
import { useChatStream } from '@gengraph/client/react';

// Inside a <GengraphProvider client={createGengraph({ url, credential })}>:
const chat = useChatStream(input, { id: '${key}', collection: '${collection}' });
chat.text; // grows, also after a lost connection and a reload
chat.stop();`;
  const useChat = `import { useChat } from '@ai-sdk/react';
import { createGengraph } from '@gengraph/client';
import { GengraphChatTransport } from '@gengraph/client/ai-sdk';

const gengraph = createGengraph({ url, credential });
const transport = new GengraphChatTransport(gengraph, { model: '${input.model}' });

// In a component:
const { messages, sendMessage, stop } = useChat({ id: '${collection}', transport, resume: true });`;
  return {
    query: queryOf(StreamChatDocument),
    variables: { input, idempotencyKey: key, collection },
    kit,
    useChat,
  };
}
