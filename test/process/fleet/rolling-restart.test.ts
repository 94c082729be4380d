import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { type Api, apiAt, sandboxKey } from '../../support/app.ts';
import { ask, streamChat, toEnd } from '../../support/chats.ts';
import { startFakeGateway } from '../../support/fake-gateway.ts';
import { type FleetOptions, type FleetServer, isLong, startFleetServer } from '../../support/fleet.ts';
import { postJson } from '../../support/http.ts';
import { skipWithoutNginx, startSite } from '../../support/nginx.ts';
import { findPort } from '../../support/postgres-broker.ts';
import { createDatabaseRecords } from '../../support/records.ts';
import { chunk } from '../../support/scripted-gateway.ts';

beforeEach(skipWithoutNginx);

const pieces = Array.from({ length: 12 }, (_, index) => `word-${index} `);
const text = pieces.join('');
/** A chat takes a second. */
const pieceMs = 80;

/** A gateway whose chats take their time. Notes the intent of each request. */
async function startPacedGateway() {
  const intents: string[] = [];
  const gateway = await startFakeGateway(async (_request, response, body) => {
    intents.push(/intent-\d+/.exec(body)?.[0] ?? 'none');
    if (!body.includes('"stream":true')) {
      response.end(JSON.stringify({ choices: [{ message: { content: text } }] }));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of pieces) {
      response.write(`data: ${JSON.stringify(chunk({ content }))}\n\n`);
      await wait(pieceMs);
    }
    response.end('data: [DONE]\n\n');
  });
  return { url: gateway.url, intents };
}

let intents = 0;

/** The text of a create, unlike that of any other. */
function nextIntent(): string {
  intents += 1;
  return `intent-${intents}`;
}

interface Instance {
  readonly url: string;
  /** Stops it by SIGTERM and starts it again. Resolves when it is ready. */
  restart(): Promise<void>;
  /** Open WebSockets. */
  countSockets(): Promise<number>;
}

/** A server that keeps its port. */
async function startInstance(env: FleetOptions): Promise<Instance> {
  const settings = {
    PORT: String(await findPort()),
    SHUTDOWN_SECONDS: '30',
    METRICS_ON_MAIN_PORT: 'true',
    ...env,
  };
  const start = async (): Promise<FleetServer> => {
    const server = await startFleetServer(settings);
    await expect.poll(() => server.health('ready'), { timeout: 30_000, interval: 50 }).toBe(200);
    return server;
  };
  let current = await start();
  const { origin } = current.process;
  return {
    url: origin,
    async restart() {
      current.process.kill('SIGTERM');
      await current.process.exited;
      current = await start();
    },
    async countSockets() {
      const figures = await (await fetch(`${origin}/metrics`)).text();
      return Number(/^gengraph_sockets(?:\{.*\})? (\d+)/m.exec(figures)?.[1]);
    },
  };
}

/** What clients saw. */
interface Outcomes {
  operations: number;
  readonly failures: string[];
}

type Step = (client: Client) => Promise<void>;

async function chat(client: Client): Promise<void> {
  const last = (await toEnd(streamChat(client, { input: ask(nextIntent()) }))).at(-1);
  expect(last?.__typename).toBe('ChatCompleted');
  expect(last?.soFar.choices[0]?.message.content).toBe(text);
}

async function runOnce(client: Client, query: string): Promise<void> {
  const results = [];
  for await (const result of client.iterate({ query })) results.push(result);
  expect(results).toHaveLength(1);
  expect(results[0]?.errors).toBeUndefined();
}

const read: Step = (client) => runOnce(client, '{ generations(first: 3) { edges { node { id status } } } }');
const create: Step = (client) =>
  runOnce(
    client,
    `mutation { createChatCompletion(input: {model: "m", messages: [{role: USER, content: {text: "${nextIntent()}"}}]}) { ... on Generation { id } } }`,
  );

/** Runs operations one after the other until the signal aborts. */
async function keepRunning(
  outcomes: Outcomes,
  signal: AbortSignal,
  run: (turn: number) => Promise<void>,
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    outcomes.operations += 1;
    await run(turn).catch((error: unknown) => outcomes.failures.push(describe(error)));
    await wait(20);
  }
}

function describe(error: unknown): string {
  return error instanceof Error
    ? error.message
    : JSON.stringify(error, ['code', 'reason', 'message', 'type']);
}

/** Stock clients: some open a socket for each operation, some share one that a feed keeps open. */
function startLoad(site: Api, { clients }: { readonly clients: number }) {
  const outcomes: Outcomes = { operations: 0, failures: [] };
  const stop = new AbortController();
  const connect = (): Client => site.wsClient({ retryAttempts: 5 });
  const steps: readonly Step[] = [chat, read, read, create, read];
  const step = (client: Client, turn: number): Promise<void> => (steps[turn % steps.length] ?? chat)(client);
  const shared = connect();
  const unsubscribe = shared.subscribe(
    { query: 'subscription { generationChanged { cursor } }' },
    { next() {}, complete() {}, error: (error) => outcomes.failures.push(describe(error)) },
  );
  const running = Array.from({ length: clients }, (_, index) => {
    const client = index % 2 === 0 ? connect() : shared;
    return keepRunning(outcomes, stop.signal, (turn) => step(client, turn + index));
  });
  running.push(
    keepRunning(outcomes, stop.signal, async () => {
      // On a connection of its own: nginx closes idle connections of clients when it is reloaded.
      const { json } = await postJson(
        site.url,
        { query: '{ generations(first: 1) { edges { cursor } } }' },
        sandboxKey,
      );
      expect(json.data).toHaveProperty('generations');
    }),
    keepRunning(outcomes, stop.signal, async (turn) => {
      const events = streamChat(site.sseClient(), {
        input: ask(nextIntent()),
        idempotencyKey: `sse-${turn}`,
      });
      expect((await toEnd(events)).at(-1)?.__typename).toBe('ChatCompleted');
    }),
  );
  return {
    outcomes,
    async end() {
      stop.abort();
      unsubscribe();
      await Promise.all(running);
    },
  };
}

const cases = isLong ? (['with "down"', 'without "down"'] as const) : (['without "down"'] as const);

test.each(cases)(
  'no operation of a stock client fails while three instances behind nginx are restarted in turn, %s',
  async (way) => {
    const [gateway, records] = [await startPacedGateway(), await createDatabaseRecords()];
    const { DATABASE_URL = '' } = records.env;
    const env = { DATABASE_URL, GATEWAY_URL: gateway.url, TRUST_PROXY: '127.0.0.1' };
    const instances = await Promise.all([startInstance(env), startInstance(env), startInstance(env)]);
    const site = await startSite(instances.map(({ url }) => url));
    const load = startLoad(apiAt(`${site.url}/graphql`), { clients: isLong ? 40 : 12 });
    onTestFinished(() => load.end());
    while (load.outcomes.operations < (isLong ? 1000 : 100)) {
      for (const instance of instances) {
        if (way === 'with "down"') await site.markDown(instance.url);
        await instance.restart();
        if (way === 'with "down"') await site.markDown(undefined);
        // nginx does not use it until `fail_timeout` is over.
        await expect.poll(instance.countSockets, { timeout: 60_000, interval: 100 }).toBeGreaterThan(0);
      }
    }
    await load.end();
    console.log(`${load.outcomes.operations} operations, ${load.outcomes.failures.length} failed`);
    expect(load.outcomes.failures).toEqual([]);
    // Repeated creates are sent once.
    expect(gateway.intents.toSorted()).toEqual([...new Set(gateway.intents)].toSorted());
  },
  300_000,
);
