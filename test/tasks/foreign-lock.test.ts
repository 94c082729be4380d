import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { createDirectory } from '../support/durable-server.ts';
import { finishedSong, musicTask, startFakeMusic } from '../support/fake-music.ts';

interface Made {
  readonly createSong: { readonly id: string; readonly task: { readonly id: string } };
}

/** A server with one recorded song, and another tool that can lock its records. */
async function start({ lockWaitMs }: { readonly lockWaitMs: number }) {
  const answer = { isFinished: false, progress: '10%' };
  const gateway = await startFakeMusic({
    answer: (ids) => ({
      body: {
        code: 'success',
        data: ids.map((id) =>
          answer.isFinished ? finishedSong(id) : musicTask(id, 'IN_PROGRESS', { progress: answer.progress }),
        ),
      },
    }),
  });
  const directory = await createDirectory();
  const warnings: unknown[] = [];
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: { DATA_DIR: directory },
    overrides: { lockWaitMs },
    onLog: ({ level, msg }) => {
      if (Number(level) >= 40) warnings.push(msg);
    },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const { data } = await app.run<Made, object>(
    `mutation { createSong(input: { description: "a song", model: SONG_V5 }, idempotencyKey: "k") { ... on Generation { id task { id } } } }`,
  );
  const { id = '', task } = data?.createSong ?? {};
  const tool = new DatabaseSync(join(directory, 'gengraph.db'));
  onTestFinished(() => tool.close());
  const recorded = tool.prepare('select status from generations where id = ?');
  return {
    app,
    answer,
    gateway,
    tool,
    id,
    taskId: task?.id ?? '',
    warnings,
    recordedStatus: () => recorded.get(id)?.['status'],
  };
}

const state = 'status isTerminal finishedAt output { __typename } assets { url }';
const succeeded = {
  status: 'SUCCEEDED',
  isTerminal: true,
  finishedAt: expect.any(String),
  output: { __typename: 'SongList' },
  assets: [{ url: expect.stringContaining('.mp3') }],
};

test('a read of a task is answered while another tool holds the write lock, and recorded once it is released', async () => {
  // Longer than the test.
  const { app, answer, gateway, tool, id, taskId, recordedStatus } = await start({ lockWaitMs: 120_000 });
  tool.exec('begin immediate');
  const read = () =>
    app.run<object, object>(
      `{ task(id: "${taskId}") { status progress output { __typename } generation { status } } }`,
    );
  expect((await read()).data).toMatchObject({ task: { status: 'RUNNING', progress: 0.1 } });
  // The save of the first reading still waits. The last one replaces the second.
  answer.progress = '60%';
  expect((await read()).data).toMatchObject({ task: { status: 'RUNNING', progress: 0.6 } });
  answer.isFinished = true;
  const end = {
    status: 'SUCCEEDED',
    output: { __typename: 'SongList' },
    generation: { status: 'SUCCEEDED' },
  };
  expect((await read()).data).toMatchObject({ task: end });
  expect(recordedStatus()).not.toBe('SUCCEEDED');
  const fetches = gateway.fetches.length;

  // No later answer contradicts this one, also without a read of the task.
  answer.isFinished = false;
  const { data, errors } = await app.run<object, object>(
    `{
      generation(by: { id: "${id}" }) { ${state} }
      generations { edges { node { ${state} } } }
      node(id: "${id}") { ... on Generation { ${state} } }
      task(id: "${taskId}") { status }
    }`,
  );
  expect(errors).toBeUndefined();
  expect(data).toEqual({
    generation: succeeded,
    generations: { edges: [{ node: succeeded }] },
    node: succeeded,
    task: { status: 'SUCCEEDED' },
  });
  expect(gateway.fetches).toHaveLength(fetches);

  tool.exec('rollback');
  await expect.poll(recordedStatus).toBe('SUCCEEDED');
  expect((await read()).data).toMatchObject({ task: end });
});

test('a reading whose save gives up waiting for the lock is recorded later', async () => {
  const { app, answer, tool, taskId, warnings, recordedStatus } = await start({ lockWaitMs: 400 });
  answer.isFinished = true;
  tool.exec('begin immediate');
  const { data } = await app.run<object, object>(`{ task(id: "${taskId}") { status readFailure { code } } }`);
  expect(data).toEqual({ task: { status: 'SUCCEEDED', readFailure: null } });
  await expect.poll(() => warnings).toContain('could not record a reading of a task; retrying');
  tool.exec('rollback');
  await expect.poll(recordedStatus).toBe('SUCCEEDED');
}, 20_000);
