import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { musicTask, startFakeMusic } from '../support/fake-music.ts';
import { readSdl } from '../support/federation/compose.ts';
import { postJson } from '../support/http.ts';
import { readPage } from '../support/markdown.ts';

type Representation = Readonly<Record<string, unknown>>;

const task = (name: string): Representation => ({ __typename: 'Task', id: packId('task', ['SONG', name]) });
const voice = (name: string): Representation => ({
  __typename: 'Voice',
  id: packId('voice', ['preset', name]),
});
const times = <Item>(count: number, make: (index: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

const everything = `__typename ... on Task { id status } ... on Generation { id status prompt } ... on Voice { id name }`;

interface Entities {
  readonly _entities: readonly (Readonly<Record<string, unknown>> | null)[] | null;
}

function entities(
  app: TestApp,
  representations: readonly unknown[],
  {
    selection = everything,
    headers,
  }: { selection?: string; headers?: Readonly<Record<string, string>> } = {},
) {
  return app.run<Entities, object>(
    `query ($representations: [_Any!]!) { _entities(representations: $representations) { ${selection} } }`,
    { representations },
    headers && { headers },
  );
}

/** Processor time in milliseconds of 9000 references to voices that a catalog of so many pages does not have, and to its last one. */
async function costOfVoices(pages: number): Promise<number> {
  const gateway = await startFakeGateway((request, response) => {
    response.setHeader('content-type', 'application/json');
    const [, page = ''] = /pageNum=(\d+)/.exec(request.url ?? '') ?? [];
    const data = Number(page) > pages ? [] : times(100, (index) => ({ voice_id: `v-${page}-${index}` }));
    response.end(JSON.stringify({ code: 0, data }));
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const list = times(1000, (index) => voice(index === 0 ? `v-${pages}-99` : `x-${index}`));
  const fields = times(
    9,
    (number) => `a${number}: _entities(representations: $list) { ... on Voice { voiceId } }`,
  );
  const search = () => app.run(`query ($list: [_Any!]!) { ${fields.join(' ')} }`, { list });
  await search();
  const before = process.threadCpuUsage();
  const answer = await search();
  const { user, system } = process.threadCpuUsage(before);
  const found = [{ voiceId: `v-${pages}-99` }, ...times(999, () => null)];
  expect(answer).toMatchObject({ data: { a0: found, a8: found } });
  return (user + system) / 1000;
}

describe('references of a router', () => {
  test('to 100 entities of mixed types cost one request for the songs and one for the page of voices', async () => {
    const gateway = await startFakeGateway((request, response, body) => {
      response.setHeader('content-type', 'application/json');
      const list = times(40, (index) => ({ voice_id: `v-${index}`, name: `Voice ${index}` }));
      const answers: Readonly<Record<string, () => unknown>> = {
        '/music/fetch': () => {
          const { ids } = JSON.parse(body) as { ids: readonly string[] }; // Sent by our own client.
          return { code: 'success', data: ids.map((id) => musicTask(id)) };
        },
        '/v1/chat/completions': () => ({
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }],
        }),
        '/videoa/v1/general/presets-voices': () => ({
          code: 0,
          data: request.url?.includes('pageNum=1&') ? list : [],
        }),
      };
      response.end(JSON.stringify(answers[request.url?.split('?')[0] ?? '']?.() ?? {}));
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1)
      ids.push(made(await createChatCompletion(app, { input: ask(`Hello ${index}`) })).id);
    const generation = (index: number): Representation => ({
      __typename: 'Generation',
      id: ids[index % ids.length],
    });
    const before = gateway.requests.length;
    const representations = times(
      100,
      (index) => [task(`up-${index}`), voice(`v-${index % 40}`), generation(index)][index % 3] ?? {},
    );
    const { data, errors } = await entities(app, representations);
    expect(errors).toBeUndefined();
    expect(data?._entities?.map((entity) => [entity?.['__typename'], entity?.['id']])).toEqual(
      representations.map(({ __typename, id }) => [__typename, id]),
    );
    expect(data?._entities?.[0]).toMatchObject({ status: 'RUNNING' });
    expect(data?._entities?.[1]).toMatchObject({ name: 'Voice 1' });
    expect(data?._entities?.[2]).toMatchObject({ status: 'SUCCEEDED', prompt: 'Hello 2' });
    const asked = gateway.requests.slice(before).map((line) => line.split('?')[0]);
    expect(asked).toHaveLength(2);
    expect(new Set(asked)).toEqual(new Set(['POST /music/fetch', 'GET /videoa/v1/general/presets-voices']));
  });

  test('to 100 songs cost one request, or none if the selected fields are encoded in the id', async () => {
    const gateway = await startFakeMusic();
    await using app = await startApp({ gatewayUrl: gateway.url });
    const representations = times(100, (index) => task(`up-${index}`));
    const free = await entities(app, representations, {
      selection: `... on Task { id kind upstreamId tracking } ... on Generation { status output { __typename } }`,
    });
    expect(free.errors).toBeUndefined();
    expect(free.data?._entities?.[99]).toMatchObject({ kind: 'SONG', upstreamId: 'up-99' });
    expect(gateway.fetches).toEqual([]);
    const read = await entities(app, [...representations, ...representations]);
    expect(read.data?._entities).toHaveLength(200);
    expect(gateway.fetches.map(({ length }) => length)).toEqual([100]);
  });

  test('to 9000 voices search the catalog once: 20 pages cost about as much as one', async () => {
    const small = await costOfVoices(1);
    expect(await costOfVoices(20)).toBeLessThan(4 * small);
  });

  test('to a voice that was found before the catalog failed have it, the others an error', async () => {
    const gateway = await startFakeGateway((request, response) => {
      response.setHeader('content-type', 'application/json');
      const isFirst = request.url?.includes('pageNum=1&');
      response.statusCode = isFirst ? 200 : 403;
      response.end(JSON.stringify(isFirst ? { code: 0, data: [{ voice_id: 'v-1' }] } : { error: 'No.' }));
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data, errors } = await entities(app, [voice('x-1'), voice('v-1')]);
    expect(data?._entities).toEqual([null, { __typename: 'Voice', id: voice('v-1')['id'], name: 'v-1' }]);
    expect(errors).toMatchObject([{ path: ['_entities', 0] }]);
  });

  test('are null for entities that do not exist, belong to another caller or have another type', async () => {
    await using app = await startApp();
    const { id } = made(await createChatCompletion(app, { input: ask('Hello') }));
    const mine = { __typename: 'Generation', id };
    expect((await entities(app, [mine])).data?._entities).toMatchObject([mine]);
    const others = await entities(app, [mine], { headers: { authorization: 'Bearer sk-other' } });
    expect(others).toEqual({ data: { _entities: [null] } });
    const nothing = await entities(app, [
      { __typename: 'Generation', id: `generation_${randomUUID()}` },
      { __typename: 'Task', id },
      { __typename: 'Generation', id: voice('en-us-ava')['id'] },
      { __typename: 'Voice', id },
      voice('nobody'),
      { __typename: 'Task', id: 'task_tampered' },
      { __typename: 'Task', id: '' },
      { __typename: 'Voice', id: '../..' },
    ]);
    expect(nothing).toEqual({ data: { _entities: times(8, () => null) } });
  });

  test('to tasks without a record of the caller work like their ids, which the page for routers says', async () => {
    await using app = await startApp();
    const selection = '... on Task { id upstreamId }';
    const others = await entities(app, [task('up-1')], { selection });
    expect(others.data?._entities).toEqual([{ id: task('up-1')['id'], upstreamId: 'up-1' }]);
    const [, rule = ''] = /^\| missing objects \| (.+) \|$/m.exec(readPage('docs/behind-a-router.md')) ?? [];
    expect(rule).toContain('[works for every caller that may read the task at the gateway](credentials.md#');
  });

  test('that are malformed or fail to load have their own errors and do not affect the others', async () => {
    const gateway = await startFakeMusic({
      answer: () => ({ status: 403, body: { error: { message: 'Not with this key.' } } }),
    });
    await using app = await startApp({ gatewayUrl: gateway.url });
    const free = { __typename: 'Task', id: packId('task', ['ANIMATION', 'x']) };
    const { data, errors } = await entities(
      app,
      [
        free,
        { __typename: 'Robot', id: '1' },
        { id: '1' },
        { __typename: 'Task' },
        { __typename: 'Task', id: 7 },
        'Task',
        { __typename: 'AccessToken', id: 'token_1' },
        task('unreadable'),
      ],
      { selection: '... on Task { kind status }' },
    );
    expect(data?._entities).toEqual([{ kind: 'ANIMATION', status: 'UNKNOWN' }, ...times(7, () => null)]);
    const entitiesAre = 'The entities are Generation, Task, Voice.';
    expect(
      errors?.map(({ path, message, extensions }) => [path?.join('.'), extensions?.['code'], message]),
    ).toEqual([
      [
        '_entities.1',
        'BAD_REQUEST',
        `representations[1]: Robot is not an entity of this subgraph. ${entitiesAre}`,
      ],
      ['_entities.2', 'BAD_REQUEST', `representations[2] has no __typename. ${entitiesAre}`],
      [
        '_entities.3',
        'BAD_REQUEST',
        `representations[3] needs the key of Task: id, a string. ${entitiesAre}`,
      ],
      [
        '_entities.4',
        'BAD_REQUEST',
        `representations[4] needs the key of Task: id, a string. ${entitiesAre}`,
      ],
      ['_entities.5', 'BAD_REQUEST', `representations[5] has no __typename. ${entitiesAre}`],
      [
        '_entities.6',
        'BAD_REQUEST',
        `representations[6]: AccessToken is not an entity of this subgraph. ${entitiesAre}`,
      ],
      ['_entities.7', 'AUTHENTICATION_FAILED', expect.stringContaining('Not with this key.')],
    ]);
  });

  test('need a credential and are limited to 1000', async () => {
    await using app = await startApp();
    const anonymous = await entities(app, [voice('en-us-ava')], { headers: {} });
    expect(anonymous).toMatchObject({ data: null, errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    const many = await entities(
      app,
      times(1001, (index) => task(`up-${index}`)),
    );
    expect(many).toMatchObject({ data: null, errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] });
  });
});

test('a router reads the committed SDL without a credential', async () => {
  await using app = await startApp();
  const sdl = await readSdl(app.url);
  await expect(sdl).toMatchFileSnapshot('../../deploy/federation/gengraph.subgraph.graphql');
  const reply = await postJson(app.url, { query: '{ _service { __typename } }' });
  expect(reply.json).toEqual({ data: { _service: { __typename: '_Service' } } });
});
