import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Api, sandboxKey, type TestApp } from './app.ts';
import { ask, made, startChat } from './chats.ts';
import { postJson } from './http.ts';
import { openRawSocket, type RawSocket } from './raw-socket.ts';
import { type Exchange, type ScriptedGateway, startScripted, words } from './scripted-gateway.ts';

export const megabyte = 1024 * 1024;

const pieceCount = 83;
/** Many of its characters have two bytes: a chat may have 8.4 million characters, which are then 10 MB. */
const piece = "À côté, l'été réglé s'est répété là-bas. ".repeat(2440);

/** A running chat whose reply has 10 MB so far, as sent. */
export interface BigReply extends AsyncDisposable {
  readonly app: TestApp;
  readonly gateway: ScriptedGateway;
  readonly exchange: Exchange;
  /** The text that the gateway has sent. */
  readonly text: string;
  readonly id: string;
  /** A subscription whose every event contains the whole reply. */
  readonly query: string;
}

export interface SoFar {
  readonly chatEvents: {
    readonly sequence: number;
    readonly soFar: { readonly choices: readonly { readonly message: { readonly content: string } }[] };
  };
}

export function textOf({ data }: { readonly data?: SoFar | null | undefined }): string {
  return data?.chatEvents.soFar.choices[0]?.message.content ?? '';
}

export async function startBigReply(options: Parameters<typeof startScripted>[0] = {}): Promise<BigReply> {
  const scripted = await startScripted(options);
  const reply = await sendBigReply(scripted, sandboxKey);
  return { ...scripted, ...reply, [Symbol.asyncDispose]: () => scripted[Symbol.asyncDispose]() };
}

/** Starts another chat like that of `startBigReply`, for the caller with these headers. */
export async function sendBigReply(
  { app, gateway }: { readonly app: Api; readonly gateway: ScriptedGateway },
  headers: Readonly<Record<string, string>>,
): Promise<Pick<BigReply, 'exchange' | 'text' | 'id' | 'query'>> {
  const index = gateway.requests.length;
  const starting = startChat(app, { input: ask('Tell me much') }, headers);
  const exchange = await gateway.exchange(index);
  exchange.accept();
  const { id } = made(await starting);
  const sequences = app
    .wsClient({ connectionParams: headers })
    .iterate<SoFar>({ query: `subscription { chatEvents(id: "${id}") { sequence } }` });
  for (let sent = 0; sent < pieceCount; sent += 1) exchange.send(...words(piece));
  for await (const { data } of sequences) if (data?.chatEvents.sequence === pieceCount) break;
  return {
    exchange,
    text: piece.repeat(pieceCount),
    id,
    query: `subscription { chatEvents(id: "${id}", minIntervalMs: 0) { sequence soFar { choices { message { content } } } } }`,
  };
}

/** Gives the server time to work, by round trips instead of a sleep. */
export async function takeTurns({ url }: TestApp, count = 5): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await postJson(url, { query: '{ __typename }' });
}

/** Subscribes to the queries over a WebSocket that never reads. */
export async function openStuckSocket(
  app: Pick<Api, 'url'>,
  queries: readonly string[],
  connectionParams: Readonly<Record<string, string>> = sandboxKey,
): Promise<RawSocket> {
  const socket = await openRawSocket(app.url);
  await socket.init(connectionParams);
  socket.pause();
  for (const [index, query] of queries.entries()) socket.subscribe(String(index), query);
  return socket;
}

/** Sends an operation over an HTTP connection that never reads. */
export function openStuckRequest(app: TestApp, query: string, accept: string): Socket {
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  const body = JSON.stringify({ query });
  const head = [
    'POST /graphql HTTP/1.1',
    'host: x',
    'authorization: Bearer sk-sandbox',
    'content-type: application/json',
    `accept: ${accept}`,
    `content-length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}
