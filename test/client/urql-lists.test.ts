import { Client } from '@urql/core';
import { expect, onTestFinished, test } from 'vitest';
import { GenerationsDocument, VoicesDocument } from '../../src/client/documents.generated.ts';
import { createGengraph } from '../../src/client/gengraph.ts';
import { urqlExchanges } from '../../src/client/urql/index.ts';
import { startApp } from '../support/app.ts';
import { createImage } from '../support/files.ts';

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
