import { expect, test } from 'vitest';
import { listenTo, type StreamChange, streamChange, topics } from '../../../src/streams/remote/messages.ts';
import { createFollowedChat } from '../../support/followed-chat.ts';

test('a server checks the record of a chat elsewhere for one minute if its watcher never reads', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  chat.subscribe();
  await chat.advance(58_000);
  expect(chat.checks).toBe(58);
  await chat.advance(4000);
  const { checks } = chat;
  await chat.advance(60_000);
  expect(chat.checks).toBe(checks);
});

test('a watcher that reads first when the last other one has left gets the chat and its end', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const first = chat.subscribe();
  const seen = first.read();
  await chat.advance(100);
  expect(seen.map(({ type }) => type)).toEqual(['snapshot']);
  const late = chat.subscribe();
  await first.leave();
  const events = late.read();
  chat.append('b');
  await chat.advance(100);
  expect(events.at(-1)).toMatchObject({ state: { choices: [{ content: 'ab' }] } });
  await chat.end('SUCCEEDED');
  await chat.advance(1000);
  expect(events.at(-1)?.type).toBe('end');
});

test('a watcher that reads first after more than a minute gets the chat and its end', async () => {
  const chat = createFollowedChat();
  chat.append('a');
  const late = chat.subscribe();
  await chat.advance(65_000);
  const events = late.read();
  await chat.advance(100);
  expect(events.map(({ type }) => type)).toEqual(['snapshot']);
  await chat.end('SUCCEEDED');
  await chat.advance(1000);
  expect(events.at(-1)?.type).toBe('end');
});

test('the end is the last message about a chat, also to a server that is away when its producer connects again', async () => {
  const chat = createFollowedChat();
  const { producer, reader } = chat;
  const received: StreamChange['type'][] = [];
  listenTo(reader, topics.changes, streamChange, ({ type }) => received.push(type));
  /** The producer connects again while the reader is away, and is away when the reader comes back. */
  const readAfterReconnect = async (): Promise<readonly StreamChange['type'][]> => {
    producer.cut();
    producer.restore();
    producer.cut();
    reader.restore();
    await chat.advance(100);
    producer.restore();
    return received.splice(0);
  };
  chat.append('a');
  chat.watch();
  await chat.advance(100);
  received.splice(0);
  reader.cut();
  expect(await readAfterReconnect()).toEqual(['position']);
  await chat.advance(100);
  received.splice(0);
  reader.cut();
  await chat.end('SUCCEEDED');
  expect(await readAfterReconnect()).toEqual(['end']);
});

test('the watchers of a large chat elsewhere share one copy of its state, which is sent again only if it does not arrive', async () => {
  const chat = createFollowedChat();
  const received: boolean[] = [];
  listenTo(chat.reader, topics.changes, streamChange, (change) => received.push('state' in change));
  chat.append('a'.repeat(3_000_000));
  const { send } = chat.producer;
  let lost = 0;
  chat.producer.send = () => void (lost += 1);
  const watchers = [chat.watch(), chat.watch({ after: 0 }), chat.watch()];
  // Three seconds are allowed for three megabytes.
  await chat.advance(3005);
  expect(lost).toBe(1);
  chat.producer.send = send;
  await chat.advance(1100);
  expect(received).toEqual([true, false, false]);
  expect(watchers.map((events) => events.map(({ type }) => type))).toEqual([
    ['snapshot'],
    ['delta'],
    ['snapshot'],
  ]);
});
