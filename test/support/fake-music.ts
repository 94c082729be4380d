import { startFakeGateway } from './fake-gateway.ts';

export interface FakeMusic {
  readonly url: string;
  /** The ids of every POST /music/fetch, in order. */
  readonly fetches: readonly (readonly string[])[];
  /** Resolves when the gateway has received this many fetches. */
  waitForFetches(count: number): Promise<void>;
}

export interface FakeMusicOptions {
  /** The reply to each fetch. @default every requested task, running */
  readonly answer?: (
    ids: readonly string[],
    fetch: number,
  ) => {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: unknown;
  };
}

export function musicTask(id: string, status = 'IN_PROGRESS', more: object = {}): object {
  return { task_id: id, action: 'MUSIC', status, progress: '10%', data: [], ...more };
}

/** The record of a finished song. */
export function finishedSong(id: string): object {
  const clip = {
    id: `clip-${id}`,
    title: id,
    status: 'complete',
    audio_url: `http://127.0.0.1/${id}.mp3`,
    metadata: { duration: 30, tags: 'jazz' },
  };
  return musicTask(id, 'SUCCESS', { progress: '100%', data: [clip] });
}

/** Starts a gateway that serves only music tasks, with replies that the test defines. */
export async function startFakeMusic({ answer }: FakeMusicOptions = {}): Promise<FakeMusic> {
  const fetches: string[][] = [];
  const waiters: { readonly count: number; readonly resolve: () => void }[] = [];
  let submitted = 0;
  const { url } = await startFakeGateway((request, response, text) => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/music/submit/music') {
      submitted += 1;
      response.end(JSON.stringify({ code: 'success', message: '', data: `song-${submitted}` }));
      return;
    }
    const { ids } = JSON.parse(text) as { ids: string[] };
    fetches.push(ids);
    const reply = answer?.(ids, fetches.length) ?? {
      body: { code: 'success', data: ids.map((id) => musicTask(id)) },
    };
    response.writeHead(reply.status ?? 200, reply.headers).end(JSON.stringify(reply.body));
    for (const { count, resolve } of waiters) if (fetches.length >= count) resolve();
  });
  return {
    url,
    fetches,
    waitForFetches(count) {
      const { promise, resolve } = Promise.withResolvers<void>();
      waiters.push({ count, resolve });
      if (fetches.length >= count) resolve();
      return promise;
    },
  };
}
