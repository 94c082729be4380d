import { gql } from '@apollo/client';
import { expect, test } from 'vitest';
import { applyFeedEvent, createApolloCache } from '../../src/client/apollo/index.ts';

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

type Part = Readonly<Record<string, unknown>>;

const viewer = { __typename: 'Viewer' };
const usage = { __typename: 'GenerationUsage' };
const metrics = { __typename: 'GenerationMetrics' };
const failure = { __typename: 'GenerationFailure', code: 'INTERRUPTED' };
const file = { __typename: 'Asset', url: 'https://a.example/1.png' };

const parts: readonly (readonly [string, Part, Part, boolean])[] = [
  ['viewer', { ...viewer, owner: 'o' }, { ...viewer, scopes: [] }, true],
  ['usage', { ...usage, totalTokens: 3 }, { ...usage, promptTokens: 1 }, true],
  ['metrics', { ...metrics, totalMs: 3 }, { ...metrics, firstTokenMs: 1 }, true],
  ['error', { ...failure, message: 'm' }, { ...failure, retry: 'SAFE' }, true],
  ['error', { ...failure, message: 'm' }, { ...failure, code: 'STREAM_CUT' }, false],
  ['assets', { ...file, kind: 'IMAGE' }, { ...file, width: 9 }, true],
  ['assets', { ...file, kind: 'IMAGE' }, { ...file, url: 'https://a.example/2.png' }, false],
];

test.each(parts)(
  'what one document selected of %s, %j, is kept beside %j of another: %s',
  (name, part, other, isKept) => {
    const cache = createApolloCache();
    const write = (value: Part) => {
      const selection = `${name} { ${Object.keys(value).join(' ')} }`;
      const query = gql(
        name === 'viewer' ? `{ ${selection} }` : `{ generation(by: { id: "g" }) { id ${selection} } }`,
      );
      const written = name === 'assets' ? [value] : value;
      const generation = { __typename: 'Generation', id: 'g', [name]: written };
      cache.writeQuery({ query, data: { viewer: written, generation } });
      return query;
    };
    const query = write(part);
    expect(cache.readQuery({ query: write(other) })).not.toBeNull();
    expect(cache.readQuery({ query }) !== null).toBe(isKept);
  },
);

test('the start and the end of a list are two lists of Apollo Client, and only the start gets new generations', () => {
  const cache = createApolloCache();
  const read = ['first', 'last'].map((size) => {
    const query = gql(
      `{ generations(${size}: 1) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } } }`,
    );
    const pageInfo = { hasNextPage: size === 'first', hasPreviousPage: size === 'last' };
    const edges = [{ cursor: size, node: { __typename: 'Generation', id: size } }];
    cache.writeQuery({ query, data: { generations: { edges, pageInfo } } });
    return () => JSON.stringify(cache.readQuery({ query })).match(/(?<="id":")\w+/g);
  });
  expect(read.map((ids) => ids())).toEqual([['first'], ['last']]);
  // The lists select no times.
  const generation = { __typename: 'Generation', id: 'new', createdAt: '2026-11-20T16:00:00.000Z' };
  cache.writeFragment({ fragment: gql('fragment New on Generation { id createdAt }'), data: generation });
  applyFeedEvent(cache, {
    __typename: 'GenerationChanged',
    cursor: 'd',
    generationId: 'new',
    matchesFilter: true,
    generation,
  });
  expect(read.map((ids) => ids())).toEqual([['new', 'first'], ['last']]);
});
