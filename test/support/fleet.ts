import { expect, onTestFinished } from 'vitest';
import { type ServerProcess, startServerProcess } from '../stream-contract/set-ups/server-process.ts';
import { type Api, apiAt } from './app.ts';
import { sendRequest } from './http.ts';

/** Long tests of faults run with `npm run test:long`. */
export const isLong = process.env['FAULTS'] === 'all';

/** A server in a process of its own, whose clock the test can set. */
export interface FleetServer extends Api {
  readonly process: ServerProcess;
  /** The status of a health endpoint. */
  health(name: 'live' | 'ready'): Promise<number>;
}

export type FleetOptions = Readonly<Record<'DATABASE_URL' | 'GATEWAY_URL', string>> &
  Readonly<Record<string, string>>;

/** Killed when the test ends. */
export async function startFleetServer(env: FleetOptions): Promise<FleetServer> {
  const server = await startServerProcess({ ANONYMOUS_OPERATIONS_PER_SECOND: '100000', ...env });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.exited;
  });
  return {
    ...apiAt(`${server.origin}/graphql`),
    process: server,
    health: async (name) =>
      (await sendRequest(new URL(`/health/${name}`, server.origin).href, { method: 'GET' })).status,
  };
}

export async function waitUntilReady(servers: readonly FleetServer[]): Promise<void> {
  for (const server of servers)
    await expect.poll(() => server.health('ready'), { timeout: 60_000, interval: 50 }).toBe(200);
}

/** How a create ended for its client. `id` and `code` are absent if no answer arrived. */
export interface Outcome {
  readonly id?: string;
  readonly code?: string;
  readonly message?: string;
}

/** Creates of one owner take turns at its sums. */
const owners = 10;

/** Sends a create with its intent as text and key. Every second one streams. */
export async function sendIntent(server: FleetServer, intent: string): Promise<Outcome> {
  const number = Number(intent.slice('intent-'.length));
  const headers = { authorization: `Bearer sk-${number % owners}` };
  const field = Math.floor(number / owners) % 2 === 0 ? 'startChat' : 'createChatCompletion';
  const { data, errors } = await server.run<{ made: Outcome }, object>(
    `mutation {
      made: ${field}(
        input: { model: "m", messages: [{ role: USER, content: { text: "${intent}" } }] }, idempotencyKey: "${intent}"
      ) { __typename ... on Generation { id } ... on GengraphError { code message } }
    }`,
    undefined,
    { headers },
  );
  return data?.made ?? { code: JSON.stringify(errors?.[0]?.extensions?.['code'] ?? 'none') };
}

export function intentsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `intent-${index}`);
}

/** The servers in turn. */
export function pick(servers: readonly FleetServer[], index: number): FleetServer {
  const server = servers[index % servers.length];
  if (!server) throw new Error('the fleet has no servers');
  return server;
}

/** Runs at most `limit` at a time. */
export async function forEachLimited<Item>(
  items: readonly Item[],
  limit: number,
  run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const remaining = [...items.entries()];
  const work = async (): Promise<void> => {
    for (let next = remaining.shift(); next; next = remaining.shift()) await run(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: limit }, work));
}
