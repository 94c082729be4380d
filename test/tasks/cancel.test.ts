import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TaskProgressDocument } from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import { cancel, cancelable, create, readGeneration } from '../support/canceling.ts';

describe('cancelGeneration of a task at the sandbox', () => {
  let now = Date.UTC(2026, 0, 2);
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { clock: () => now }, env: { TASK_POLL_SECONDS: '0.02' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const cancelsOf = (method: string) =>
    app.sandbox.activity
      .requests()
      .filter((request) => request.method === method && request.path.endsWith('/cancel'));

  test.each(cancelable)('stops a running %s, which its record and watchers show', async (kind) => {
    const made = await create(app, kind);
    expect(made).toMatchObject({ status: 'QUEUED', isCancelable: true, isTerminal: false });
    const watch = subscribe(app.wsClient(), TaskProgressDocument, { id: made.task?.id ?? '' });
    expect((await watch.next()).value?.data?.taskProgress.isTerminal).toBe(false);
    now += 2000;
    const method = kind.startsWith('QUEUED') ? 'PUT' : 'POST';
    const before = cancelsOf(method).length;
    const canceled = await cancel(app, { id: made.id });
    expect(canceled).toMatchObject({
      id: made.id,
      status: 'CANCELED',
      isTerminal: true,
      isCancelable: false,
    });
    expect(canceled).toMatchObject({ finishedAt: expect.any(String) });
    expect(cancelsOf(method).length).toBe(before + 1);
    expect(cancelsOf(method).at(-1)).toMatchObject({
      status: 200,
      headers: { authorization: 'Bearer sk-sandbox' },
    });
    // The gateway reports the task as canceled.
    const { path = '' } = cancelsOf(method).at(-1) ?? {};
    const upstream = await fetch(app.sandbox.url + path.replace(/\/cancel$/, ''), {
      headers: { authorization: 'Bearer sk-sandbox' },
    });
    expect(((await upstream.json()) as { status: string }).status.toLowerCase()).toBe('canceled');
    // Watchers receive the end, and the watch completes.
    expect((await collect(watch)).at(-1)?.data?.taskProgress).toMatchObject({
      status: 'CANCELED',
      isTerminal: true,
    });
    expect(await readGeneration(app, made.id)).toMatchObject({ status: 'CANCELED', isCancelable: false });
    // A second cancel returns the same generation and sends nothing.
    expect(await cancel(app, { id: made.id })).toEqual(canceled);
    expect(cancelsOf(method).length).toBe(before + 1);
  });

  test.each(cancelable)('returns a %s that ended before the cancel unchanged', async (kind) => {
    const made = await create(app, kind);
    now += 10_000;
    expect(await readGeneration(app, made.id)).toMatchObject({ status: 'QUEUED', isCancelable: true });
    const ended = await cancel(app, { id: made.id });
    expect(ended).toMatchObject({ id: made.id, status: 'SUCCEEDED', isTerminal: true, isCancelable: false });
  });

  test('finds the task by its idempotency key', async () => {
    const made = await create(app, 'ANIMATION', 'my-animation');
    expect(await cancel(app, { idempotencyKey: 'my-animation' })).toMatchObject({
      id: made.id,
      status: 'CANCELED',
    });
    // The key still identifies the canceled generation.
    expect(await create(app, 'ANIMATION', 'my-animation')).toMatchObject({ id: made.id, status: 'CANCELED' });
  });

  test('is not found for other owners', async () => {
    const made = await create(app, 'IMAGE_FILL', 'mine');
    const before = cancelsOf('POST').length;
    for (const headers of [
      { authorization: 'Bearer sk-other' },
      { authorization: 'Bearer sk-sandbox', 'x-end-user': 'somebody else' },
    ]) {
      for (const by of [{ id: made.id }, { idempotencyKey: 'mine' }])
        expect(await cancel(app, by, { headers })).toMatchObject({
          __typename: 'NotFoundError',
          code: 'NOT_FOUND',
        });
    }
    expect(cancelsOf('POST').length).toBe(before);
    expect(await readGeneration(app, made.id)).toMatchObject({ status: 'QUEUED', isCancelable: true });
  });

  test('is refused for a song, which has no cancel address', async () => {
    const made = await create(app, 'SONG');
    expect(made.isCancelable).toBe(false);
    const before = app.sandbox.activity.count();
    expect(await cancel(app, { id: made.id })).toMatchObject({
      __typename: 'NotCancelableError',
      code: 'NOT_CANCELABLE',
      message: 'The gateway documents no way to cancel tasks of this kind.',
    });
    expect(app.sandbox.activity.count()).toBe(before);
  });
});
