import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { builtIn } from './access/credentials.ts';
import { createTokenRegistry } from './access/tokens.ts';
import { routes } from './families.ts';
import { createActivityLog, type Activity, type ActivityLog, type SandboxRequest } from './http/activity.ts';
import { createApp } from './http/app.ts';
import { toErrorBody } from './http/errors.ts';
import type { Route } from './http/routes.ts';
import { createMediaLibrary } from './media/library.ts';

export type { SandboxRequest } from './http/activity.ts';

export interface SandboxOptions {
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** @default 0, any free port */
  readonly port?: number;
  /**
   * Pace of chat replies, per choice; Infinity for none.
   * @default 50
   */
  readonly tokensPerSecond?: number;
  /**
   * How long a task takes from its creation to its end; 0 for done at the first read.
   * @default 4
   */
  readonly taskSeconds?: number;
  /** Called once per request, when its body has arrived. */
  readonly onRequest?: (request: SandboxRequest) => void;
  /**
   * Milliseconds since the epoch, for expiry and timestamps.
   * @default Date.now
   */
  readonly clock?: () => number;
  /**
   * Varies ids and replies without a seed; a number from 0 up to but not including 1.
   * @default Math.random
   */
  readonly random?: () => number;
}

/** A running sandbox gateway. */
export interface Sandbox {
  /** `http://127.0.0.1:4010` */
  readonly url: string;
  readonly apiKey: string;
  readonly systemToken: string;
  readonly userId: string;
  /** Status endpoints that the gateway's document does not have, by kind of work. */
  readonly statusPaths: Readonly<Record<string, string>>;
  readonly activity: Activity;
  findToken(
    key: string,
  ): { readonly remainQuota: number; readonly usedQuota: number; readonly name: string } | undefined;
  /** Closes the server and ends all requests, running streams included. */
  close(): Promise<void>;
}

function statusPathsOf(list: readonly Route[]): Sandbox['statusPaths'] {
  const found = list.flatMap(({ path, statusOf }) =>
    statusOf === undefined
      ? []
      : [[statusOf, path.includes(':id') ? path.replace(':id', '{id}') : `${path}?id={id}`] as const],
  );
  return Object.fromEntries(found);
}

/** Starts a sandbox gateway. Rejects with the server's own error if it cannot listen. */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, tokensPerSecond = 50, taskSeconds = 4 } = options;
  const { clock = Date.now, random = Math.random, onRequest } = options;
  if (!(tokensPerSecond > 0)) throw new RangeError('tokensPerSecond must be greater than 0');
  if (!(taskSeconds >= 0 && taskSeconds < Infinity)) throw new RangeError('taskSeconds must not be negative');

  const tokens = createTokenRegistry({ builtInKey: builtIn.apiKey, clock, random });
  const activity = createActivityLog(onRequest);
  const media = createMediaLibrary({ random, clock });
  const services = { tokens, clock, random, tokensPerSecond, taskSeconds, media };
  const app = createApp({ routes, services, activity });
  const server = createHttpServer(app.fetch, activity);
  server.listen(port, host);
  await once(server, 'listening');

  let closed: Promise<void> | undefined;
  return {
    url: toUrl(server.address()),
    ...builtIn,
    statusPaths: statusPathsOf(routes),
    activity,
    findToken(key) {
      const token = tokens.find(key);
      if (!token) return undefined;
      const { name, remainQuota, usedQuota } = token;
      return { name, remainQuota: Number(remainQuota), usedQuota: Number(usedQuota) };
    },
    close() {
      activity.beginClosing();
      closed ??= Promise.all([closeServer(server), media.close()]).then(() => {});
      return closed;
    },
  };
}

type Fetch = Parameters<typeof getRequestListener>[0];

function createHttpServer(fetch: Fetch, activity: ActivityLog): Server {
  const listener = getRequestListener(fetch, {
    // The global Request and Response belong to the process that embeds the sandbox.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json(malformed, { status: 400 }),
  });
  const server = createServer((incoming, outgoing) => {
    activity.begin(incoming, outgoing);
    void listener(incoming, outgoing);
  });
  // Longer than clients keep idle connections, so that they do not reuse a closing one.
  server.keepAliveTimeout = 30_000;
  server.on('clientError', answerMalformed);
  return server;
}

const malformed = toErrorBody({
  message: 'The request is not valid HTTP, or its Host header is malformed',
  type: 'invalid_request_error',
  code: 'bad_request',
});

/** Answers bytes that are not valid HTTP. Node creates no request for them, so the reply is written to the socket. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isOverflow = error.code === 'HPE_HEADER_OVERFLOW';
  const status = isOverflow ? '431 Request Header Fields Too Large' : '400 Bad Request';
  const body = JSON.stringify(malformed);
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function toUrl(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('The server has no address');
  const { address: ip, family, port } = address;
  // Clients cannot connect to an unspecified address: they use loopback.
  const host = ip === '0.0.0.0' ? '127.0.0.1' : ip === '::' ? '::1' : ip;
  return family === 'IPv6' ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

async function closeServer(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}
