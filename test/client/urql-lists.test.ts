import { Client } from '@urql/core';
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

test('urql counts a new generation once in lists that differ only in their page size', async () => {
  let feed: Sink | undefined;
  const connection = {
    // The members of a client of graphql-ws that are used.
    subscribe({ query }: SubscribePayload, sink: Sink) {
      if (query.includes('generationChanged')) feed = sink;
      else sink.next({ data: { generations: { ...emptyList } } });
      return () => {};
    },
  } as Connection;
  const client = new Client({ url: 'unused', exchanges: urqlExchanges({ client: connection }) });
  const totals: (number | undefined)[] = [];
  for (const [index, first] of [3, 5].entries())
    client
      .query(GenerationsDocument, { first })
      .subscribe(({ data }) => (totals[index] = data?.generations?.totalCount));
  client.subscription(GenerationChangedDocument, {}).subscribe(() => {});
  await expect.poll(() => [totals, feed]).toEqual([[0, 0], expect.anything()]);
  feed?.next({ data: { generationChanged: change } });
  await expect.poll(() => totals.includes(0)).toBe(false);
  expect(totals).toEqual([1, 1]);
});
