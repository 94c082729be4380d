import { expect, test } from 'vitest';
import { CreateSongDocument } from '../../src/client/documents.generated.ts';
import { startApp, sandboxKey } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong, musicTask } from '../support/fake-music.ts';

test('a generation whose task the gateway has named before ends with that reason', async () => {
  let isDone = false;
  const gateway = await startFakeGateway((request, response, text) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/music/submit/music') {
      response.end(JSON.stringify({ code: 'success', message: '', data: 'song-1' }));
      return;
    }
    const { ids } = JSON.parse(text) as { ids: string[] };
    response.end(
      JSON.stringify({ code: 'success', data: ids.map((id) => (isDone ? finishedSong(id) : musicTask(id))) }),
    );
  });
  await using app = await startApp({ gatewayUrl: gateway.url, env: { TASK_POLL_SECONDS: '0.05' } });
  const create = async (): Promise<string> => {
    const { data, errors } = await app.run(
      CreateSongDocument,
      { input: { description: 'x', model: 'SONG_V5' } },
      { headers: sandboxKey },
    );
    const made = data?.createSong as { id?: string } | undefined;
    if (!made?.id) throw new Error(JSON.stringify({ data, errors }));
    return made.id;
  };
  const first = await create();
  const second = await create();
  isDone = true;
  const third = await create();
  const read = async () => {
    const { data } = await app.run<{ nodes: readonly object[] }, object>(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Generation { status isTerminal error { code retry } task { status } } } }',
      { ids: [first, second, third] },
    );
    return data?.nodes;
  };
  const task = { status: 'SUCCEEDED' };
  const error = { code: 'GATEWAY_ERROR', retry: 'MAY_CHARGE_AGAIN' };
  const failed = { status: 'FAILED', isTerminal: true, error, task };
  await expect
    .poll(read)
    .toEqual([{ status: 'SUCCEEDED', isTerminal: true, error: null, task }, failed, failed]);
});

test.each(['pending', 'succeeded', 'failed'])(
  'a create whose reply names the task of an earlier generation as %s is answered as it is recorded',
  async (status) => {
    const gateway = await startFakeGateway((_request, response) =>
      sendJson(response, { request_id: 'r-1', status }),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const create = async (key: string) => {
      const { data } = await app.run<{ queueImage: object }, object>(
        `mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "${key}") {
          ... on Generation { id status isTerminal error { code message retry } }
        } }`,
      );
      return data?.queueImage;
    };
    await create('first');
    const second = await create('second');
    expect(second).toMatchObject({
      status: 'FAILED',
      isTerminal: true,
      error: { retry: 'MAY_CHARGE_AGAIN' },
    });
    expect(await create('second')).toEqual(second);
    expect(gateway.requests.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  },
);
