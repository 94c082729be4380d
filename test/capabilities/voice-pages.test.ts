import { LRUCache } from 'lru-cache';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readVoicePage } from '../../src/capabilities/voice/client.ts';
import { FindVoicesDocument, VoiceDocument, VoicesDocument } from '../../src/client/documents.generated.ts';
import type { Gateway } from '../../src/gateway/gateway.ts';
import { packId } from '../../src/lib/ids.ts';
import { parseJson } from '../../src/lib/json.ts';
import { startApp } from '../support/app.ts';
import { readAllVoices } from '../support/voices.ts';
import { type FakeGateway, sendJson, startFakeGateway } from '../support/fake-gateway.ts';

type Reply = (page: number, size: number) => unknown;

/** A gateway whose catalog replies are a function of page number and page size. */
function startCatalog(reply: Reply): Promise<FakeGateway> {
  return startFakeGateway((request, response) => {
    const query = new URL(request.url ?? '', 'http://gateway').searchParams;
    const body = reply(Number(query.get('pageNum')), Number(query.get('pageSize')));
    sendJson(response, body);
  });
}

const entry = (index: number) => ({ voice_id: `v${index}`, voice_name: `Voice ${index}` });
const entries = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => entry(from + index));
const total = 23;
const all = entries(0, total).map(({ voice_id }) => voice_id);

/** A slice of the catalog by numbered pages of this size. */
const slice = (page: number, size: number) =>
  entries(Math.min(total, (page - 1) * size), Math.min(total, page * size));

/** Pages of these sizes, for any requested size. */
const sizes = [3, 1, 10, 2, 7];
const uneven = (page: number) => {
  const from = sizes.slice(0, page - 1).reduce((sum, size) => sum + size, 0);
  return entries(from, from + (sizes[page - 1] ?? 0));
};

const gateways: Readonly<Record<string, Reply>> = {
  'exact pages without a total': (page, size) => ({ data: slice(page, size) }),
  'at most 7 per page, without a total': (page, size) => ({ data: slice(page, Math.min(size, 7)) }),
  'at most 7 per page, with a total': (page, size) => ({
    data: { list: slice(page, Math.min(size, 7)), total },
  }),
  'pages of varying size': (page) => ({ data: uneven(page) }),
  'pages of varying size, with a total': (page) => ({ data: { records: uneven(page), total } }),
  'the size of each page as its total': (page, size) => {
    const list = slice(page, Math.min(size, 7));
    return { data: { list, total: list.length } };
  },
  'a total of 0': (page, size) => ({ data: { list: slice(page, Math.min(size, 7)), total: 0 } }),
  'the last page again for every later number': (page, size) => ({
    data: slice(Math.min(page, Math.ceil(total / Math.min(size, 7))), Math.min(size, 7)),
  }),
  'the first page again for every later number': (page, size) => {
    const found = slice(page, Math.min(size, 7));
    return { data: found.length > 0 ? found : slice(1, Math.min(size, 7)) };
  },
  'the whole catalog on every page': () => ({ data: entries(0, total) }),
  'entries without an id': (page, size) => ({
    data: slice(page, Math.min(size, 7)).flatMap((voice) => [{}, voice, null]),
  }),
  'a page whose entries have no id': (page) => ({
    data: page === 2 ? [{}, {}] : uneven(page > 2 ? page - 1 : page),
  }),
  'no list after the last page': (page, size) => {
    const list = slice(page, size);
    return { code: 0, data: list.length > 0 ? { list } : { page } };
  },
  'null after the last page': (page, size) => {
    const list = slice(page, size);
    return { code: 0, data: list.length > 0 ? list : null };
  },
};

describe('the pages of a gateway that sends', () => {
  test.each(Object.keys(gateways))('%s make one list without gaps, duplicates or loops', async (name) => {
    const gateway = await startCatalog(gateways[name] ?? (() => null));
    await using app = await startApp({ gatewayUrl: gateway.url });
    for (const first of [1, 4, 7, 20, 23, 100])
      expect(await readAllVoices(app, first), `first: ${first}`).toEqual(all);
  });

  test.each(Object.keys(gateways))('%s can be searched and counted', async (name) => {
    const gateway = await startCatalog(gateways[name] ?? (() => null));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const last = await app.run(VoiceDocument, { id: packId('voice', ['preset', 'v22']) });
    expect(last.data?.voice).toMatchObject({ voiceId: 'v22' });
    const found = await app.run(FindVoicesDocument, { filter: { query: 'voice 2' }, first: 3 });
    // v2, v12 and v20 to v22.
    expect(found.data?.voices).toMatchObject({
      totalCount: 5,
      isTotalCapped: false,
      edges: ['v2', 'v12', 'v20'].map((voiceId) => ({ node: { voiceId } })),
      pageInfo: { hasNextPage: true },
    });
    expect((await app.run(FindVoicesDocument, { first: 2 })).data?.voices).toMatchObject({
      totalCount: total,
      isTotalCapped: false,
    });
  });

  test('its total need no further request for the last page or a count', async () => {
    const gateway = await startCatalog((page, size) => ({ data: { list: slice(page, size), total } }));
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect(await readAllVoices(app, 20)).toEqual(all);
    expect(gateway.requests).toHaveLength(2);
    await app.run(FindVoicesDocument, { first: 20 });
    expect(gateway.requests).toHaveLength(2);
  });
});

test('a page of more entries than any catalog has is refused before they are read', async () => {
  const ids = Array.from({ length: 50_001 }, (_, index) => `v${index}`);
  const tasks = [ids.slice(0, 25_000), ids.slice(25_000)].map((voices) => ({ task_result: { voices } }));
  let data: readonly unknown[] = ids.slice(1);
  const gateway = await startCatalog(() => ({ data }));
  await using app = await startApp({ gatewayUrl: gateway.url });
  expect((await app.run(FindVoicesDocument, { first: 0 })).data?.voices?.totalCount).toBe(10_000);
  for (const page of [ids, tasks]) {
    data = page;
    const message = expect.stringContaining('one page has more than 50000 entries');
    const { errors } = await app.run(
      VoicesDocument,
      { first: 7 },
      { headers: { authorization: 'Bearer other' } },
    );
    expect(errors).toEqual([expect.objectContaining({ message })]);
  }
});

describe('a catalog without an end', () => {
  const endless: Reply = (page, size) => ({ data: entries((page - 1) * size, page * size) });

  test('is searched to its 10,000th voice, by concurrent clients together', async () => {
    const gateway = await startCatalog(endless);
    await using app = await startApp({ gatewayUrl: gateway.url });
    const variables = { filter: { query: 'v' }, first: 0 };
    const none = { filter: { query: 'none' }, first: 5 };
    const lists = await Promise.all(
      [variables, variables, none, none].map(
        async (search) => (await app.run(FindVoicesDocument, search)).data?.voices,
      ),
    );
    expect(lists.map((list) => list?.totalCount)).toEqual([10_000, 10_000, 0, 0]);
    expect(lists.map((list) => list?.isTotalCapped)).toEqual([true, true, true, true]);
    expect(lists[2]).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    expect((await app.run(VoiceDocument, { id: 'v20000' })).data).toEqual({ voice: null });
    expect((await app.run(FindVoicesDocument, { first: 0 })).data?.voices).toMatchObject({
      totalCount: 10_000,
      isTotalCapped: true,
    });
    expect(gateway.requests.length).toBeLessThanOrEqual(101);
  });

  test('has a capped count if its pages do not divide 10,000', async () => {
    const gateway = await startCatalog((page) => endless(page, 150));
    await using app = await startApp({ gatewayUrl: gateway.url });
    for (const filter of [null, { query: 'v' }]) {
      const { data } = await app.run(FindVoicesDocument, { filter, first: 0 });
      expect(data?.voices).toMatchObject({ totalCount: 10_000, isTotalCapped: true });
    }
  });

  test('can be paged beyond that', async () => {
    const gateway = await startCatalog((page, size) => endless(page + 200, size));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data } = await app.run(VoicesDocument, { first: 100 });
    expect(data?.voices?.pageInfo.hasNextPage).toBe(true);
    const next = await app.run(VoicesDocument, {
      first: 100,
      after: data?.voices?.pageInfo.endCursor ?? null,
    });
    expect(next.data?.voices?.edges[0]?.node.voiceId).toBe('v20100');
  });

  test('has a capped count if the gateway reports a higher total', async () => {
    const gateway = await startCatalog((page, size) => ({
      data: { list: entries((page - 1) * size, page * size), total: 12_000 },
    }));
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect((await app.run(FindVoicesDocument, { first: 0 })).data?.voices).toMatchObject({
      totalCount: 10_000,
      isTotalCapped: true,
    });
    expect(gateway.requests).toHaveLength(1);
  });
});

describe('callers that get the same catalog', () => {
  const query = '{ voices(first: 1) { edges { node { voiceId raw } } } }';
  const startFor = async (toEntry: (authorization: string) => object) => {
    const gateway = await startFakeGateway((request, response) => {
      const data = [toEntry(request.headers.authorization ?? '')];
      sendJson(response, { data });
    });
    const app = await startApp({ gatewayUrl: gateway.url });
    onTestFinished(() => app[Symbol.asyncDispose]());
    const read = async (credential: string): Promise<string> => {
      const headers = { authorization: `Bearer ${credential}` };
      return JSON.stringify((await app.run(query, {}, { headers })).data);
    };
    return { gateway, read };
  };

  test('each read it, and a caller with another catalog gets that', async () => {
    const { gateway, read } = await startFor((authorization) => ({
      voice_id: authorization.includes('sk-odd') ? 'odd' : 'even',
    }));
    const credentials = ['sk-even-1', 'sk-even-2', 'sk-odd-1', 'sk-even-3', 'sk-odd-2', 'sk-odd-3'];
    for (const credential of credentials)
      expect(await read(credential)).toContain(`"voiceId":"${credential.includes('odd') ? 'odd' : 'even'}"`);
    expect(gateway.requests).toHaveLength(credentials.length);
  });

  test('share one parsed and decoded first page', async () => {
    const text = JSON.stringify({ data: entries(0, 2) });
    let parses = 0;
    const read: Gateway['read'] = async ({ lastReply }) => {
      const known = lastReply?.find(text, () => undefined);
      if (known !== undefined) return known;
      parses += 1;
      const body = parseJson(text);
      lastReply?.keep(text, body);
      return body;
    };
    const engine = {
      pages: new LRUCache<string, Promise<object>>({ maxSize: 1000 }),
      gateway: { read } as Partial<Gateway> as Gateway,
    };
    const readAs = (owner: string) => {
      const caller = { owner, credential: '', userId: undefined, forwarded: {} };
      return readVoicePage({ engine, caller, requestId: 'one' }, { number: 1, size: 2 });
    };
    expect(await readAs('bob')).toBe(await readAs('ann'));
    expect(parses).toBe(1);
  });

  test('see no credential of their own in it', async () => {
    const { read } = await startFor(() => ({ voice_id: 'a', note: 'sk-secret-000001' }));
    expect(await read('sk-another-000002')).toContain('sk-secret-000001');
    expect(await read('sk-secret-000001')).toContain('[credential]');
    expect(await read('sk-another-000003')).toContain('sk-secret-000001');
  });
});

test('pages are cached until they hold 50,000 voices', async () => {
  const many = entries(0, 30_000);
  const gateway = await startCatalog(() => ({ data: many }));
  await using app = await startApp({ gatewayUrl: gateway.url });
  const counts: number[] = [];
  for (const first of [1, 1, 2, 2, 1]) {
    await app.run(VoicesDocument, { first });
    counts.push(gateway.requests.length);
  }
  expect(counts).toEqual([1, 1, 2, 2, 3]);
});

describe('a catalog whose entries are named otherwise', () => {
  test.each([
    [{ voiceId: 'v1', voiceName: 'One' }, 'v1', 'One'],
    [{ id: 7, voiceId: 'v1', name: 'One' }, 'v1', 'One'],
    [{ speaker_id: 'v1', speaker_name: 'One' }, 'v1', 'One'],
    [{ speakerId: 'v1', display_name: 'One' }, 'v1', 'One'],
    [{ name: 'One', language: 'en' }, 'One', 'One'],
    [{ task_result: { voices: [{ voiceId: 'v1' }] } }, 'v1', 'v1'],
    ['v1', 'v1', 'v1'],
  ])('is read: %j', async (item, voiceId, name) => {
    const gateway = await startCatalog((page) => ({ data: page === 1 ? [item] : [] }));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data, errors } = await app.run(VoicesDocument, { first: 5 });
    expect(errors).toBeUndefined();
    expect(data?.voices?.edges.map(({ node }) => node)).toMatchObject([{ voiceId, name }]);
    const found = await app.run(VoiceDocument, { id: voiceId });
    expect(found.data?.voice).toMatchObject({ voiceId });
    const search = await app.run(FindVoicesDocument, { first: 5, filter: { query: name ?? voiceId } });
    expect(search.data?.voices?.totalCount).toBe(1);
  });

  test.each([
    [{ data: [{ uid: 'v1', title: 'One' }] }, 'uid, title'],
    [{ data: [{}, { uid: 'v1' }] }, 'uid'],
    [{ data: [7, 8] }, 'no members'],
    [{ data: [{}, null] }, 'no members'],
    [{ data: [{ task_result: { voices: [{ uid: 'v1' }] } }] }, 'uid'],
  ])('is an error that names their members if none has an id: %j', async (body, names) => {
    const gateway = await startCatalog(() => body);
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data, errors } = await app.run(VoicesDocument, { first: 5 });
    expect(data).toEqual({ voices: null });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'GATEWAY_ERROR', retry: 'NEVER' });
    expect(errors?.[0]?.message).toContain(names);
  });

  test('is empty if the entries are', async () => {
    const gateway = await startCatalog(() => ({ data: [{ task_result: { voices: [] } }] }));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data, errors } = await app.run(VoicesDocument, { first: 5 });
    expect(errors).toBeUndefined();
    expect(data?.voices?.edges).toEqual([]);
  });
});

describe('a reply without a known list', () => {
  test.each([
    [{ code: 0, catalog: [entry(1)], page: 1 }, 'code, catalog, page'],
    [{ data: { presets: [entry(1)], total: 1 } }, 'presets, total'],
    [{ data: { list: { v1: entry(1) } } }, 'list'],
    [{ data: 'none' }, 'data'],
    [{}, 'no members'],
  ])('is an error that names its members: %j', async (body, names) => {
    const gateway = await startCatalog(() => body);
    await using app = await startApp({ gatewayUrl: gateway.url });
    for (const variables of [{ first: 5 }, { first: 5, filter: { query: 'x' } }]) {
      const { data, errors } = await app.run(FindVoicesDocument, variables);
      expect(data).toEqual({ voices: null });
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'GATEWAY_ERROR', retry: 'NEVER' });
      expect(errors?.[0]?.message).toContain(names);
    }
  });

  test('is an error on a later page too if it may contain voices', async () => {
    const gateway = await startCatalog((page) =>
      page === 1 ? { data: entries(0, 2) } : { data: { more: [entry(3)] } },
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { errors } = await app.run(VoicesDocument, { first: 5 });
    expect(errors?.[0]?.message).toContain('more');
  });

  test.each([
    [{ data: null }],
    [{ data: [] }],
    [{ data: { list: null, total: 0 } }],
    [{ data: { total: 0 } }],
  ])('is an empty catalog for %j', async (body) => {
    const gateway = await startCatalog(() => body);
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect((await app.run(FindVoicesDocument, { first: 5 })).data?.voices).toMatchObject({
      edges: [],
      totalCount: 0,
      isTotalCapped: false,
      pageInfo: { hasNextPage: false },
    });
  });
});

test.each([[[]], [{}], [{ list: [] }]])('a refusal beside %j is no empty catalog', async (data) => {
  const gateway = await startCatalog(() => ({ code: 1200, message: 'The catalog is closed', data }));
  await using app = await startApp({ gatewayUrl: gateway.url });
  for (const variables of [{ first: 5 }, { first: 5, filter: { query: 'x' } }]) {
    const { data: found, errors } = await app.run(FindVoicesDocument, variables);
    expect(found).toEqual({ voices: null });
    expect(errors).toMatchObject([
      { message: 'The catalog is closed', extensions: { code: 'GATEWAY_ERROR' } },
    ]);
  }
});

test('a failure code beside voices, or after the last page, hides none', async () => {
  const gateway = await startCatalog((page, size) => ({
    code: 1200,
    message: 'odd',
    data: slice(page, size),
  }));
  await using app = await startApp({ gatewayUrl: gateway.url });
  expect(await readAllVoices(app, 7)).toEqual(all);
});
