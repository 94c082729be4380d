import { base, settings } from '../settings.ts';

/** One operation of the page. */
export interface Sample {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The conversation, for the transport of `useChat`. */
  readonly chat?: { readonly id: string; readonly model: string };
}

const credential = settings.auth === 'jwt' ? 'YOUR_TOKEN' : (settings.apiKey ?? 'YOUR_API_KEY');
const url = new URL('graphql', base).href;
const gengraph = `const gengraph = createGengraph({ url: '${url}', credential: '${credential}' });`;
const socket = `createClient({
  url: '${url.replace(/^http/, 'ws')}',
  connectionParams: { Authorization: 'Bearer ${credential}' },
})`;

/** The operation in the forms that front ends write it. Each runs as it stands. */
export function writeSamples({ query, variables, chat }: Sample): Readonly<Record<string, string>> {
  const text = query.trim();
  const [, type = 'query'] = /^(mutation|subscription)/.exec(text) ?? [];
  const json = JSON.stringify(variables, null, 2);
  const operation = `const query = \`${text}\`;\nconst variables = ${json};`;
  const accept = type === 'subscription' ? 'text/event-stream' : 'application/json';
  const body = JSON.stringify({ query: text.replaceAll(/\s+/g, ' '), variables });
  return {
    GraphQL: `${text}\n\n# Variables\n${json}`,
    curl: `curl -N ${url} \\
  -H 'Authorization: Bearer ${credential}' \\
  -H 'Content-Type: application/json' -H 'Accept: ${accept}' \\
  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
    'graphql-ws': `import { createClient } from 'graphql-ws';

const client = ${socket};
${operation}
for await (const result of client.iterate({ query, variables })) console.log(result);`,
    '@gengraph/client': `import { createGengraph } from '@gengraph/client';

// It is a client of graphql-ws whose connection comes back by itself.
${gengraph}
${operation}
for await (const result of gengraph.client.iterate({ query, variables })) console.log(result);`,
    Apollo: `import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';

const link = new GraphQLWsLink(${socket});
const client = new ApolloClient({ link, cache: new InMemoryCache() });
${operation.replace('`', 'gql`')}
${apolloCalls[type]}`,
    ...(chat && { useChat: writeUseChat(chat) }),
  };
}

const apolloCalls: Readonly<Record<string, string>> = {
  query: 'console.log(await client.query({ query, variables }));',
  mutation: 'console.log(await client.mutate({ mutation: query, variables }));',
  subscription: 'client.subscribe({ query, variables }).subscribe((result) => console.log(result));',
};

function writeUseChat({ id, model }: NonNullable<Sample['chat']>): string {
  return `import { Chat, useChat } from '@ai-sdk/react';
import { createGengraph } from '@gengraph/client';
import { GengraphChatTransport } from '@gengraph/client/ai-sdk';
import { createRoot } from 'react-dom/client';

${gengraph}
const transport = new GengraphChatTransport(gengraph, { model: '${model}' });
const id = '${id}'; // This conversation.
const chat = new Chat({ id, transport, messages: await transport.loadMessages(id) });

function Conversation() {
  const { messages, sendMessage, stop } = useChat({ chat, resume: true });
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>{role}: {parts.map((part) => part.type === 'text' && part.text)}</p>
      ))}
      <button onClick={() => sendMessage({ text: 'And then?' })}>Send</button>
      <button onClick={stop}>Stop</button>
    </>
  );
}

const root = document.body.appendChild(document.createElement('main'));
createRoot(root).render(<Conversation />);`;
}
