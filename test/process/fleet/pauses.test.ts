import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  ask,
  type ChatEvent,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  refused,
  startChat,
  toEnd,
} from '../../support/chats.ts';
import { measureDeath } from '../../support/death-bound.ts';
import { type FleetServer, isLong, startFleetServer } from '../../support/fleet.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { startFreezingProxy } from '../../support/freezing-proxy.ts';
import { createRecords, type Records } from '../../support/records.ts';
import {
  type Exchange,
  type ScriptedGateway,
  startScriptedGateway,
  words,
} from '../../support/scripted-gateway.ts';

/** Longer than three leases. */
const pauseMs = 36_000;
const serverCount = 3;
const chatsPerServer = 3;

interface RunningChat {
  readonly id: string;
  readonly exchange: Exchange;
  /** One watcher on each server. Their clients never reconnect. */
  readonly ended: readonly Promise<readonly ChatEvent[]>[];
}

interface Fleet {
  readonly servers: readonly FleetServer[];
  readonly gateway: ScriptedGateway;
  readonly records: Records;
  /** Continues the network between the first server and the database, or stops it. */
  readonly network: { freeze(): void; thaw(): void };
}

async function startFleet(): Promise<Fleet> {
  const [records, gateway] = [await createRecords('PostgreSQL'), await startScriptedGateway()];
  const databaseUrl = records.env['DATABASE_URL'] ?? '';
  const network = await startFreezingProxy(databaseUrl);
  const servers: FleetServer[] = [];
  while (servers.length < serverCount)
    servers.push(
      await startFleetServer({
        GATEWAY_URL: gateway.url,
        DATABASE_URL: servers.length === 0 ? network.url : databaseUrl,
      }),
    );
  return { servers, gateway, records, network };
}

/** Starts chats on a server, which all servers watch. */
async function runChats({ servers, gateway }: Fleet, server: FleetServer): Promise<readonly RunningChat[]> {
  const chats: RunningChat[] = [];
  for (let index = 0; index < chatsPerServer; index += 1) {
    const at = gateway.requests.length;
    const key = `${server.url} ${at}`;
    const starting = startChat(server, { input: ask(key), idempotencyKey: key });
    const exchange = await gateway.exchange(at);
    exchange.send(...words('a'));
    const { id } = made(await starting);
    const ended = await Promise.all(
      servers.map(async (each) => {
        const events = chatEvents(each.wsClient(), { id });
        const seen = [await nextEvent(events)];
        while (seen.at(-1)?.sequence !== 1) seen.push(await nextEvent(events));
        return { rest: toEnd(events).then((more) => [...seen, ...more]) };
      }),
    );
    chats.push({ id, exchange, ended: ended.map(({ rest }) => rest) });
  }
  return chats;
}

function pause(servers: readonly FleetServer[]): void {
  for (const server of servers) {
    server.process.kill('SIGSTOP');
    onTestFinished(() => server.process.kill('SIGCONT'));
  }
}

function resume(servers: readonly FleetServer[]): void {
  for (const server of servers) server.process.kill('SIGCONT');
}

/** Ends the chats at the gateway. Every watcher must get the whole text and one end. Returns the number of interrupted chats. */
async function finish(fleet: Fleet, chats: readonly RunningChat[]): Promise<number> {
  for (const { exchange } of chats) exchange.send(...words('c'), '[DONE]');
  for (const { ended } of chats)
    for (const events of await Promise.all(ended)) {
      expect(events.at(-1)?.__typename).toBe('ChatCompleted');
      expect(
        events.filter(({ __typename: type }) => type !== 'ChatDelta' && type !== 'ChatSnapshot'),
      ).toHaveLength(1);
      expect(foldedText(events)).toBe('abc');
    }
  expect(fleet.gateway.requests).toHaveLength(chats.length);
  const interrupted = await fleet.records.query(
    "select id from generations where error like '%INTERRUPTED%'",
  );
  return interrupted.length;
}

function report(what: string, chats: readonly RunningChat[]): void {
  const watchers = chats.length * serverCount;
  process.stdout.write(`${what}: ${chats.length} chats, ${watchers} watchers, 0 INTERRUPTED\n`);
}

describe('three servers on PostgreSQL', { timeout: 180_000 }, () => {
  beforeEach(({ skip }) => skip(!isLong, 'takes minutes: it runs in npm run test:long'));

  test.each([
    ['one is', 1],
    ['all are', serverCount],
  ])('end no chat while %s paused for longer than the lease', async (_name, count) => {
    const fleet = await startFleet();
    const { servers } = fleet;
    const running: RunningChat[] = [];
    for (const server of servers) running.push(...(await runChats(fleet, server)));
    pause(servers.slice(0, count));
    for (const { exchange } of running) exchange.send(...words('b'));
    await wait(pauseMs);
    resume(servers.slice(0, count));
    expect(await finish(fleet, running)).toBe(0);
    report(`after a pause of 36 s of ${count} of 3 servers`, running);
  });

  test('end no chat when the clocks of servers step by 40 seconds forward and back', async () => {
    const fleet = await startFleet();
    const { servers } = fleet;
    const running: RunningChat[] = [];
    for (const server of servers) running.push(...(await runChats(fleet, server)));
    for (const { exchange } of running) exchange.send(...words('b'));
    for (const offsets of [
      [40_000, 0, -40_000],
      [-40_000, 40_000, 0],
      [0, 0, 0],
    ]) {
      await Promise.all(servers.map(({ process }, index) => process.setClockOffset(offsets[index] ?? 0)));
      // Longer than the checks of sessions and the renewals of leases.
      await wait(10_000);
    }
    expect(await finish(fleet, running)).toBe(0);
    report('after clock steps of 40 s', running);
  });

  test('end no chat while the network between one server and the database stands still for longer than the lease', async () => {
    const fleet = await startFleet();
    const { servers, network, gateway } = fleet;
    const running: RunningChat[] = [];
    for (const server of servers) running.push(...(await runChats(fleet, server)));
    const [cut, other] = servers;
    if (!cut || !other) throw new Error('the fleet has three servers');
    network.freeze();
    for (const { exchange } of running) exchange.send(...words('b'));
    const create = { input: ask('Hello'), idempotencyKey: 'during the outage' };
    const before = gateway.requests.length;
    expect(await createChatCompletion(cut, create).catch(String)).toMatch(/RECORDS_UNAVAILABLE/);
    expect(gateway.requests).toHaveLength(before);
    await wait(pauseMs);
    network.thaw();
    expect(await finish(fleet, running)).toBe(0);
    await expect.poll(() => cut.health('ready'), { timeout: 30_000, interval: 100 }).toBe(200);
    const creating = createChatCompletion(other, create);
    (await gateway.exchange(before)).reply(200, { choices: [{ message: { content: 'Hi' } }] });
    const { id } = made(await creating);
    expect(made(await createChatCompletion(cut, create)).id).toBe(id);
    report('after a network that stood still for 36 s', running);
  });

  test('take the work of a paused one that has lost its lock, and it corrects the endings when it continues', async () => {
    const fleet = await startFleet();
    const { servers, gateway, records } = fleet;
    const [frozen, other] = servers;
    if (!frozen || !other) throw new Error('the fleet has three servers');
    const running = await runChats(fleet, frozen);
    const sending = { input: ask('in flight'), idempotencyKey: 'in flight' };
    const first = createChatCompletion(frozen, sending).catch(() => undefined);
    const exchange = await gateway.exchange(running.length);
    const [holder] = await records.query('select instance_id from generations where instance_id is not null');
    const death = await measureDeath(records.query, () => {
      pause([frozen]);
      return records.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
          and objid = (hashtext('${String(holder?.['instance_id'])}')::bigint & 4294967295)::oid`,
      );
    });
    // The watchers on the other servers get the end.
    const ends = await Promise.all(running.flatMap(({ ended }) => ended.slice(1)));
    await death.expectSettled();
    for (const events of ends)
      expect(events.at(-1)).toMatchObject({ __typename: 'ChatFailed', error: { code: 'INTERRUPTED' } });
    const unknown = refused(await createChatCompletion(other, sending));
    expect(unknown.code).toBe('OUTCOME_UNKNOWN');
    for (const chat of running) chat.exchange.send(...words('b'), '[DONE]');
    exchange.reply(200, { choices: [{ message: { content: 'Hi' } }] });
    resume([frozen]);
    for (const { id, ended } of running) {
      const events = (await ended[0]) ?? [];
      expect(events.at(-1)?.__typename).toBe('ChatCompleted');
      expect(foldedText(events)).toBe('ab');
      for (const server of servers)
        expect(await findGeneration(server, id)).toMatchObject({ status: 'SUCCEEDED', error: null });
    }
    // It sends nothing again.
    await first;
    expect(made(await createChatCompletion(other, sending))).toMatchObject({
      id: unknown.generation?.id,
      status: 'SUCCEEDED',
    });
    expect(gateway.requests).toHaveLength(running.length + 1);
  });
});
