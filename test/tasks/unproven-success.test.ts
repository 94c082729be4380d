import { describe, expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';

const paths = 'REFERENCE_VIDEO=/v1/videos/{id},TRANSITION_VIDEO=/openapi/v2/video/result/{id}';

interface Read {
  readonly task: {
    readonly status: string;
    readonly output: unknown;
    readonly raw: unknown;
    readonly generation: object;
  };
}

const creates = {
  image: `queueImage(input: { prompt: "a lighthouse" })`,
  song: `createSong(input: { description: "a shanty", model: SONG_V5 })`,
  animation: `createAnimation(input: { modelVersion: "v", promptStart: "a", promptEnd: "b" })`,
  video: `createReferenceVideo(input: {
    model: "m", prompt: "p", resolution: RESOLUTION_480P, aspectRatio: ASPECT_RATIO_1_1, durationSeconds: 3
  })`,
  transition: `createTransitionVideo(input: {
    frames: [{ imageId: 1, durationSeconds: 5 }, { imageId: 2 }], model: V5, resolution: RESOLUTION_540P
  })`,
} as const;

/** Creates a task, then answers every read with the same reply. */
async function startReading(create: keyof typeof creates, reply: object) {
  const clock = createManualClock();
  const gateway = await startFakeGateway((request, response) => {
    const isRead = request.method === 'GET' || request.url === '/music/fetch';
    const links = { urls: { get: `http://${request.headers.host}/hosta/v1/predictions/t1` } };
    const created = request.url?.startsWith('/music/')
      ? { code: 'success', data: 't1' }
      : { id: 't1', task_id: 't1', request_id: 't1', ...links };
    sendJson(response, isRead ? reply : created);
  });
  const app = await startApp({
    gatewayUrl: gateway.url,
    overrides: { clock },
    env: { GATEWAY_TASK_PATHS: paths, TASK_FOLLOW_HOURS: '0' },
  });
  const { data } = await app.run<Record<string, { readonly task: { readonly id: string } }>, object>(
    `mutation { created: ${creates[create]} { ... on Generation { task { id } } } }`,
  );
  const id = data?.['created']?.task.id ?? '';
  /** The state as a query reads it, after this much time. */
  const readAfter = async (delayMs: number): Promise<Read['task'] | undefined> => {
    clock.advance(delayMs);
    const read = await app.run<Read, object>(
      `{ task(id: "${id}") { status output { __typename } raw generation { status isTerminal } } }`,
    );
    return read.data?.task;
  };
  return { clock, readAfter, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

const song = (members: object): object => ({ code: 'success', data: [{ task_id: 't1', ...members }] });

describe('a reply that reports success without a result', () => {
  test.each([
    ['image', { request_id: 't1', status: 'COMPLETED' }],
    ['song', song({ status: 'SUCCESS' })],
    ['animation', { id: 't1', status: 'succeeded', output: null }],
    ['video', { id: 't1', status: 'success', movie: 'http://example.com/a.mp4' }],
    ['video', { code: 0, data: { task_id: 't1', task_status: 'succeed' } }],
  ] as const)('ends %s (%j) after three reads at least a minute apart', async (create, reply) => {
    await using task = await startReading(create, reply);
    expect(await task.readAfter(0)).toMatchObject({ status: 'RUNNING' });
    for (let read = 0; read < 10; read += 1)
      expect(await task.readAfter(1000)).toMatchObject({ status: 'RUNNING' });
    // A clock that is set back by hours does not delay the end by them.
    task.clock.step(-18_000_000);
    expect(await task.readAfter(60_000)).toMatchObject({ status: 'RUNNING' });
    expect(await task.readAfter(60_000)).toMatchObject({
      status: 'SUCCEEDED',
      output: null,
      raw: create === 'song' ? { status: 'SUCCESS' } : reply,
      generation: { status: 'SUCCEEDED', isTerminal: true },
    });
  });

  test.each([
    ['animation', { id: 't1', status: 'succeeded', output: null, data_removed: true }],
    ['animation', { id: 't1', status: 'succeeded', completed_at: '2026-11-20T12:00:00Z', output: null }],
    ['image', { request_id: 't1', status: 'COMPLETED', completed_at: '2026-11-20T12:00:00Z' }],
    ['video', { id: 't1', status: 'completed', completed_at: 1_763_640_000 }],
  ] as const)('ends %s (%j) at once when the reply says that the work is over', async (create, reply) => {
    await using task = await startReading(create, reply);
    expect(await task.readAfter(0)).toMatchObject({ status: 'SUCCEEDED', output: null, raw: reply });
  });

  test.each([
    ['song', song({ status: 'IN_PROGRESS' })],
    ['song', song({})],
    ['video', { status: 'success', data: { task_id: 't1' } }],
    ['video', { code: 'success', data: { task_id: 't1', task_status: 'processing' } }],
  ] as const)('does not end %s (%j) when only the envelope reports success', async (create, reply) => {
    await using task = await startReading(create, reply);
    for (let read = 0; read < 6; read += 1)
      expect((await task.readAfter(120_000))?.status).not.toBe('SUCCEEDED');
  });
});

test('a transition video that the gateway has deleted is FAILED', async () => {
  await using task = await startReading('transition', { Resp: { id: 't1', status: 6 } });
  expect(await task.readAfter(0)).toMatchObject({ status: 'FAILED', generation: { isTerminal: true } });
});
