import type { ExecutionResult } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { sandboxKey } from '../support/app.ts';
import { ask } from '../support/chats.ts';
import { startFakeMusic } from '../support/fake-music.ts';
import { startApolloGateway } from '../support/federation/apollo-gateway.ts';
import { type Federation, startFederation } from '../support/federation/federation.ts';
import { type RunningGateway, startHiveGateway } from '../support/federation/hive-gateway.ts';
import { codeOf, postJson } from '../support/http.ts';

const gateways = [
  ['Apollo’s JavaScript gateway', startApolloGateway],
  ['Hive Gateway', startHiveGateway],
] as const;

type Result<Data> = ExecutionResult<Data>;
type Headers = Readonly<Record<string, string>>;

async function run<Data>(
  { url }: RunningGateway,
  query: string,
  { variables, headers = sandboxKey }: { variables?: object; headers?: Headers } = {},
): Promise<Result<Data>> {
  const reply = await postJson(url, { query, variables }, headers);
  return reply.json as Result<Data>; // The query determines the type.
}

const createQuery = /* GraphQL */ `
  mutation Create($input: ChatInput!) {
    createChatCompletion(input: $input) {
      __typename
      ... on Generation {
        id
        prompt
        stars
        headline
        output {
          ... on ChatCompletion {
            choices {
              message {
                content
              }
            }
          }
        }
      }
      ... on GengraphError {
        code
      }
      ... on InvalidInputError {
        issues {
          path
        }
      }
    }
  }
`;

interface Created {
  readonly createChatCompletion: {
    readonly __typename: string;
    readonly id: string;
    readonly code?: string;
    readonly output?: unknown;
  };
}

describe.each(gateways)('behind %s', (_name, start) => {
  let federation: Federation;
  let gateway: RunningGateway;
  beforeAll(async () => {
    federation = await startFederation();
    gateway = await start(federation.supergraph);
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await federation[Symbol.asyncDispose]();
  });

  const create = async (text: string): Promise<string> => {
    const { data, errors } = await run<Created>(gateway, createQuery, { variables: { input: ask(text) } });
    expect(errors).toBeUndefined();
    return data?.createChatCompletion.id ?? '';
  };

  test('a create with a @oneOf input returns its generation with fields of the other subgraph', async () => {
    const { data, errors } = await run<Created>(gateway, createQuery, { variables: { input: ask('Hello') } });
    expect(errors).toBeUndefined();
    expect(data?.createChatCompletion).toMatchObject({
      __typename: 'Generation',
      prompt: 'Hello',
      stars: null,
      headline: 'About “Hello”',
      output: { choices: [{ message: { content: expect.stringMatching(/\w/) } }] },
    });
  });

  test('an expected failure is the same union member, and two members of a @oneOf are rejected', async () => {
    const refused = await run<Created>(gateway, createQuery, {
      variables: { input: ask('Hello', { temperature: 9 }) },
    });
    expect(refused).toEqual({
      data: {
        createChatCompletion: {
          __typename: 'InvalidInputError',
          code: 'INVALID_INPUT',
          issues: [{ path: ['input', 'temperature'] }],
        },
      },
    });
    const both = { role: 'USER', content: { text: 'a', parts: [] } };
    const { data, errors } = await run<Created>(gateway, createQuery, {
      variables: { input: { model: 'gpt-4o', messages: [both] } },
    });
    // The field is nullable, so a gateway may return the error in addition to it.
    expect(data?.createChatCompletion ?? null).toBeNull();
    expect(errors?.[0]?.message).toMatch(/Exactly one key must be specified .*ChatContentInput/);
  });

  test('queries cross from Gengraph to the other subgraph and back', async () => {
    const id = await create('Crossing');
    const task = packId('task', ['ANIMATION', 'a-1']);
    federation.reviewsSubgraph.reviews.splice(0);
    federation.reviewsSubgraph.reviews.push(
      { id: 'review_0', stars: 4, generation: id },
      { id: 'review_1', stars: 2, task, voice: packId('voice', ['preset', 'en-us-ava']) },
    );
    const there = await run(
      gateway,
      `{ generation(by: { id: "${id}" }) { kind stars headline } task(id: "${task}") { tracking stars headline } }`,
    );
    expect(there).toEqual({
      data: {
        generation: { kind: 'CHAT', stars: 4, headline: 'About “Crossing”' },
        task: { tracking: 'NOT_TRACKABLE', stars: 2, headline: 'About a-1' },
      },
    });
    const back = await run(
      gateway,
      `{ reviews { edges { node { stars generation { prompt status stars } task { kind upstreamId headline } reader { name } } } pageInfo { hasNextPage } } usage { reviews } }`,
    );
    expect(back).toEqual({
      data: {
        reviews: {
          edges: [
            {
              node: {
                stars: 4,
                generation: { prompt: 'Crossing', status: 'SUCCEEDED', stars: 4 },
                task: null,
                reader: null,
              },
            },
            {
              node: {
                stars: 2,
                generation: null,
                task: { kind: 'ANIMATION', upstreamId: 'a-1', headline: 'About a-1' },
                reader: { name: 'Ava' },
              },
            },
          ],
          pageInfo: { hasNextPage: false },
        },
        usage: { reviews: 2 },
      },
    });
    // Served by the other subgraph for its own entities.
    const node = await run(
      gateway,
      '{ node(id: "review_0") { id ... on Review { stars generation { prompt } } } }',
    );
    expect(node).toEqual({
      data: { node: { id: 'review_0', stars: 4, generation: { prompt: 'Crossing' } } },
    });
  });

  test('a mutation of the other subgraph returns fields of Gengraph', async () => {
    const id = await create('Reviewed');
    const query = `mutation ($stars: Int!) { review(subject: "${id}", stars: $stars) { __typename ... on Review { stars generation { prompt status stars } } ... on Error { message } } }`;
    expect(await run(gateway, query, { variables: { stars: 5 } })).toEqual({
      data: {
        review: {
          __typename: 'Review',
          stars: 5,
          generation: { prompt: 'Reviewed', status: 'SUCCEEDED', stars: 5 },
        },
      },
    });
    expect(await run(gateway, query, { variables: { stars: 6 } })).toEqual({
      data: { review: { __typename: 'Error', message: 'At most 5 stars.' } },
    });
  });

  test('errors of root fields and entities keep their codes', async () => {
    const query = '{ generations(first: 500) { pageInfo { hasNextPage } } }';
    expect(codeOf(await run(gateway, query))).toBe('LIMIT_EXCEEDED');
    expect(codeOf(await run(gateway, query, { headers: {} }))).toBe('UNAUTHENTICATED');
    federation.reviewsSubgraph.reviews.splice(0);
    federation.reviewsSubgraph.reviews.push({ id: 'review_0', stars: 1, generation: await create('Hidden') });
    const reviews = '{ reviews { edges { node { stars generation { status } } } } }';
    const { data, errors } = await run(gateway, reviews, { headers: {} });
    expect(data).toEqual({ reviews: { edges: [{ node: { stars: 1, generation: null } }] } });
    expect(new Set(errors?.map(({ extensions }) => extensions?.['code']))).toEqual(
      new Set(['UNAUTHENTICATED']),
    );
  });

  test('the credential is forwarded: for other callers the same reference is null', async () => {
    federation.reviewsSubgraph.reviews.splice(0);
    federation.reviewsSubgraph.reviews.push({ id: 'review_0', stars: 1, generation: await create('Mine') });
    const reviews = '{ reviews { edges { node { generation { prompt status } } } } }';
    const toResult = (generation: object | null) => ({
      data: { reviews: { edges: [{ node: { generation } }] } },
    });
    expect(await run(gateway, reviews)).toEqual(toResult({ prompt: 'Mine', status: 'SUCCEEDED' }));
    const others: readonly Headers[] = [
      { authorization: 'Bearer sk-other' },
      { ...sandboxKey, 'x-end-user': 'bob' },
    ];
    // Some gateways add their own error, because the field is non-null in the schema.
    for (const headers of others)
      expect((await run(gateway, reviews, { headers })).data).toEqual(toResult(null).data);
    expect(federation.reviewsSubgraph.requests.at(-1)).toMatchObject({ 'x-end-user': 'bob' });
  });

  test('concurrent callers of the same query each get their own data', async () => {
    await create('Of one of them');
    const query = '{ generations { edges { node { prompt } } } }';
    type Data = { readonly generations: { readonly edges: readonly unknown[] } };
    const counts = await Promise.all(
      ['Bearer sk-other', sandboxKey.authorization, 'Bearer sk-other'].map(async (authorization) => {
        const { data } = await run<Data>(gateway, query, { headers: { authorization } });
        return data?.generations.edges.length;
      }),
    );
    expect([counts[0], counts[2]]).toEqual([0, 0]);
    expect(counts[1]).toBeGreaterThan(0);
  });

  test('100 tasks referenced by the other subgraph cost one request', async () => {
    const music = await startFakeMusic();
    await using own = await startFederation({ gatewayUrl: music.url });
    await using running = await start(own.supergraph);
    for (let index = 0; index < 100; index += 1) {
      own.reviewsSubgraph.reviews.push({
        id: `review_${index}`,
        stars: 3,
        task: packId('task', ['SONG', `up-${index}`]),
      });
    }
    const query = '{ reviews { edges { node { task { status stars headline } } } } }';
    const { data, errors } = await run<{ reviews: { edges: readonly unknown[] } }>(running, query);
    expect(errors).toBeUndefined();
    expect(data?.reviews.edges).toHaveLength(100);
    expect(data?.reviews.edges[99]).toEqual({
      node: { task: { status: 'RUNNING', stars: 3, headline: 'About up-99' } },
    });
    expect(music.fetches.map(({ length }) => length)).toEqual([100]);
  });
});

test('introspection through Hive Gateway shows @oneOf inputs and @specifiedBy URLs', async () => {
  await using federation = await startFederation();
  await using gateway = await startHiveGateway(federation.supergraph);
  const query = `{ input: __type(name: "ChatContentInput") { isOneOf description } scalar: __type(name: "DateTime") { specifiedByURL } }`;
  expect(await run(gateway, query)).toEqual({
    data: {
      input: { isOneOf: true, description: expect.stringMatching(/\w/) },
      scalar: { specifiedByURL: 'https://scalars.graphql.org/andimarek/date-time.html' },
    },
  });
});
