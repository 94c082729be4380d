import { gql } from '@apollo/client';
import { expect, test } from 'vitest';
import { createApolloCache } from '../../src/client/apollo/index.ts';

const page = 'edges { node { id } } pageInfo { endCursor }';

test.each([
  ['voices', `voices(first: 1, after: $after, filter: { query: "a" }) { ${page} }`],
  ['access tokens', `accessTokens(first: 1, after: $after) { ${page} }`],
  ['continuations', `generation(by: { id: "g" }) { id continuations(after: $after) { ${page} } }`],
])('the cache of Apollo Client adds the next page of %s to the list', (_name, field) => {
  const cache = createApolloCache();
  const query = gql(`query ($after: String) { ${field} }`);
  const toData = (...ids: readonly string[]) => {
    const edges = ids.map((id) => ({ node: { __typename: 'Voice', id } }));
    const connection = { edges, pageInfo: { endCursor: ids.at(-1) } };
    return {
      voices: connection,
      accessTokens: connection,
      generation: { __typename: 'Generation', id: 'g', continuations: connection },
    };
  };
  cache.writeQuery({ query, data: toData('a') });
  cache.writeQuery({ query, variables: { after: 'a' }, data: toData('b') });
  const data = cache.readQuery<object>({ query });
  expect(toData('a', 'b')).toMatchObject(data ?? {});
  expect(JSON.stringify(data)).toContain('"b"');
});
