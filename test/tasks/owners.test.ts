import { describe, expect, onTestFinished, test } from 'vitest';
import { CreateSongDocument } from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { finishedSong } from '../support/fake-music.ts';

const mine = { authorization: 'Bearer sk-sandbox' };

/** A gateway that shows a song only to the credential that created it. */
async function startSong() {
  const readers: (string | undefined)[] = [];
  const gateway = await startFakeGateway(({ url, headers }, response) => {
    const isSubmit = url === '/music/submit/music';
    if (!isSubmit) readers.push(headers.authorization);
    const shown = headers.authorization === mine.authorization ? [finishedSong('song-1')] : [];
    const body = { code: 'success', data: isSubmit ? 'song-1' : shown };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  const app = await startApp({ gatewayUrl: gateway.url });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const input = { description: 'a song', model: 'SONG_V5' } as const;
  const { data } = await app.run(CreateSongDocument, { input }, { headers: mine });
  const song = data?.createSong;
  if (song?.__typename !== 'Generation' || !song.task) throw new Error(JSON.stringify(data));
  return { app, readers, generationId: song.id, taskId: song.task.id };
}

const fields = '{ ... on Task { id status isTerminal output { __typename } generation { id } } }';
const everyField = `query ($id: ID!) {
  task(id: $id) ${fields}
  tasks(ids: [$id]) ${fields}
  node(id: $id) ${fields}
  nodes(ids: [$id]) ${fields}
  taskByHandle(handle: { kind: SONG, upstreamId: "song-1" }) ${fields}
}`;
const watch = `subscription ($id: ID!) { taskProgress(id: $id) ${fields} }`;

/** The expected data of every field that takes a task id or a handle. */
function everywhere(task: object | null): object {
  return { task, tasks: [task], node: task, nodes: [task], taskByHandle: task };
}

describe("another owner's task id", () => {
  test.each([
    ['another end user of the same credential', { ...mine, 'x-end-user': 'bob' }],
    ['another user of the same credential', { ...mine, 'new-api-user': '7' }],
  ])('shows %s the task as the gateway returns it, without the generation', async (_who, headers) => {
    const { app, readers, generationId, taskId } = await startSong();
    const song = {
      id: taskId,
      status: 'SUCCEEDED',
      isTerminal: true,
      output: { __typename: 'SongList' },
    };
    const own = everywhere({ ...song, generation: { id: generationId } });
    const theirs = everywhere({ ...song, generation: null });
    const run = (caller: Readonly<Record<string, string>>) =>
      app.run(everyField, { id: taskId }, { headers: caller });
    expect(await run(mine)).toEqual({ data: own });
    // The task is read again, because the record belongs to its owner.
    expect(await run(headers)).toEqual({ data: theirs });
    expect(readers).toHaveLength(2);
    const events = app
      .wsClient({ connectionParams: headers })
      .iterate({ query: watch, variables: { id: taskId } });
    expect((await events.next()).value).toEqual({ data: { taskProgress: { ...song, generation: null } } });
    // After both have read the task, the generation still belongs to its owner only.
    expect([await run(mine), await run(headers)]).toEqual([{ data: own }, { data: theirs }]);
    const listed = '{ generations { edges { node { id } } } }';
    expect(await app.run(listed, {}, { headers })).toEqual({ data: { generations: { edges: [] } } });
  });

  test('shows another credential nothing when the gateway does not know the task for it', async () => {
    const { app, readers, generationId, taskId } = await startSong();
    const headers = { authorization: 'Bearer sk-other' };
    const owned = await app.run<{ task: { generation: object } }, object>(
      everyField,
      { id: taskId },
      { headers: mine },
    );
    expect(owned.data?.task.generation).toEqual({ id: generationId });
    expect(await app.run(everyField, { id: taskId }, { headers })).toEqual({ data: everywhere(null) });
    expect(readers).toEqual([mine.authorization, headers.authorization]);
    const events = app
      .wsClient({ connectionParams: headers })
      .iterate({ query: watch, variables: { id: taskId } });
    const { value } = await events.next();
    expect(value?.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect(value?.data ?? null).toBeNull();
  });
});
