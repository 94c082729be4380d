import { Client, gql } from '@urql/core';
import type { Client as Connection, Sink, SubscribePayload } from 'graphql-ws';
import { expect, onTestFinished, test } from 'vitest';
import {
  GenerationChangedDocument,
  GenerationsDocument,
  VoicesDocument,
} from '../../src/client/documents.generated.ts';
import { createGengraph } from '../../src/client/gengraph.ts';
import { urqlExchanges } from '../../src/client/urql/index.ts';
import { startApp } from '../support/app.ts';
import { createImage } from '../support/files.ts';

const emptyList = {
  __typename: 'GenerationConnection',
  totalCount: 0,
  isTotalCapped: false,
  feedCursor: 'a',
  edges: [],
  pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: null },
};

const change = {
  __typename: 'GenerationChanged',
  cursor: 'b',
  generationId: 'g',
  matchesFilter: true,
  generation: {
    __typename: 'Generation',
    id: 'g',
    kind: 'IMAGE',
    status: 'SUCCEEDED',
    isTerminal: true,
    isCancelable: false,
    collection: null,
    model: null,
    prompt: null,
    createdAt: '2026-11-20T16:00:00.000Z',
    finishedAt: null,
    firstTurn: null,
    assets: [],
    error: null,
    task: null,
  },
};

test('urql shows a list that is read without arguments, with its next pages', async () => {
  await using app = await startApp();
  const ids = [await createImage(app), await createImage(app)].toReversed();
  const gengraph = createGengraph({ url: app.url, credential: 'sk-sandbox' });
  onTestFinished(() => gengraph.dispose());
  const client = new Client({ url: app.url, exchanges: urqlExchanges(gengraph), preferGetMethod: false });
  const read = async (after?: string) => {
    const { data } = await client
      .query(GenerationsDocument, after === undefined ? {} : { after })
      .toPromise();
    return data?.generations?.edges ?? [];
  };
  const [first] = await read();
  expect((await read(first?.cursor)).map(({ node }) => node.id)).toEqual(ids);
  expect((await read()).map(({ node }) => node.id)).toEqual(ids);

  const readVoices = async (after?: string | null) =>
    (await client.query(VoicesDocument, { first: 2, ...(after && { after }) }).toPromise()).data?.voices;
  const voices = await readVoices();
  expect((await readVoices(voices?.pageInfo.endCursor))?.edges).toHaveLength(4);
});

/** A urql client, and what its lists and its feed receive. */
function open(toList: (variables: SubscribePayload['variables']) => object) {
  let feed: Sink | undefined;
  const connection = {
    // The members of a client of graphql-ws that are used.
    subscribe({ query, variables }: SubscribePayload, sink: Sink) {
      if (query.includes('generationChanged')) feed = sink;
      else sink.next({ data: { generations: toList(variables) } });
      return () => {};
    },
  } as Connection;
  const client = new Client({ url: 'unused', exchanges: urqlExchanges({ client: connection }) });
  client.subscription(GenerationChangedDocument, {}).subscribe(() => {});
  const sendChange = () => feed?.next({ data: { generationChanged: change } });
  return { client, sendChange };
}

test('urql counts a new generation once in lists that differ only in their page size', async () => {
  const { client, sendChange } = open(() => ({ ...emptyList }));
  const totals: (number | undefined)[] = [];
  for (const [index, first] of [3, 5].entries())
    client
      .query(GenerationsDocument, { first })
      .subscribe(({ data }) => (totals[index] = data?.generations?.totalCount));
  await expect.poll(() => totals).toEqual([0, 0]);
  sendChange();
  await expect.poll(() => totals.includes(0)).toBe(false);
  expect(totals).toEqual([1, 1]);
});

test('the start and the end of a list are two lists of urql, and only the start gets new generations', async () => {
  const { client, sendChange } = open((variables) => {
    const id = variables?.['last'] ? 'last' : 'first';
    const pageInfo = { __typename: 'PageInfo', hasNextPage: id === 'first', hasPreviousPage: id === 'last' };
    const edge = { __typename: 'GenerationEdge', cursor: id, node: { __typename: 'Generation', id } };
    return { ...emptyList, edges: [edge], pageInfo };
  });
  const query = gql`
    query ($first: Int, $last: Int) {
      generations(first: $first, last: $last) {
        edges {
          cursor
          node {
            id
          }
        }
        pageInfo {
          hasNextPage
          hasPreviousPage
        }
      }
    }
  `;
  const lists: (readonly string[] | null)[] = [];
  for (const [index, variables] of [{ first: 1 }, { last: 1 }].entries())
    client
      .query(query, variables)
      .subscribe(({ data }) => (lists[index] = JSON.stringify(data).match(/(?<="id":")\w+/g)));
  await expect.poll(() => lists).toEqual([['first'], ['last']]);
  sendChange();
  await expect.poll(() => lists).toEqual([['g', 'first'], ['last']]);
});
