import { describe, expect, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { asArray, asRecord, asRecords, asString, type Json, parseJson } from '../../src/lib/json.ts';
import type { Task } from '../../src/store/records.ts';
import { createRepeatedRecords } from '../../src/tasks/repeated-records.ts';
import { findTasks } from '../../src/capabilities/music/wire.ts';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

interface Song {
  readonly status: string;
  readonly progress?: string;
}

interface Reply {
  readonly [name: string]: unknown;
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
  /** What the gateway answers. */
  const replies = { write: (data: readonly object[]): Reply => ({ code: 'success', data }) };
  const gateway = await startFakeGateway((_request, response) => {
    const data = Object.entries(songs).flatMap(([id, song]) => (song ? [{ task_id: id, ...song }] : []));
    sendJson(response, replies.write(data));
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
  return { songs, replies, gateway, read, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
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

  test('a reply with the same records in another order, or more around them, shows the same tasks', async () => {
    await using app = await startSongs();
    await app.read();
    const before = app.replies.write;
    app.replies.write = (data) => ({ code: 'success', data: data.toReversed() });
    for (let reads = 1; reads <= 2; reads += 1)
      expect(await app.read()).toEqual(['RUNNING 0.1', 'RUNNING 0.2']);
    app.songs['b'] = { status: 'IN_PROGRESS', progress: '30%' };
    expect(await app.read()).toEqual(['RUNNING 0.1', 'RUNNING 0.3']);
    let count = 0;
    app.replies.write = (data) => ({
      request: { id: (count += 1) },
      data,
      code: 'success',
      notes: [{ task_id: 'a' }],
    });
    app.songs['a'] = { status: 'IN_PROGRESS', progress: '40%' };
    for (let reads = 1; reads <= 2; reads += 1)
      expect(await app.read()).toEqual(['RUNNING 0.4', 'RUNNING 0.3']);
    app.replies.write = (data) => ({
      old: data,
      code: 'success',
      data: [{ task_id: 'b', status: 'QUEUED' }, data[0]],
    });
    expect(await app.read()).toEqual(['RUNNING 0.4', 'QUEUED 0.3']);
    app.replies.write = before;
    expect(await app.read()).toEqual(['RUNNING 0.4', 'RUNNING 0.3']);
  });

  test('an error beside repeated records is an error', async () => {
    await using app = await startSongs();
    for (let reads = 1; reads <= 2; reads += 1) await app.read();
    app.replies.write = () => ({ error: { message: 'no such account' } });
    expect(await app.read()).toEqual(['RUNNING 0.1', 'RUNNING 0.2']);
    app.replies.write = (data) => ({
      code: 'success',
      data: data.map((song) => ({ ...song, progress: '60%' })),
    });
    expect(await app.read()).toEqual(['RUNNING 0.6', 'RUNNING 0.6']);
  });
});

describe('of a reply to a batch read', () => {
  const ids = ['a', 'b', 'c'];
  const write = (...progress: readonly number[]): string =>
    JSON.stringify({
      data: ids.map((id, index) => ({ task_id: id, status: 'IN_PROGRESS', progress: progress[index] })),
    });
  const taskOf = (record: Json | undefined): Task => {
    const { task_id: taskId, progress = 0 } = asRecord(record) ?? {};
    const id = asString(taskId) ?? '';
    const task = {
      id,
      upstreamId: id,
      owner: 'ann',
      kind: 'SONG',
      status: 'RUNNING',
    } as const;
    return { ...task, progress: Number(progress), lastReadAt: 1 };
  };
  /** Reads the reply for recorded tasks. Returns the tasks afterwards, and the progress of the parsed records. */
  const createReader = () => {
    const repeated = createRepeatedRecords();
    return (text: string, members: readonly Task[]) => {
      const parsed: Json[] = [];
      const reply = repeated.open('ann', members, findTasks);
      const parse = (part: string): Json => {
        const body = parseJson(part);
        parsed.push(...asArray(asRecord(body)?.['data']));
        return body;
      };
      const found = reply.lastReply.find(text, parse);
      const body = found ?? parse(text);
      if (!found) reply.lastReply.keep(text, body);
      const records = reply.findRecords(body);
      const tasks = members.map((task, index) => {
        const record = records.get(task.upstreamId);
        const isSame = reply.isRepeated(body, index) || asRecord(record)?.['progress'] === task.progress;
        return isSame ? task : taskOf(record);
      });
      reply.remember(body, tasks);
      return { tasks, parsed: asRecords(parsed).map(({ progress }) => progress) };
    };
  };

  test('only the records that differ from the last reply are parsed', () => {
    const read = createReader();
    const first = read(
      write(1, 2, 3),
      ids.map((id) => taskOf({ task_id: id })),
    );
    expect(first.parsed).toEqual([1, 2, 3]);
    const second = read(write(1, 20, 3), first.tasks);
    expect(second.parsed).toEqual([20]);
    expect(second.tasks.map(({ progress }) => progress)).toEqual([1, 20, 3]);
    const third = read(write(100, 20, 300), second.tasks);
    expect(third.parsed).toEqual([100, 300]);
    expect(third.tasks[1]).toBe(second.tasks[1]);
    // One, so that a refusal is found.
    expect(read(write(100, 20, 300), third.tasks).parsed).toEqual([100]);
  });

  test('its records are found once, also in what is left of a repeated one', () => {
    let finds = 0;
    const find: typeof findTasks = (body) => {
      finds += 1;
      return findTasks(body);
    };
    const repeated = createRepeatedRecords();
    const members = ids.map((id) => taskOf({ task_id: id }));
    const text = write(1, 2, 3);
    for (let reads = 1; reads <= 3; reads += 1) {
      const reply = repeated.open('ann', members, find);
      const found = reply.lastReply.find(text, parseJson);
      const body = found ?? parseJson(text);
      if (found === undefined) reply.lastReply.keep(text, body);
      reply.findRecords(body);
      reply.remember(body, members);
      expect(finds).toBe(reads);
    }
  });

  test('each record is parsed once if other tasks are read than before', () => {
    const read = createReader();
    const { tasks } = read(
      write(1, 2, 3),
      ids.map((id) => taskOf({ task_id: id })),
    );
    const others = [...tasks.filter(({ id }) => id !== 'b'), taskOf({ task_id: 'd' })];
    const data = others.map(({ id }, index) => ({ task_id: id, status: 'IN_PROGRESS', progress: index }));
    expect(read(JSON.stringify({ data }), others).parsed).toEqual([0, 1, 2]);
  });

  test('the record of a task that has changed here is parsed, also if it is repeated', () => {
    const read = createReader();
    const { tasks } = read(
      write(1, 2, 3),
      ids.map((id) => taskOf({ task_id: id })),
    );
    const changed = tasks.map((task, index) => (index === 2 ? { ...task, progress: 4 } : task));
    const again = read(write(1, 2, 3), changed);
    expect(again.parsed).toEqual([3]);
    expect(again.tasks[2]?.progress).toBe(3);
  });

  test('a task with counted refusals is parsed at each read', () => {
    const read = createReader();
    const { tasks } = read(
      write(1, 2, 3),
      ids.map((id) => taskOf({ task_id: id })),
    );
    const refused = { reads: 1, firstAt: 1, lastAt: 1 };
    const counted = tasks.map((task, index) => (index === 1 ? { ...task, refusedReads: refused } : task));
    for (let reads = 1; reads <= 2; reads += 1) expect(read(write(1, 2, 3), counted).parsed).toEqual([2]);
  });
});
