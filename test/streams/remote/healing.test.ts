import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ask, chatEvents, findGeneration, made, nextEvent, startChat, toEnd } from '../../support/chats.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { startInstances } from '../../support/instances.ts';
import { words } from '../../support/scripted-gateway.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

/** A chat of the first server that is followed on the second. */
async function startFollowed() {
  const instances = await startInstances(2);
  const { first, second, gateway } = instances;
  const starting = startChat(first, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  const events = chatEvents(second.wsClient(), { id });
  return { ...instances, exchange, id, events, seen: [await nextEvent(events)] };
}

test('a watcher on another server gets everything after all connections to the database were closed', async () => {
  const { records, exchange, events, seen } = await startFollowed();
  await records.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  exchange.send(...words('b', 'c'));
  while (seen.at(-1)?.sequence !== 3) seen.push(await nextEvent(events));
  exchange.send(...words('d'), '[DONE]');
  seen.push(...(await toEnd(events)));
  expect(foldedText(seen)).toBe('abcd');
  expect(seen.at(-1)?.__typename).toBe('ChatCompleted');
});

test('a watcher on another server gets no second snapshot if the end of a chat is recorded while its server cannot send', async () => {
  const { second, records, gateway, start } = await startInstances(2);
  const { DATABASE_URL: url = '' } = records.env;
  const listening = await startTcpProxy(url);
  const producer = await start({ env: { DATABASE_LISTEN_URL: listening.url } });
  const starting = startChat(producer, { input: ask('Hello'), idempotencyKey: 'k' });
  const exchange = await gateway.exchange(0);
  exchange.send(...words('a'));
  const { id } = made(await starting);
  const events = chatEvents(second.wsClient(), { id });
  const seen = [await nextEvent(events)];
  listening.refuse();
  exchange.send(...words('b'), '[DONE]');
  await expect.poll(async () => (await findGeneration(second, id))?.status).toBe('SUCCEEDED');
  const next = nextEvent(events);
  // Several checks of the record.
  expect(await Promise.race([next, wait(4000)])).toBeUndefined();
  listening.accept();
  seen.push(await next, ...(await toEnd(events)));
  expect(seen.map(({ __typename: type }) => type)).toEqual(['ChatSnapshot', 'ChatDelta', 'ChatCompleted']);
  expect(foldedText(seen)).toBe('ab');
});

test('a watcher on another server gets everything after messages were lost', async () => {
  const { second, records, exchange, id, events, seen } = await startFollowed();
  const slow = chatEvents(second.wsClient(), { id, minIntervalMs: 10_000 });
  const slowSeen = [await nextEvent(slow)];
  // Deltas are gone before they are read.
  await records.query(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
  await records.query(
    'create trigger lose before insert on instance_messages_1 for each row execute function lose()',
  );
  exchange.send(...words('b', 'c'));
  await expect
    .poll(async () => (await records.query("select body from contents where part = 'output'")).length)
    .toBe(1);
  await records.query('drop trigger lose on instance_messages_1');
  exchange.send(...words('d'));
  while (seen.at(-1)?.sequence !== 4) seen.push(await nextEvent(events));
  exchange.send('[DONE]');
  for (const [all, rest] of [
    [seen, events],
    [slowSeen, slow],
  ] as const) {
    all.push(...(await toEnd(rest)));
    expect(foldedText(all)).toBe('abcd');
    expect(all.at(-1)?.__typename).toBe('ChatCompleted');
    // The lost deltas come as one.
    expect(all.filter(({ __typename }) => __typename === 'ChatSnapshot')).toHaveLength(1);
  }
});
