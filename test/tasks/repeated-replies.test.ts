import { describe, expect, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';

interface Song {
  readonly status: string;
  readonly progress?: string;
}

interface Shown {
  readonly tasks: readonly ({ readonly status: string; readonly progress: number | null } | null)[];
}

const taskIds = ['a', 'b'].map((id) => packId('task', ['SONG', id]));

/** A gateway with two songs, and a client that reads both. `null` means that the gateway does not know the song. */
async function startSongs() {
  const songs: Record<string, Song | null> = {
    a: { status: 'IN_PROGRESS', progress: '10%' },
    b: { status: 'IN_PROGRESS', progress: '20%' },
  };
  const gateway = await startFakeGateway((_request, response) => {
    const data = Object.entries(songs).flatMap(([id, song]) => (song ? [{ task_id: id, ...song }] : []));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ code: 'success', data }));
  });
  const app = await startApp({ gatewayUrl: gateway.url });
  const read = async (key = 'sk-caller'): Promise<readonly (string | null)[]> => {
    const { data } = await app.run<Shown, object>(
      'query ($ids: [ID!]!) { tasks(ids: $ids) { status progress } }',
      { ids: taskIds },
      { headers: { authorization: `Bearer ${key}` } },
    );
    return (data?.tasks ?? []).map((task) => task && `${task.status} ${task.progress}`);
  };
  return { songs, gateway, read, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

describe('when the gateway repeats its reply', () => {
  test('each read shows the recorded tasks and sends one request', async () => {
    await using app = await startSongs();
    for (let reads = 1; reads <= 5; reads += 1) {
      expect(await app.read()).toEqual(['RUNNING 0.1', 'RUNNING 0.2']);
      expect(app.gateway.requests).toHaveLength(reads);
    }
  });

  test('the next change is shown, also back to an earlier reply', async () => {
    await using app = await startSongs();
    for (let reads = 1; reads <= 3; reads += 1) await app.read();
    app.songs['a'] = { status: 'IN_PROGRESS', progress: '50%' };
    for (let reads = 1; reads <= 3; reads += 1)
      expect(await app.read()).toEqual(['RUNNING 0.5', 'RUNNING 0.2']);
    app.songs['a'] = { status: 'IN_PROGRESS', progress: '10%' };
    for (let reads = 1; reads <= 3; reads += 1)
      expect(await app.read()).toEqual(['RUNNING 0.1', 'RUNNING 0.2']);
    app.songs['b'] = { status: 'FAILURE' };
    for (let reads = 1; reads <= 3; reads += 1)
      expect(await app.read()).toEqual(['RUNNING 0.1', 'FAILED 0.2']);
  });

  test('a song that the gateway does not know stays unknown', async () => {
    await using app = await startSongs();
    app.songs['b'] = null;
    for (let reads = 1; reads <= 3; reads += 1) expect(await app.read()).toEqual(['RUNNING 0.1', null]);
    app.songs['b'] = { status: 'QUEUED' };
    for (let reads = 1; reads <= 3; reads += 1)
      expect(await app.read()).toEqual(['RUNNING 0.1', 'QUEUED null']);
  });

  test('each caller has records of its own', async () => {
    await using app = await startSongs();
    for (const key of ['sk-one', 'sk-two', 'sk-one', 'sk-two'])
      expect(await app.read(key)).toEqual(['RUNNING 0.1', 'RUNNING 0.2']);
  });
});
