import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from 'graphql-ws';
import { expect } from 'vitest';
import { type Api, sandboxKey } from './app.ts';
import { ask, streamChat, toEnd } from './chats.ts';
import { startFakeGateway } from './fake-gateway.ts';
import { postJson } from './http.ts';
import { chunk } from './scripted-gateway.ts';

const pieces = Array.from({ length: 12 }, (_, index) => `word-${index} `);
const text = pieces.join('');
/** A chat takes a second. */
const pieceMs = 80;

/** A gateway whose chats take their time. Notes the intent of each request. */
export async function startPacedGateway() {
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
export function startLoad(
  site: Api,
  { clients, retryAttempts = 0 }: { readonly clients: number; readonly retryAttempts?: number },
) {
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
      const events = streamChat(site.sseClient({ retryAttempts }), {
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
