import { once } from 'node:events';
import { createServer, IncomingMessage, request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createLargeWork, largeWork } from '../../src/lib/fairness/large-work.ts';
import { createSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { owner, record } from '../store/support.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { longestPieceMs } from '../support/longest-piece.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import { serve } from '../support/serve.ts';

const megabyte = 1_000_000;
const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-1' };
/** The target of the health check, for everything else in an iteration of the event loop. */
const maxPieceMs = 100;

const create = `mutation ($input: ChatInput!) {
  createChatCompletion(input: $input) { ... on Generation { id } ... on GengraphError { message } }
}`;

function words(bytes: number): string {
  return 'word of prose "quoted"\n'.repeat(Math.floor(bytes / 26));
}

/** A gateway that reads requests without parsing them, and replies with this text. */
async function startGateway(content: string): Promise<string> {
  const message = { role: 'assistant', content };
  const reply = Buffer.from(JSON.stringify({ id: 'c', choices: [{ index: 0, message }] }));
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(reply);
    });
  });
  return (await serve(server)).url;
}

/** Sends a body, and reads the answer without parsing it. */
async function post({ url }: TestApp, body: Buffer): Promise<Buffer> {
  const request = httpRequest(url, { method: 'POST', headers });
  for (let start = 0; start < body.length; start += megabyte) {
    if (!request.write(body.subarray(start, start + megabyte))) await once(request, 'drain');
  }
  request.end();
  const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream];
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Runs an operation over a WebSocket, and returns its first message without parsing it. */
async function sendOverSocket({ url }: TestApp, payload: string): Promise<Buffer> {
  const socket = new WebSocket(url.replace('http', 'ws'), ['graphql-transport-ws']);
  onTestFinished(() => socket.terminate());
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: headers.authorization } }));
  await once(socket, 'message');
  socket.send(Buffer.from(`{"type":"subscribe","id":"1","payload":${payload}}`), { binary: false });
  const [data] = (await once(socket, 'message')) as [Buffer];
  return data;
}

function createBody(text: string): string {
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text } }] };
  return JSON.stringify({ query: create, variables: { input } });
}

function idIn(answer: Buffer): string {
  const [id] = /generation_[\w-]+/.exec(answer.toString('utf8', 0, 300)) ?? [];
  if (id === undefined) throw new Error(answer.toString('utf8', 0, 300));
  return id;
}

test('a body of 30 MB is handled in pieces, over HTTP and a WebSocket', async () => {
  await using app = await startApp({ gatewayUrl: await startGateway('ok') });
  const body = createBody(words(30 * megabyte));
  const bytes = Buffer.from(body);
  await post(app, bytes);
  expect(await longestPieceMs(async () => idIn(await post(app, bytes)), maxPieceMs)).toBeLessThan(maxPieceMs);
  const message = await sendOverSocket(app, body);
  expect(idIn(message)).toMatch(/^generation_/);
});

test('a reply of 30 MB and the answers with it are handled in pieces, with the same text as small ones', async () => {
  const content = words(30 * megabyte);
  await using app = await startApp({ gatewayUrl: await startGateway(content) });
  const body = Buffer.from(createBody('hello'));
  let id = idIn(await post(app, body));
  const creating = await longestPieceMs(async () => (id = idIn(await post(app, body))), maxPieceMs);
  expect(creating).toBeLessThan(maxPieceMs);
  const query = `{ generation(by: { id: "${id}" }) { output { ... on ChatCompletion { choices { message { content } } } } } }`;
  const read = JSON.stringify({ query });
  const data = { generation: { output: { choices: [{ message: { content } }] } } };
  let answer = await post(app, Buffer.from(read));
  expect(answer.equals(Buffer.from(JSON.stringify({ data })))).toBe(true);
  const reading = await longestPieceMs(async () => (answer = await post(app, Buffer.from(read))), maxPieceMs);
  expect(reading).toBeLessThan(maxPieceMs);
  const message = await sendOverSocket(app, read);
  const expected = JSON.stringify({ id: '1', type: 'next', payload: { data } });
  expect(message.equals(Buffer.from(expected))).toBe(true);
});

test('a large output is parsed in a later iteration than its read', async () => {
  const store = await createSqliteStore({ directory: ':memory:', clock: createSystemClock() });
  onTestFinished(() => store.close());
  const output = { type: 'chat', sequence: 1, choices: [{ index: 0, text: words(3 * megabyte) }] } as const;
  const { id } = await record(store, { output });
  const { promise: nextIteration, resolve: iterate } = Promise.withResolvers<void>();
  const nextPiece = vi.spyOn(largeWork, 'nextPiece').mockImplementation(() => nextIteration);
  onTestFinished(() => nextPiece.mockRestore());
  let content: unknown;
  const reading = store.findContents(owner, [{ id, name: 'output' }]).then(([found]) => (content = found));
  await expect.poll(() => nextPiece.mock.calls).toHaveLength(1);
  expect(content).toBeUndefined();
  iterate();
  expect(await reading).toEqual(output);
});

test.each([
  ['large', '1,'.repeat(600_000)],
  // Exact integers take twenty times as long.
  ['with a long integer', `9007199254740993,${'1,'.repeat(100_000)}`],
  ['of lists', '[],'.repeat(100_000)],
])('a body with too many values is refused before it is parsed: %s', async (_what, values) => {
  await using app = await startApp();
  const body = `{"query":"{ __typename }","variables":{"list":[${values}1]}}`;
  const answer = await post(app, Buffer.from(body));
  expect(answer.toString('utf8')).toContain('The request has more than 100000 values');
  const socket = new WebSocket(app.url.replace('http', 'ws'), ['graphql-transport-ws']);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: headers.authorization } }));
  await once(socket, 'message');
  socket.send(`{"type":"subscribe","id":"1","payload":${body}}`);
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(1009);
});

test('one piece runs per iteration: work in progress first, then answers, then other work', async () => {
  const scheduled: (() => void)[] = [];
  const work = createLargeWork((callback) => scheduled.push(callback));
  const order: string[] = [];
  const run = async (name: string, begin: Promise<void>): Promise<void> => {
    await begin;
    order.push(name);
    await work.nextPiece();
    order.push(`${name} again`);
  };
  const done = [run('first', work.begin()), run('second', work.begin()), run('answer', work.beginAnswer())];
  for (let turn = 1; turn <= 6; turn += 1) {
    expect(scheduled).toHaveLength(1);
    scheduled.pop()?.();
    await Promise.resolve();
    expect(order).toHaveLength(turn);
  }
  await Promise.all(done);
  expect(order).toEqual(['answer', 'answer again', 'first', 'first again', 'second', 'second again']);
  expect(scheduled).toHaveLength(0);
});

test('a body is read and a closed socket ends its subscriptions in pieces', async () => {
  await using app = await startApp();
  const perIteration: number[] = [];
  let bytes = 0;
  const { emit } = IncomingMessage.prototype;
  IncomingMessage.prototype.emit = function (this: IncomingMessage, event: string, ...args: unknown[]) {
    // Of the server, not of the sandbox.
    if (event === 'data' && this.url === '/graphql') {
      if (bytes === 0)
        setImmediate(() => {
          perIteration.push(bytes);
          bytes = 0;
        });
      bytes += (args[0] as Buffer).length;
    }
    return Reflect.apply(emit, this, [event, ...args]);
  } as typeof emit;
  onTestFinished(() => void (IncomingMessage.prototype.emit = emit));
  await post(app, Buffer.from(createBody(words(8 * megabyte))));
  // The threshold, and what had arrived with the part that exceeded it.
  expect(Math.max(...perIteration)).toBeLessThan(megabyte / 2);

  const socket = await openRawSocket(app.url);
  await socket.init();
  for (let index = 0; index < 1000; index += 1)
    socket.subscribe(String(index), 'subscription { generationChanged { cursor } }');
  await expect.poll(() => app.app.activity.feeds).toBe(1000);
  const open = new Set<number>();
  const isEnded = new Promise<void>((resolve) => {
    const look = (): void => {
      open.add(app.app.activity.feeds);
      if (app.app.activity.feeds === 0) resolve();
      else setImmediate(look);
    };
    look();
  });
  socket.terminate();
  await isEnded;
  expect([...open]).toEqual([1000, 750, 500, 250, 0]);
});
