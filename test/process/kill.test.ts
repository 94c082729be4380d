import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExecutionResult, print } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { GenerationsDocument } from '../../src/client/documents.generated.ts';
import type { Api } from '../support/app.ts';
import { startCountingGateway } from '../support/counting-gateway.ts';
import { type DurableServer, startDurableServer } from '../support/durable-server.ts';
import { createLosingDisk } from '../support/power-failures.ts';
import { createRandom } from '../support/random.ts';
import { createRecords, engines } from '../support/records.ts';
import { buildSlowDisk } from '../support/slow-disk/slow-disk.ts';

/** `npm run test:long` sets a high count. The seed reproduces the creates and kill times, as far as timing allows. */
const kills = Number(process.env['KILLS'] ?? 3);
const seed = Number(process.env['KILL_SEED'] ?? 1);

/** One create with a unique text, which the gateway finds in the body. */
interface Intent {
  readonly text: string;
  readonly field: 'startChat' | 'createChatCompletion' | 'createSong';
}

interface Outcome {
  readonly __typename: string;
  readonly id?: string;
  readonly code?: string;
}

function documentOf({ field, text }: Intent): string {
  const input =
    field === 'createSong'
      ? `{ description: "${text}", model: SONG_V5 }`
      : `{ model: "m", messages: [{ role: USER, content: { text: "${text}" } }] }`;
  return `mutation { made: ${field}(input: ${input}, idempotencyKey: "${text}") {
    __typename ... on Generation { id } ... on GengraphError { code }
  } }`;
}

async function create(api: Api, intent: Intent): Promise<Outcome> {
  const { data, errors } = await api.run<{ made: Outcome }, object>(documentOf(intent));
  if (data?.made) return data.made;
  throw new Error(JSON.stringify(errors));
}

function intentsOf(round: number, random: () => number): readonly Intent[] {
  const fields = ['startChat', 'createChatCompletion', 'createSong'] as const;
  return Array.from({ length: 30 }, (_, index) => ({
    text: `intent-${round}-${index}`,
    field: fields[Math.floor(random() * fields.length)] ?? 'startChat',
  }));
}

/** Runs six creates at a time until the server is killed. Returns the acknowledged outcomes. */
async function createUntilGone(
  server: DurableServer,
  intents: readonly Intent[],
): Promise<ReadonlyMap<string, Outcome>> {
  const acknowledged = new Map<string, Outcome>();
  const remaining = [...intents];
  const work = async (): Promise<void> => {
    for (let intent = remaining.shift(); intent; intent = remaining.shift()) {
      // A broken connection acknowledges nothing.
      const outcome = await create(server, intent).catch(() => undefined);
      if (outcome) acknowledged.set(intent.text, outcome);
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return acknowledged;
}

interface Page {
  readonly edges: readonly { readonly node: { readonly id: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function listIds(api: Api): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let after: string | null = null;
  for (;;) {
    const { data }: ExecutionResult<{ generations: Page }> = await api.run(print(GenerationsDocument), {
      first: 100,
      after,
    });
    for (const { node } of data?.generations.edges ?? []) ids.add(node.id);
    if (!data?.generations.pageInfo.hasNextPage) return ids;
    after = data.generations.pageInfo.endCursor;
  }
}

/** Where the servers of one test have their records. */
interface Place {
  /** Settings of the next server. */
  readonly env: Readonly<Record<string, string>>;
  /** Call after the crash of a server. */
  crashed(): Promise<void>;
  /** Whether the acceptance of a stream, whose reply is still to come, may be lost. */
  readonly losesAcceptances: boolean;
}

const libraryDirectory = mkdtempSync(join(tmpdir(), 'gengraph-disk-'));
afterAll(() => rm(libraryDirectory, { recursive: true }));
const slowDisk = buildSlowDisk(libraryDirectory);
const powerFailure = 'SQLite on a disk that loses what is not synced';
const places = [...engines, powerFailure] as const;

async function createPlace(name: (typeof places)[number]): Promise<Place> {
  if (name !== powerFailure) {
    const records = await createRecords(name);
    return { env: records.env, crashed: records.expireLeases, losesAcceptances: false };
  }
  const disk = await createLosingDisk(slowDisk ?? '', 20);
  return {
    get env() {
      return disk.env;
    },
    crashed: disk.loseUnsynced,
    losesAcceptances: true,
  };
}

describe.each(places)('%s', (name) => {
  test.skipIf(name === powerFailure && slowDisk === undefined)(
    `no create that was acknowledged is lost, and none is sent twice, over ${kills} kills at any moment`,
    {
      timeout: 60_000 + kills * 15_000,
    },
    async () => {
      const random = createRandom(seed);
      const place = await createPlace(name);
      const gateway = await startCountingGateway(random);
      const start = () => startDurableServer({ env: place.env, gatewayUrl: gateway.url });
      const outcomes: Record<string, number> = {};
      let server = await start();
      for (let round = 0; round < kills; round += 1) {
        const intents = intentsOf(round, random);
        const before = gateway.requests.length;
        const creating = createUntilGone(server, intents);
        await gateway.waitForRequests(before + 1 + Math.floor(random() * 25));
        await new Promise((resolve) => setTimeout(resolve, random() * 40));
        await server.crash();
        await place.crashed();
        const acknowledged = await creating;

        server = await start();
        const listed = await listIds(server);
        for (const intent of intents) {
          const known = acknowledged.get(intent.text);
          const wasSent = gateway.count(intent.text) > 0;
          const outcome = await create(server, intent);
          const stage = known ? 'acknowledged' : wasSent ? 'in flight' : 'not sent';
          const label = `${stage}, ${intent.field} ${intent.text}`;
          const mayBeLost = place.losesAcceptances && intent.field === 'startChat';
          const isLost = mayBeLost && outcome.code === 'OUTCOME_UNKNOWN';
          expect(listed.has(known?.id ?? '') || !known || isLost, label).toBe(true);
          // Acknowledged creates return the same outcome. Creates in flight have succeeded or are UNKNOWN, because they may be
          // recorded as SENDING before the first byte is sent. All others are created now.
          expect(outcome, label).toEqual(isLost ? outcome : (known ?? outcome));
          expect([undefined, 'OUTCOME_UNKNOWN'], label).toContain(outcome.code);
          expect(gateway.count(intent.text), label).toBeLessThanOrEqual(1);
          const stageAndCode = `${stage}: ${outcome.code ?? 'created'}`;
          outcomes[stageAndCode] = (outcomes[stageAndCode] ?? 0) + 1;
        }
      }
      process.stdout.write(`after ${kills} kills with ${name}: ${JSON.stringify(outcomes)}\n`);
    },
  );
});
