import { ApolloClient, gql } from '@apollo/client';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { Client as UrqlClient } from '@urql/core';
import { expect, onTestFinished, test } from 'vitest';
import { apolloOptions, applyFeedEvent } from '../../src/client/apollo/index.ts';
import {
  ConversationsDocument,
  type ConversationsQuery,
  DeleteConversationDocument,
  DeleteGenerationsDocument,
} from '../../src/client/documents.generated.ts';
import { createGengraph, type Gengraph } from '../../src/client/gengraph.ts';
import type { ListedEvent } from '../../src/client/feed-places.ts';
import { urqlExchanges } from '../../src/client/urql/index.ts';
import { startApp } from '../support/app.ts';
import { chatId } from '../support/conversations.ts';

/** As `docs/conversations.md` shows it. */
const followed: TypedDocumentNode<{ readonly generationChanged: ListedEvent }, { readonly after: string }> =
  gql`
    subscription ($after: String) {
      generationChanged(after: $after, filter: { kinds: [CHAT] }) {
        __typename
        ... on GenerationChanged {
          generationId
          generation {
            id
            kind
            status
            isTerminal
            collection
            model
            createdAt
            firstTurn {
              id
              prompt
              collection
              createdAt
              newestTurn {
                id
                status
                isTerminal
                createdAt
              }
            }
          }
        }
        ... on GenerationDeleted {
          generationId
        }
      }
    }
  `;

const filter = { onlyFirstTurns: true };

type Show = (data: ConversationsQuery | undefined) => void;

/** What a page does with its client. */
interface PageClient {
  watch(show: Show): void;
  follow(after: string): void;
}

const pages: readonly (readonly [string, (gengraph: Gengraph) => PageClient])[] = [
  [
    'Apollo Client',
    (gengraph) => {
      const client = new ApolloClient(apolloOptions(gengraph));
      onTestFinished(() => client.stop());
      return {
        watch(show) {
          client.watchQuery({ query: ConversationsDocument, variables: { filter } }).subscribe({
            next: ({ data, dataState }) => dataState === 'complete' && show(data),
            error: ignoreEnd,
          });
        },
        follow(after) {
          client.subscribe({ query: followed, variables: { after } }).subscribe({
            next: ({ data }) => data && applyFeedEvent(client.cache, data.generationChanged),
            error: ignoreEnd,
          });
        },
      };
    },
  ],
  [
    'urql',
    (gengraph) => {
      const exchanges = urqlExchanges(gengraph);
      const client = new UrqlClient({ url: 'unused', exchanges, preferGetMethod: false });
      const keep = (source: { readonly unsubscribe: () => void }) => onTestFinished(source.unsubscribe);
      return {
        watch(show) {
          const query = client.query(ConversationsDocument, { filter });
          keep(query.subscribe(({ data, stale }) => void (stale || show(data))));
        },
        follow: (after) => keep(client.subscription(followed, { after }).subscribe(() => {})),
      };
    },
  ],
];

/** The server ends before its clients. */
const ignoreEnd = (): void => {};

test.each(pages)('%s keeps a list of conversations true', async (_name, open) => {
  await using app = await startApp();
  const first = await chatId(app);
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox' });
  onTestFinished(() => gengraph.dispose());
  let shown: readonly (readonly (string | undefined)[])[] = [];
  let after: string | undefined;
  const page = open(gengraph);
  page.watch((data) => {
    shown = data?.generations?.edges.map(({ node }) => [node.id, node.newestTurn?.id]) ?? [];
    after ??= data?.generations?.feedCursor ?? undefined;
  });
  const sees = async (...expected: typeof shown): Promise<void> => {
    await expect.poll(() => shown).toEqual(expected);
  };
  await sees([first, first]);
  page.follow(after ?? '');
  const second = await chatId(app, { continueFrom: first });
  await sees([first, second]);
  const third = await chatId(app, { continueFrom: second });
  const other = await chatId(app);
  await sees([other, other], [first, third]);
  await app.run(DeleteGenerationsDocument, { ids: [third] });
  await sees([other, other], [first, second]);
  await app.run(DeleteConversationDocument, { id: second });
  await sees([other, other]);
});
