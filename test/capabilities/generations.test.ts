import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CreateChatCompletionDocument,
  GenerationDocument,
  GenerationsDocument,
  type GenerationFilter,
  NodesDocument,
  StartChatDocument,
} from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';

/** The text of the first choice of a chat's output. */
function textOf(
  output: { readonly choices?: readonly { readonly message: { readonly content: string | null } }[] } | null,
): string | null | undefined {
  return output?.choices?.[0]?.message.content;
}

const ask = (text: string, model = 'gpt-4o') =>
  ({ model, messages: [{ role: 'USER', content: { text } }], maxTokens: 3 }) as const;

const pageQuery = /* GraphQL */ `
  query (
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: GenerationFilter
    $orderBy: GenerationOrder
  ) {
    generations(
      first: $first
      after: $after
      last: $last
      before: $before
      filter: $filter
      orderBy: $orderBy
    ) {
      totalCount
      isTotalCapped
      edges {
        cursor
        node {
          id
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
`;

interface GenerationPage {
  readonly totalCount: number | null;
  readonly isTotalCapped: boolean | null;
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

describe('generations', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  const ids: string[] = [];
  beforeAll(async () => {
    app = await startApp();
    for (let index = 0; index < 25; index += 1) {
      const model = index % 5 === 0 ? 'o3' : 'gpt-4o';
      const { data } = await app.run(StartChatDocument, {
        input: ask(`question ${index}`, model),
        collection: index < 10 ? 'first ten' : null,
      });
      if (data?.startChat?.__typename !== 'Generation') throw new Error(JSON.stringify(data));
      ids.unshift(data.startChat.id);
    }
    await app.sandbox.activity.waitUntilIdle();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const list = async (variables: { first?: number; after?: string | null; filter?: GenerationFilter }) => {
    const { data, errors } = await app.run(GenerationsDocument, variables);
    expect(errors).toBeUndefined();
    return data?.generations;
  };

  const readPage = async (variables: object) => {
    const { data, errors } = await app.run<{ generations: GenerationPage }, object>(pageQuery, variables);
    if (!data || errors) throw new Error(JSON.stringify(errors));
    return data.generations;
  };

  test('are listed newest first, twenty per page by default, without gaps or duplicates across pages', async () => {
    expect((await list({}))?.edges.map(({ node }) => node.id)).toEqual(ids.slice(0, 20));
    const read: string[] = [];
    let after: string | null = null;
    for (let hasNext = true; hasNext;) {
      const page: Awaited<ReturnType<typeof list>> = await list({ first: 4, after });
      read.push(...(page?.edges.map(({ node }) => node.id) ?? []));
      hasNext = page?.pageInfo.hasNextPage ?? false;
      after = page?.pageInfo.endCursor ?? null;
    }
    expect(read).toEqual(ids);
  });

  test('accept at most 100 models in a filter', async () => {
    const models = Array.from({ length: 101 }, (_, index) => `m${index}`);
    const { errors } = await app.run(GenerationsDocument, { filter: { models } });
    expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
    expect((await list({ filter: { models: models.slice(1) } }))?.edges).toEqual([]);
  });

  test('page backwards from a cursor', async () => {
    const query = /* GraphQL */ `
      query ($last: Int, $before: String) {
        generations(last: $last, before: $before) {
          edges {
            cursor
            node {
              id
            }
          }
          pageInfo {
            hasPreviousPage
            hasNextPage
            startCursor
          }
        }
      }
    `;
    type Page = {
      generations: {
        edges: { cursor: string; node: { id: string } }[];
        pageInfo: { hasPreviousPage: boolean; hasNextPage: boolean; startCursor: string };
      };
    };
    const oldest = await app.run<Page, object>(query, { last: 4 });
    expect(oldest.data?.generations.edges.map(({ node }) => node.id)).toEqual(ids.slice(-4));
    expect(oldest.data?.generations.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    const before = await app.run<Page, object>(query, {
      last: 4,
      before: oldest.data?.generations.pageInfo.startCursor,
    });
    expect(before.data?.generations.edges.map(({ node }) => node.id)).toEqual(ids.slice(-8, -4));
  });

  test.each([
    ['DESC', (newest: readonly string[]) => newest],
    ['ASC', (newest: readonly string[]) => newest.toReversed()],
  ] as const)('are sorted %s in both paging directions, with each filter', async (direction, arrange) => {
    const orderBy = { direction };
    const first10 = ids.slice(15);
    for (const [filter, matches] of [
      [{}, ids],
      [{ kinds: ['CHAT'], collection: 'first ten' }, first10],
      [{ models: ['o3'] }, ids.filter((_id, index) => index % 5 === 4)],
      [{ createdBefore: '2000-01-01T00:00:00Z' }, []],
    ] as const) {
      const expected = arrange(matches);
      const forward: string[] = [];
      const backward: string[] = [];
      let [after, before]: (string | null)[] = [null, null];
      for (let hasMore = true; hasMore;) {
        const page = await readPage({ filter, orderBy, first: 4, after });
        expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
        forward.push(...page.edges.map(({ node }) => node.id));
        after = page.pageInfo.endCursor;
        hasMore = page.pageInfo.hasNextPage;
      }
      for (let hasMore = true; hasMore;) {
        const page = await readPage({ filter, orderBy, last: 4, before });
        expect(page.pageInfo.hasNextPage).toBe(before !== null);
        backward.unshift(...page.edges.map(({ node }) => node.id));
        before = page.pageInfo.startCursor;
        hasMore = page.pageInfo.hasPreviousPage;
      }
      expect(forward).toEqual(expected);
      expect(backward).toEqual(expected);
    }
    const [all, part] = [await readPage({ orderBy, first: 9 }), arrange(ids).slice(3, 6)];
    const between = { after: all.edges[2]?.cursor ?? null, before: all.edges[6]?.cursor ?? null };
    const inside = await readPage({ orderBy, first: 9, ...between });
    expect(inside.edges.map(({ node }) => node.id)).toEqual(part);
    // Both cursors name items, which are on neither page.
    const around = { hasNextPage: true, hasPreviousPage: true };
    expect(inside.pageInfo).toMatchObject(around);
    expect((await readPage({ orderBy, last: 9, ...between })).pageInfo).toMatchObject(around);
    const { pageInfo } = await readPage({ orderBy, before: between.before });
    expect(pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  test('have cursors for the same order only', async () => {
    const [desc, asc] = [
      await readPage({ first: 2 }),
      await readPage({ first: 2, orderBy: { direction: 'ASC' } }),
    ];
    const codeOf = async (variables: object) =>
      (await app.run(pageQuery, variables)).errors?.[0]?.extensions?.['code'];
    expect(await codeOf({ after: desc.pageInfo.endCursor, orderBy: { direction: 'DESC' } })).toBeUndefined();
    expect(
      await codeOf({ after: asc.pageInfo.endCursor, orderBy: { field: 'CREATED_AT', direction: 'ASC' } }),
    ).toBeUndefined();
    expect(await codeOf({ after: desc.pageInfo.endCursor, orderBy: null })).toBeUndefined();
    expect(await codeOf({ after: asc.pageInfo.endCursor })).toBe('BAD_REQUEST');
    expect(await codeOf({ before: asc.pageInfo.endCursor, last: 1 })).toBe('BAD_REQUEST');
    expect(await codeOf({ after: desc.pageInfo.endCursor, orderBy: { direction: 'ASC' } })).toBe(
      'BAD_REQUEST',
    );
  });

  test('are counted over all pages, with each filter', async () => {
    for (const [filter, totalCount] of [
      [{}, 25],
      [{ collection: 'first ten' }, 10],
      [{ models: ['o3'], statuses: ['SUCCEEDED'] }, 5],
      [{ kinds: ['SONG'] }, 0],
      [{ createdAfter: '2000-01-01T00:00:00Z', kinds: ['CHAT', 'SONG'] }, 25],
    ] as const)
      for (const page of [{ first: 0 }, { first: 2 }, { last: 1 }])
        expect(await readPage({ filter, ...page })).toMatchObject({ totalCount, isTotalCapped: false });
  });

  test('can be filtered by model, collection, status, kind and time together', async () => {
    expect((await list({ filter: { models: ['o3'] } }))?.edges).toHaveLength(5);
    expect((await list({ filter: { collection: 'first ten' } }))?.edges).toHaveLength(10);
    expect(
      (
        await list({
          filter: {
            collection: 'first ten',
            models: ['o3'],
            kinds: ['CHAT'],
            statuses: ['SUCCEEDED', 'RUNNING'],
          },
        })
      )?.edges,
    ).toHaveLength(2);
    expect((await list({ filter: { statuses: ['FAILED'] } }))?.edges).toHaveLength(0);
    expect((await list({ filter: { createdAfter: '2100-01-01T00:00:00Z' } }))?.edges).toHaveLength(0);
    expect((await list({ filter: { createdBefore: '2100-01-01T00:00:00Z' } }))?.edges).toHaveLength(20);
  });

  test('exclude those of other credentials', async () => {
    const other = await app.run(
      GenerationsDocument,
      {},
      { headers: { authorization: 'Bearer someone-else' } },
    );
    expect(other.data?.generations?.edges).toEqual([]);
    const nodes = await app.run(
      NodesDocument,
      { ids },
      { headers: { authorization: 'Bearer someone-else' } },
    );
    expect(nodes.data?.nodes).toEqual(ids.map(() => null));
  });

  test('reject invalid page sizes and cursors', async () => {
    const codeOf = async (query: string) => (await app.run(query)).errors?.[0]?.extensions?.['code'];
    expect(await codeOf('{ generations(first: 101) { edges { cursor } } }')).toBe('LIMIT_EXCEEDED');
    expect(await codeOf('{ generations(last: -1) { edges { cursor } } }')).toBe('BAD_REQUEST');
    expect(await codeOf('{ generations(first: 101, last: 1) { edges { cursor } } }')).toBeUndefined();
    expect(await codeOf('{ generations(after: "abc") { edges { cursor } } }')).toBe('BAD_REQUEST');
    const inCollection = (length: number) =>
      codeOf(`{ generations(filter: { collection: "${'a'.repeat(length)}" }) { edges { cursor } } }`);
    expect(await inCollection(201)).toBe('LIMIT_EXCEEDED');
    expect(await inCollection(200)).toBeUndefined();
    expect(await codeOf(`{ nodes(ids: [${'"x",'.repeat(101)}]) { id } }`)).toBe('LIMIT_EXCEEDED');
  });

  test('are read in one batch, in order, with duplicates', async () => {
    const { data } = await app.run(NodesDocument, {
      ids: [ids[3] ?? '', 'unknown', ids[1] ?? '', ids[3] ?? ''],
    });
    expect(data?.nodes?.map((node) => node?.id ?? null)).toEqual([ids[3], null, ids[1], ids[3]]);
  });
});

describe('a generation', () => {
  test('records its input, output and usage', async () => {
    await using app = await startApp();
    const made = await app.run(CreateChatCompletionDocument, { input: ask('What is a graph?') });
    if (made.data?.createChatCompletion?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
    const { id, output, usage } = made.data.createChatCompletion;
    const { data } = await app.run(GenerationDocument, { by: { id } });
    expect(data?.generation).toMatchObject({
      id,
      kind: 'CHAT',
      status: 'SUCCEEDED',
      prompt: 'What is a graph?',
      isTerminal: true,
      isCancelable: false,
      error: null,
    });
    expect(data?.generation?.output).toMatchObject({
      __typename: 'ChatCompletion',
      choices: [{ index: 0, message: { content: textOf(output) }, finishReason: 'length' }],
    });
    expect(usage?.totalTokens).toBe((usage?.promptTokens ?? 0) + (usage?.completionTokens ?? 0));
  });

  test('shows the request with inline media replaced by size and hash', async () => {
    await using app = await startApp();
    const url = `data:image/png;base64,${Buffer.alloc(3000, 1).toString('base64')}`;
    const input = {
      model: 'gpt-4o',
      messages: [{ role: 'USER', content: { parts: [{ text: 'Look' }, { imageUrl: { url } }] } }],
    } as const;
    const { data } = await app.run<
      { createChatCompletion: { input: unknown; output: { messages: unknown } } },
      object
    >(
      /* GraphQL */ `
        mutation ($input: ChatInput!) {
          createChatCompletion(input: $input) {
            ... on Generation {
              input
              prompt
              output {
                ... on ChatCompletion {
                  messages {
                    role
                    content
                    parts {
                      __typename
                      ... on ChatTextPart {
                        text
                      }
                      ... on ChatImagePart {
                        url
                      }
                    }
                  }
                }
              }
            }
          }
        }
      `,
      { input },
    );
    expect(JSON.stringify(data)).not.toContain(url.slice(40, 400));
    expect(JSON.stringify(data)).toMatch(/data:image\/png;base64: 3000 bytes, sha256 [\da-f]{64}/);
    expect(data?.createChatCompletion).toMatchObject({
      prompt: 'Look',
      output: {
        messages: [
          {
            role: 'USER',
            content: null,
            parts: [{ __typename: 'ChatTextPart', text: 'Look' }, { __typename: 'ChatImagePart' }],
          },
        ],
      },
    });
  });
});
