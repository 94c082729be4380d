import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CreateSongDocument,
  GenerationChangedDocument,
  QueueImageDocument,
  TaskProgressDocument,
} from '../../../src/client/documents.generated.ts';
import { deathTimeoutMs, measureDeath } from '../../support/death-bound.ts';
import { subscribe } from '../../support/app.ts';
import { ask, type ChatEvent, chatEvents, made, nextEvent, startChat, toEnd } from '../../support/chats.ts';
import { type FleetServer, isLong, startFleetServer } from '../../support/fleet.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { createRecords, type Records } from '../../support/records.ts';
import { bearer, mint, signInBySecret } from '../../support/sign-in.ts';
import { startWorkingGateway, type WorkingGateway, workingText } from '../../support/working-gateway.ts';

type Headers = Readonly<Record<string, string>>;

/** The keys of the servers, by which the gateway recognizes them. */
const [lostKey, otherKey] = ['sk-of-the-lost', 'sk-of-the-other'] as const;
const taskKinds = ['song', 'image'] as const;

interface Pair {
  readonly lost: FleetServer;
  /** No user has sent it a request yet. */
  readonly other: FleetServer;
  readonly gateway: WorkingGateway;
  readonly records: Records;
}

/** Two servers on PostgreSQL whose users sign in. Each has its own key for the same account of the gateway. */
async function startPair(): Promise<Pair> {
  const [records, gateway] = [await createRecords('PostgreSQL'), await startWorkingGateway()];
  const start = (apiKey: string) =>
    startFleetServer({
      ...signInBySecret,
      GATEWAY_URL: gateway.url,
      DATABASE_URL: records.env['DATABASE_URL'] ?? '',
      GATEWAY_API_KEY: apiKey,
    });
  return { lost: await start(lostKey), other: await start(otherKey), gateway, records };
}

/** Creates a song and a queued image. Resolves with the id of the song's task when the server has read both. */
async function createTasks({ lost, gateway }: Pair, headers: Headers): Promise<string> {
  const song = await lost.run(
    CreateSongDocument,
    { input: { description: 'a shanty', model: 'SONG_V5' } },
    { headers },
  );
  const image = await lost.run(QueueImageDocument, { input: { prompt: 'A lighthouse.' } }, { headers });
  expect(image.data?.queueImage?.__typename).toBe('Generation');
  for (const kind of taskKinds)
    await expect.poll(() => gateway.reads(kind, lostKey), { interval: 50 }).toBeGreaterThan(0);
  const created = song.data?.createSong;
  return (created?.__typename === 'Generation' && created.task?.id) || '';
}

/** Resolves with the time from now until the other server has read both tasks. */
async function takeover({ gateway }: Pair): Promise<number> {
  const startedAt = performance.now();
  for (const kind of taskKinds)
    await expect
      .poll(() => gateway.reads(kind, otherKey), { timeout: 90_000, interval: 50 })
      .toBeGreaterThan(0);
  return performance.now() - startedAt;
}

/** Starts a chat on the first server. Resolves when its text has arrived there. */
async function startRunningChat({ lost }: Pair, headers: Headers): Promise<string> {
  const { id } = made(await startChat(lost, { input: ask('Hello'), idempotencyKey: 'k' }, headers));
  const events = chatEvents(lost.wsClient({ connectionParams: headers }), { id });
  while ((await nextEvent(events)).sequence !== workingText.length);
  await events.return?.();
  return id;
}

function toEnds(events: readonly ChatEvent[]): readonly ChatEvent[] {
  return events.filter(({ __typename: type }) => type !== 'ChatSnapshot' && type !== 'ChatDelta');
}

const interrupted = { __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } };

describe('after the death of a server that holds the key of its users', () => {
  test('another one continues their tasks without a request of theirs, and ends their chats once, within one lease and two seconds', async () => {
    const pair = await startPair();
    const { lost, other, gateway, records } = pair;
    const [ann, bob] = [bearer(await mint('ann')), bearer(await mint('bob'))];
    await createTasks(pair, ann);
    const unwatched = await startRunningChat(pair, ann);
    // Bob is at the other server, Ann is not.
    const watched = await startRunningChat(pair, bob);
    const client = other.wsClient({ connectionParams: bob });
    const events = chatEvents(client, { id: watched });
    const seen = [await nextEvent(events)];
    while (seen.at(-1)?.sequence !== workingText.length) seen.push(await nextEvent(events));
    const statuses: unknown[] = [];
    void (async () => {
      for await (const { data } of subscribe(client, GenerationChangedDocument, {}))
        if (data?.generationChanged.__typename === 'GenerationChanged')
          statuses.push(data.generationChanged.generation.status);
    })();
    for (const id of [unwatched, watched]) await expect.poll(() => hasSavedText(records, id)).toBe(true);

    const death = await measureDeath(records.query, () => {
      lost.process.kill('SIGKILL');
      return lost.process.exited;
    });
    const taken = takeover(pair);
    seen.push(...(await toEnd(events)));
    await expect
      .poll(() => findStatus(records, unwatched), { interval: 50, timeout: deathTimeoutMs })
      .toBe('FAILED');
    await death.expectSettled();
    expect(toEnds(seen)).toMatchObject([interrupted]);
    expect(foldedText(seen)).toBe(workingText);
    expect(await taken).toBeLessThan(20_000);

    gateway.finish();
    const unfinished = "select id from generations where status not in ('SUCCEEDED', 'FAILED')";
    await expect.poll(() => records.query(unfinished), { timeout: 60_000, interval: 100 }).toEqual([]);
    // Now Ann comes back.
    const late = await toEnd(chatEvents(other.wsClient({ connectionParams: ann }), { id: unwatched }));
    expect(toEnds(late)).toMatchObject([interrupted]);
    expect(foldedText(late)).toBe(workingText);
    expect(await statusesOf(other, ann)).toEqual(['CHAT FAILED', 'QUEUED_IMAGE SUCCEEDED', 'SONG SUCCEEDED']);
    expect(await statusesOf(other, bob)).toEqual(['CHAT FAILED']);
    expect(statuses.filter((status) => status !== 'RUNNING')).toEqual(['FAILED']);
    expect([gateway.creates('chat'), gateway.creates('song'), gateway.creates('image')]).toEqual([2, 1, 1]);
  });

  test(
    'another one continues their tasks within 20 seconds if it is only frozen, which reads nothing when it continues',
    { timeout: 240_000 },
    async ({ skip }) => {
      skip(!isLong, 'takes minutes: it runs in npm run test:long');
      const pair = await startPair();
      const { lost, other, gateway, records } = pair;
      const ann = bearer(await mint('ann'));
      const song = await createTasks(pair, ann);
      // The song is watched on the other server, the image nowhere.
      const watch = subscribe(other.wsClient({ connectionParams: ann }), TaskProgressDocument, { id: song });
      expect((await watch.next()).value?.data?.taskProgress.status).toBe('RUNNING');
      lost.process.kill('SIGSTOP');
      onTestFinished(() => lost.process.kill('SIGCONT'));
      const elapsedMs = await takeover(pair);
      process.stdout.write(`polls of a frozen server: taken over after ${Math.round(elapsedMs)} ms\n`);
      expect(elapsedMs).toBeLessThan(20_000);

      const readsBefore = taskKinds.map((kind) => gateway.reads(kind, lostKey));
      lost.process.kill('SIGCONT');
      const expired =
        'select id from instances where expires_at < extract(epoch from clock_timestamp()) * 1000';
      await expect.poll(() => records.query(expired), { timeout: 30_000, interval: 50 }).toEqual([]);
      const reads = gateway.reads('song', otherKey);
      await expect
        .poll(() => gateway.reads('song', otherKey), { timeout: 90_000, interval: 50 })
        .toBeGreaterThanOrEqual(reads + 3);
      expect(taskKinds.map((kind) => gateway.reads(kind, lostKey))).toEqual(readsBefore);
      gateway.finish();
      for (let status; status !== 'SUCCEEDED';)
        status = (await watch.next()).value?.data?.taskProgress.status;
    },
  );
});

async function hasSavedText(records: Records, id: string): Promise<boolean> {
  const select = `select 1 from contents where generation_id = '${id}' and part = 'output'`;
  return (await records.query(select)).length > 0;
}

async function findStatus(records: Records, id: string): Promise<unknown> {
  const [row] = await records.query(`select status from generations where id = '${id}'`);
  return row?.['status'];
}

interface Listed {
  readonly generations: {
    readonly edges: readonly { readonly node: { readonly kind: string; readonly status: string } }[];
  };
}

async function statusesOf(server: FleetServer, headers: Headers): Promise<readonly string[]> {
  const query = '{ generations(first: 10) { edges { node { kind status } } } }';
  const { data } = await server.run<Listed, object>(query, {}, { headers });
  return data?.generations.edges.map(({ node }) => `${node.kind} ${node.status}`).toSorted() ?? [];
}
