import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { VoicesDocument, type VoiceFilter } from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

const voicesPath = '/videoa/v1/general/presets-voices';

interface Listed {
  readonly voiceId: string;
  readonly name: string;
  readonly language: string;
  readonly gender: string;
  readonly raw: { readonly style: string };
}

interface List {
  readonly voices: {
    readonly totalCount: number;
    readonly isTotalCapped: boolean;
    readonly edges: readonly { readonly cursor: string; readonly node: Listed }[];
    readonly pageInfo: {
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
      readonly endCursor: string | null;
    };
  };
}

const document = /* GraphQL */ `
  query ($filter: VoiceFilter, $first: Int, $after: String) {
    voices(filter: $filter, first: $first, after: $after) {
      totalCount
      isTotalCapped
      edges {
        cursor
        node {
          voiceId
          name
          language
          gender
          raw
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        endCursor
      }
    }
  }
`;

interface Search {
  readonly filter?: VoiceFilter | null;
  readonly first?: number;
  readonly after?: string | null;
}

describe('voices with a filter', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  let all: readonly Listed[] = [];
  beforeAll(async () => {
    app = await startApp();
    all = await readAll({});
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const find = async (search: Search) => {
    const { data, errors } = await app.run<List, Search>(document, search);
    if (!data || errors) throw new Error(JSON.stringify(errors));
    return data.voices;
  };
  const readAll = async (filter: VoiceFilter | null, first = 100): Promise<readonly Listed[]> => {
    const found: Listed[] = [];
    let after: string | null = null;
    for (;;) {
      const page: List['voices'] = await find({ filter, first, after });
      expect(page.pageInfo.hasPreviousPage).toBe(after !== null);
      found.push(...page.edges.map(({ node }) => node));
      if (!page.pageInfo.hasNextPage) return found;
      expect(page.edges).toHaveLength(first);
      after = page.pageInfo.endCursor;
    }
  };
  const codeOf = async (search: object) =>
    (await app.run(document, search)).errors?.[0]?.extensions?.['code'];

  const isIn = (languages: readonly string[]) => (voice: Listed) => languages.includes(voice.language);
  const cases: readonly (readonly [string, VoiceFilter, (voice: Listed) => boolean])[] = [
    ['a language', { languages: ['en-GB'] }, isIn(['en-GB'])],
    ['languages in another case', { languages: ['EN-gb', ' zh-cn '] }, isIn(['en-GB', 'zh-CN'])],
    ['a language with all its regions', { languages: ['en'] }, (voice) => voice.language.startsWith('en-')],
    ['a gender', { genders: ['FEMALE'] }, ({ gender }) => gender === 'female'],
    ['several genders', { genders: ['male', 'neutral'] }, ({ gender }) => gender !== 'female'],
    ['a name', { query: 'aVa' }, ({ name }) => name.toLowerCase().includes('ava')],
    ['a word of the style', { query: 'narrator' }, ({ raw }) => raw.style.includes('narrator')],
    [
      'all words, in any order',
      { query: '  Calm   CLEAR ' },
      ({ raw }) => raw.style.includes('calm') && raw.style.includes('clear'),
    ],
    [
      'everything together',
      { languages: ['en', 'ja'], genders: ['male'], query: 'a' },
      ({ language, gender, name, raw }) =>
        /^(en|ja)-/.test(language) && gender === 'male' && `${name} ${raw.style}`.toLowerCase().includes('a'),
    ],
  ];
  test.each(cases)(
    'by %s contain exactly the matches, in the order of the catalog',
    async (_name, filter, isMatch) => {
      const expected = all.filter(isMatch);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
      for (const first of [3, 20, 100]) expect(await readAll(filter, first)).toEqual(expected);
      expect(await find({ filter, first: 1 })).toMatchObject({
        totalCount: expected.length,
        isTotalCapped: false,
      });
    },
  );

  test('match nothing for an empty list, an unknown value or part of a language', async () => {
    for (const filter of [
      { languages: [] },
      { genders: [], query: 'a' },
      { languages: ['xx'] },
      { languages: ['e'] },
      { languages: [''] },
      { query: 'no such words' },
    ]) {
      expect(await find({ filter })).toEqual({
        totalCount: 0,
        isTotalCapped: false,
        edges: [],
        pageInfo: { hasNextPage: false, hasPreviousPage: false, endCursor: null },
      });
    }
  });

  test('are all voices for an empty filter', async () => {
    for (const filter of [null, {}, { query: '  ' }, { languages: null, genders: null, query: null }])
      expect(await readAll(filter)).toEqual(all);
    expect((await find({ first: 3 })).totalCount).toBe(all.length);
  });

  test('have cursors for the same filter only', async () => {
    const filter = { languages: ['en', 'ja'], query: 'a b' };
    const { endCursor: after } = (await find({ filter, first: 2 })).pageInfo;
    const same = { languages: ['JA', 'en', 'ja'], query: 'B  a' };
    expect((await find({ filter: same, after })).edges).toEqual((await find({ filter, after })).edges);
    expect(await codeOf({ after })).toBe('BAD_REQUEST');
    expect(await codeOf({ after, filter: {} })).toBe('BAD_REQUEST');
    expect(await codeOf({ after, filter: { ...filter, query: 'a' } })).toBe('BAD_REQUEST');
    expect(await codeOf({ after, filter: { ...filter, genders: [] } })).toBe('BAD_REQUEST');
    const { endCursor: plain } = (await find({ first: 2 })).pageInfo;
    expect(await codeOf({ after: plain, filter })).toBe('BAD_REQUEST');
    expect((await find({ after: plain, filter: {} })).edges.map(({ node }) => node)).toEqual(
      all.slice(2, 22),
    );
    const altered = (members: readonly unknown[]) =>
      codeOf({ after: Buffer.from(JSON.stringify(members)).toString('base64url') });
    expect(await altered(['voices', '', 20, 1, 0, 0])).toBeUndefined();
    expect(await altered(['voices', '', 101, 1, 0, 0])).toBe('BAD_REQUEST');
    expect(await altered(['voices', '', 20, 0, 0, 0])).toBe('BAD_REQUEST');
    expect(await altered(['voices', '', 20, 1, -1, 0])).toBe('BAD_REQUEST');
    expect(await altered(['voices', '', 20, 1, 0])).toBe('BAD_REQUEST');
    expect(await altered(['others', '', 20, 1, 0, 0])).toBe('BAD_REQUEST');
  });

  test('accept filters up to a limit', async () => {
    const values = Array.from({ length: 101 }, (_, index) => `l${index}`);
    expect(await codeOf({ filter: { languages: values } })).toBe('LIMIT_EXCEEDED');
    expect(await codeOf({ filter: { genders: values } })).toBe('LIMIT_EXCEEDED');
    for (const text of ['a'.repeat(201), '😀'.repeat(201), 'a'.repeat(500_000)])
      for (const filter of [{ query: text }, { languages: [text] }, { genders: ['a', text] }])
        expect(await codeOf({ filter })).toBe('LIMIT_EXCEEDED');
    expect(await codeOf({ filter: { languages: values.slice(1), query: '😀'.repeat(200) } })).toBeUndefined();
  });

  test('share one read of the catalog while it is cached, per credential', async () => {
    await using fresh = await startApp();
    const filters = cases.map(([, filter]) => filter);
    await Promise.all(filters.map((filter) => fresh.run(document, { filter, first: 1 })));
    const pages = Math.ceil(all.length / 100) + 1;
    expect(fresh.sandbox.activity.requests(voicesPath)).toHaveLength(pages);
    await fresh.run(document, { filter: filters[0] });
    expect(fresh.sandbox.activity.requests(voicesPath)).toHaveLength(pages);
    const other = await fresh.run(
      document,
      { filter: filters[0] },
      { headers: { authorization: 'Bearer sk-wrong' } },
    );
    expect(other.errors?.[0]?.extensions).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('do not add reads to a list without a filter: a page costs one read', async () => {
    await using fresh = await startApp();
    await fresh.run('{ voices(first: 20) { edges { node { voiceId } } } }');
    expect(fresh.sandbox.activity.requests(voicesPath)).toHaveLength(1);
  });
});

test('a filter matches every common form of texts and tags, and ignores variants of characters', async () => {
  const list = [
    { voice_id: 'a', voice_name: 'One', description: 'Ｗide café' },
    { voice_id: 'b', name: 'Two', tags: ['Wide', 5, 'CAFE\u0301'] },
    { voice_id: 'c', name: 'Wide', labels: 'café', language: 'pt_BR', gender: 'Female' },
    { voice_id: 'd', name: 'Four', tags: { wide: 'café' }, language: 5, gender: null },
  ];
  const gateway = await startFakeGateway((_request, response) => sendJson(response, { data: list }));
  await using app = await startApp({ gatewayUrl: gateway.url });
  const find = async (filter: VoiceFilter) => {
    const { data } = await app.run<List, Search>(document, { filter });
    return data?.voices.edges.map(({ node }) => node.voiceId);
  };
  expect(await find({ query: 'CAFÉ wide' })).toEqual(['a', 'b', 'c']);
  expect(await find({ languages: ['pt-BR'] })).toEqual(['c']);
  expect(await find({ languages: ['PT'], genders: ['female'] })).toEqual(['c']);
  expect((await app.run(VoicesDocument, { first: 4 })).data?.voices?.edges).toHaveLength(4);
});
