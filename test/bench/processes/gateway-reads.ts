import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { Pool } from 'undici';
import type * as gatewayModule from '../../../src/gateway/gateway.ts';
import type * as clockModule from '../../../src/lib/clock.ts';
import { serveCalls } from '../child-process.ts';
import { type ReadWork, readRequests } from '../read-workload.ts';

/** Reads documents of the gateway: with the gateway client of a checkout, or with undici alone. */

const [, , gatewayUrl = '', settings = '{}', checkout] = process.argv;
const { reader } = JSON.parse(settings) as { readonly reader?: 'dispatch' | 'client' };
const connections = 4096;
const credential = 'sk-bench-0123456789abcdef0123456789abcdef';

type Read = (work: ReadWork, requestId: string) => Promise<unknown>;

const read = reader === 'dispatch' ? createFloor() : await createClient();

function createFloor(): Read {
  // The options of the gateway client.
  const pool = new Pool(gatewayUrl, { connections, allowH2: false, keepAliveTimeout: 4000 });
  return (work, requestId) => {
    const { path, query, method, body } = readRequests[work];
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const chunks: Buffer[] = [];
    let status = 0;
    pool.dispatch(
      {
        method,
        path: query ? `${path}?pageNum=${query.pageNum}&pageSize=${query.pageSize}` : path,
        headers: {
          accept: 'application/json',
          'x-request-id': requestId,
          authorization: `Bearer ${credential}`,
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body ? JSON.stringify(body) : null,
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, statusCode) {
          status = statusCode;
        },
        onResponseData: (_controller, chunk) => void chunks.push(chunk),
        onResponseEnd() {
          if (status === 200) resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
          else reject(new Error(`status ${status}`));
        },
        onResponseError: (_controller, error) => reject(error),
      },
    );
    return promise;
  };
}

/** As a server with default settings creates it: with a log at level `info`, without spans and metrics. */
async function createClient(): Promise<Read> {
  const root = checkout === undefined ? new URL('../../../', import.meta.url) : pathToFileURL(`${checkout}/`);
  // Each checkout runs its own modules. The types of an older version may differ.
  const load = (path: string): Promise<unknown> => import(new URL(path, root).href);
  const { createGateway } = (await load('src/gateway/gateway.ts')) as typeof gatewayModule;
  const { createSystemClock } = (await load('src/lib/clock.ts')) as typeof clockModule;
  const gateway = createGateway({
    url: gatewayUrl,
    connections,
    timeoutMs: 600_000,
    stallMs: 120_000,
    readMs: 15_000,
    clock: createSystemClock(),
    log: pino({ level: 'info', base: null }),
    onAccepted() {},
  });
  const caller = { owner: 'o'.repeat(43), credential, userId: undefined, forwarded: {} };
  return (work, requestId) => {
    const { path, query, method, body } = readRequests[work];
    return gateway.read({
      path,
      ...(query && { query: { ...query } }),
      ...(body && { method, body }),
      caller,
      requestId,
    });
  };
}

export interface Reads {
  readonly work: ReadWork;
  readonly count: number;
  /** Reads in flight. */
  readonly concurrency: number;
}

let lastRequest = 0;

async function readMany({ work, count, concurrency }: Reads): Promise<{ cpuMicros: number; found: number }> {
  const { countEntries } = readRequests[work];
  let asked = 0;
  let found = 0;
  const readInTurn = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      lastRequest += 1;
      const reply = await read(work, `request-${lastRequest}`);
      found += countEntries(reply);
    }
  };
  const before = process.cpuUsage();
  await Promise.all(Array.from({ length: concurrency }, readInTurn));
  const { user, system } = process.cpuUsage(before);
  return { cpuMicros: user + system, found };
}

const calls = { readMany };
export type GatewayReadCalls = typeof calls;
serveCalls(calls);
