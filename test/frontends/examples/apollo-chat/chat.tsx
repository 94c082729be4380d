import type { ApolloClient } from '@apollo/client';
import { ApolloProvider, useMutation, useQuery, useSubscription } from '@apollo/client/react';
import { createStorage } from '@gengraph/client';
import { applyFeedEvent } from '@gengraph/client/apollo';
import {
  CancelGenerationDocument,
  GenerationChangedDocument,
  GenerationsDocument,
  StreamChatDocument,
} from '@gengraph/client/documents';
import { type FormEvent, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

// Unlike sessionStorage itself, it never throws: one that is full or forbidden must take no question away.
const storage = createStorage();

interface Request {
  readonly question: string;
  readonly model: string;
  /** Made before the request is sent, and kept: with the same key it is the same chat. */
  readonly key: string;
}

function Page() {
  const [request, setRequest] = useState(
    () => JSON.parse(storage.getItem('request') ?? 'null') as Request | null,
  );
  const [model, setModel] = useState('gpt-4o');

  function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const question = new FormData(event.currentTarget).get('question');
    // A double click sends one question: the first empties the field.
    if (typeof question !== 'string' || question === '') return;
    event.currentTarget.reset();
    const key = `${Date.now()}-${Math.random()}`;
    const next = { question, model, key };
    storage.setItem('request', JSON.stringify(next));
    setRequest(next);
  }

  return (
    <>
      <h1>Chat</h1>
      <form onSubmit={ask}>
        <input aria-label="Model" value={model} onChange={({ target }) => setModel(target.value)} />
        <input name="question" aria-label="Question" />
        <button>Send</button>
      </form>
      {request && <Reply key={request.key} request={request} />}
      <Recent />
    </>
  );
}

function Reply({ request: { question, model, key } }: { readonly request: Request }) {
  const input = { model, messages: [{ role: 'USER' as const, content: { text: question } }] };
  const { data, error } = useSubscription(StreamChatDocument, {
    variables: { input, idempotencyKey: key },
    // Each event has the whole reply: a cache would only copy it.
    fetchPolicy: 'no-cache',
  });
  const [cancel] = useMutation(CancelGenerationDocument);

  const event = data?.streamChat;
  const id = event?.generationId;
  const failure = event?.__typename === 'ChatFailed' ? event.error : undefined;
  return (
    <article data-status={event?.__typename ?? 'starting'}>
      <h2>{question}</h2>
      <p className="text">{event?.soFar.choices[0]?.message.content}</p>
      {failure && (
        <p role="alert">
          {failure.code}: {failure.message}
        </p>
      )}
      {error && <p role="alert">{error.message}</p>}
      {id && <button onClick={() => void cancel({ variables: { by: { id } } })}>Stop</button>}
    </article>
  );
}

/** A list that the feed keeps true. */
function Recent() {
  const { data, fetchMore } = useQuery(GenerationsDocument, { variables: { first: 20 } });
  const { edges = [], pageInfo, feedCursor: after } = data?.generations ?? {};
  useSubscription(GenerationChangedDocument, {
    variables: { after },
    skip: after === undefined,
    onData({ client, data: { data: changed } }) {
      if (changed) applyFeedEvent(client.cache, changed.generationChanged);
    },
  });
  return (
    <>
      <ul>
        {edges.map(({ node }) => (
          <li key={node.id}>
            {node.prompt}: {node.status}
          </li>
        ))}
      </ul>
      {pageInfo?.hasNextPage && (
        <button onClick={() => void fetchMore({ variables: { after: pageInfo.endCursor } })}>More</button>
      )}
    </>
  );
}

export function show(client: ApolloClient): void {
  const root = document.querySelector('#root');
  if (root)
    createRoot(root).render(
      <StrictMode>
        <ApolloProvider client={client}>
          <Page />
        </ApolloProvider>
      </StrictMode>,
    );
}
