import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NodesDocument, VoiceDocument, VoicesDocument } from '../../src/client/documents.generated.ts';
import { decodeVoicePage } from '../../src/capabilities/voice/wire.ts';
import { packCursor } from '../../src/graphql/connection.ts';
import { packId } from '../../src/lib/ids.ts';
import { startApp } from '../support/app.ts';
import { readAllVoices } from '../support/voices.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

const voicesPath = '/videoa/v1/general/presets-voices';

describe('voices', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('list the whole catalog once and in the same order for every page size', async () => {
    const all = await readAllVoices(app, 100);
    expect(all.length).toBeGreaterThan(100);
    expect(new Set(all).size).toBe(all.length);
    for (const size of [7, 20, all.length > 100 ? 65 : all.length])
      expect(await readAllVoices(app, size)).toEqual(all);
  });

  test('continue from a cursor with a different page size', async () => {
    const all = await readAllVoices(app, 100);
    const first = await app.run(VoicesDocument, { first: 7 });
    const next = await app.run(VoicesDocument, {
      first: 25,
      after: first.data?.voices?.pageInfo.endCursor ?? null,
    });
    expect(next.data?.voices?.edges.map(({ node }) => node.voiceId)).toEqual(all.slice(7, 32));
    const edge = await app.run<{ voices: { edges: { cursor: string }[] } }, object>(
      '{ voices(first: 9) { edges { cursor } } }',
    );
    const middle = await app.run(VoicesDocument, {
      first: 3,
      after: edge.data?.voices.edges[3]?.cursor ?? null,
    });
    expect(middle.data?.voices?.edges.map(({ node }) => node.voiceId)).toEqual(all.slice(4, 7));
  });

  test('are found by their listed id, also through node, and not by a tampered id', async () => {
    const { data } = await app.run(VoicesDocument, { first: 60 });
    const voice = data?.voices?.edges.at(-1)?.node;
    expect(voice).toBeDefined();
    const found = await app.run(VoiceDocument, { id: voice?.id ?? '' });
    expect(found.data?.voice).toMatchObject({ voiceId: voice?.voiceId, name: voice?.name });
    const tampered = [
      '',
      'voice',
      'voice_',
      'voice_!!',
      `${voice?.id}A`,
      `${voice?.id}=`,
      packId('voice', ['preset', '../x']),
      packId('voice', ['other', 'x']),
      packId('voice', []),
      'voice_bnVsbA',
      'generation_x',
      '__proto___x',
      'constructor_x',
      'x'.repeat(10_000),
    ];
    const nodes = await app.run(NodesDocument, { ids: [voice?.id ?? '', ...tampered] });
    expect(nodes.errors).toBeUndefined();
    expect(nodes.data?.nodes).toEqual([
      { __typename: 'Voice', id: voice?.id, name: voice?.name, language: voice?.language },
      ...tampered.map(() => null),
    ]);
    for (const id of tampered) expect((await app.run(VoiceDocument, { id })).data).toEqual({ voice: null });
  });

  test("are found by the gateway's own id, on every page", async () => {
    const { data } = await app.run(VoicesDocument, { first: 100 });
    const next = await app.run(VoicesDocument, { after: data?.voices?.pageInfo.endCursor ?? null });
    for (const { node } of [data, next.data].flatMap((page) => page?.voices?.edges.at(-1) ?? []))
      expect((await app.run(VoiceDocument, { id: node.voiceId })).data?.voice).toMatchObject({
        id: node.id,
        voiceId: node.voiceId,
        name: node.name,
      });
    for (const id of ['nobody', 'EN-US-AVA', 'en-us-ava '])
      expect(await app.run(VoiceDocument, { id })).toEqual({ data: { voice: null } });
    // Ids in the graph stay opaque elsewhere.
    expect((await app.run(NodesDocument, { ids: ['en-us-ava'] })).data).toEqual({ nodes: [null] });
  });

  test('request a page once per credential while it is cached', async () => {
    await using fresh = await startApp();
    await Promise.all(Array.from({ length: 5 }, () => fresh.run(VoicesDocument, { first: 10 })));
    expect(fresh.sandbox.activity.requests(voicesPath).length).toBeLessThanOrEqual(2);
    const other = await fresh.run(
      VoicesDocument,
      { first: 10 },
      { headers: { authorization: 'Bearer sk-wrong' } },
    );
    expect(other.errors?.[0]?.extensions).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });

  test('reject a made-up cursor that the cursor of each voice would repeat', async () => {
    const earlier = Array.from({ length: 300 }, () => 'x');
    const after = packCursor(['voices', '', 100, 1, 0, 0, ...earlier]);
    const { data, errors } = await app.run(VoicesDocument, { first: 100, after });
    expect(data?.voices).toBeNull();
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
  });

  test('reject a page size above 100, a negative one, and a cursor of another list', async () => {
    const codes = await Promise.all(
      [
        { first: 101 },
        { first: -1 },
        { first: 1, after: 'x' },
        { first: 1, after: Buffer.from('[1,2]').toString('base64url') },
        { first: 1, after: Buffer.from('["voices",0,-5]').toString('base64url') },
      ].map(
        async (variables) => (await app.run(VoicesDocument, variables)).errors?.[0]?.extensions?.['code'],
      ),
    );
    expect(codes).toEqual(['LIMIT_EXCEEDED', 'BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST', 'BAD_REQUEST']);
    expect((await app.run(VoicesDocument, { first: 0 })).data?.voices?.edges).toEqual([]);
  });
});

describe('a voice list request', () => {
  const answer = (response: ServerResponse, status: number, body: string): void =>
    sendJson(response, body, status);

  test('that fails temporarily is retried, and a permanent failure is a clear error', async () => {
    let failures = 2;
    const gateway = await startFakeGateway((_request, response) => {
      failures -= 1;
      if (failures >= 0) answer(response, 503, '{"message":"busy"}');
      else answer(response, 200, '{"data":[{"voice_id":"v1","voice_name":"One"}]}');
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect(
      (await app.run(VoicesDocument, { first: 5 })).data?.voices?.edges.map(({ node }) => node.name),
    ).toEqual(['One']);
    failures = 100;
    const failed = await app.run(VoicesDocument, { first: 6 });
    expect(failed.errors?.[0]).toMatchObject({
      message: 'busy',
      path: ['voices'],
      extensions: { code: 'GATEWAY_ERROR', status: 503, retry: 'LATER' },
    });
  });

  test.each([
    ['HTML', '<html>no</html>'],
    ['an empty body', ''],
    ['success: false', '{"success":false,"message":"no"}'],
  ])('with a reply of %s is an error, not an empty list', async (_name, body) => {
    const gateway = await startFakeGateway((_request, response) => answer(response, 200, body));
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect((await app.run(VoicesDocument, { first: 5 })).errors?.[0]?.extensions).toMatchObject({
      code: 'GATEWAY_ERROR',
    });
  });

  test('whose gateway repeats one page forever does not loop', async () => {
    const page = JSON.stringify({
      data: Array.from({ length: 100 }, (_, index) => ({ voice_id: `v${index}` })),
    });
    const gateway = await startFakeGateway((_request, response) => answer(response, 200, page));
    await using app = await startApp({ gatewayUrl: gateway.url });
    expect((await app.run(VoiceDocument, { id: packId('voice', ['preset', 'unheard-of']) })).data).toEqual({
      voice: null,
    });
    expect(gateway.requests.length).toBeLessThanOrEqual(3);
  });
});

describe('the reader of voice pages', () => {
  test.each([
    ['the data itself', { data: [{ voice_id: 'a', voice_name: 'A' }] }],
    ['a bare list', [{ voice_id: 'a', name: 'A' }]],
    ['a list inside the data', { data: { list: [{ id: 'a', name: 'A' }], total: 9 } }],
    [
      'results of tasks',
      { data: [{ task_id: 't', task_result: { voices: [{ voice_id: 'a', voice_name: 'A' }] } }] },
    ],
  ])('finds voices in %s', (_name, body) => {
    expect(decodeVoicePage(body).voices).toMatchObject([{ voiceId: 'a', name: 'A' }]);
  });

  test.each(
    [
      null,
      1,
      'x',
      [],
      {},
      { data: null },
      { data: 1 },
      { data: [null, 1, '', [], {}] },
      { data: { voices: [{ voice_id: null }] } },
      { data: [{ task_result: { voices: [{}] } }] },
    ].map((body) => [JSON.stringify(body), body] as const),
  )('invents nothing from %s', (_name, body) => {
    expect(decodeVoicePage(body).voices).toEqual([]);
  });

  test('decodes numeric ids and ignores members of wrong types', () => {
    const { voices } = decodeVoicePage({
      data: [{ voice_id: 12, voice_name: 5, trial_url: {}, owned_by: 'x' }],
    });
    expect(voices).toMatchObject([{ voiceId: '12', name: undefined, previewUrl: undefined, provider: 'x' }]);
  });

  test('accepts only a web address as preview', () => {
    const { voices } = decodeVoicePage({
      data: [
        { id: 'a', trial_url: '/relative', preview_url: 'https://x/a.wav' },
        { id: 'b', trial_url: 'javascript:alert(1)' },
        { id: 'c', preview_url: '' },
      ],
    });
    expect(voices.map(({ previewUrl }) => previewUrl)).toEqual(['https://x/a.wav', undefined, undefined]);
  });
});
