import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startDatabaseServer } from '../support/database-server.ts';
import { forEachLimited } from '../support/fleet.ts';
import { createRandom } from '../support/random.ts';
import { answerStatus, startReceiver, webhookEnv } from '../support/webhook-receiver.ts';
import { checkIntent, checkTotals, type Listed } from './checks.ts';
import { runFaults } from './faults.ts';
import { checkFeed, followFeed } from './feed.ts';
import { startFleet } from './fleet.ts';
import { startChaosGateway } from './gateway.ts';
import { type Intent, promptOf } from './ledger.ts';
import { type OwnerRecords, readOwner } from './records.ts';
import { repeatCreate, type Site, visits } from './visitors.ts';
import { checkWebhooks } from './webhook-checks.ts';

const minutes = Number(process.env['CHAOS_MINUTES'] ?? 0);
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const visitsPerSecond = Number(process.env['CHAOS_RATE'] ?? 5);
const owners = 8;
const maxVisits = 100;
/** How long clients and servers may take to end everything once nothing breaks any more. */
const calmMs = 120_000;

beforeEach(({ skip }) => skip(!(minutes > 0), 'takes minutes: it runs in npm run chaos'));

test(
  'three servers through random faults: each acknowledged create has one record with an honest end, and is paid for once',
  async () => {
    const began = performance.now();
    const log: string[] = [];
    const note = (line: string): void => {
      log.push(`${((performance.now() - began) / 1000).toFixed(1)} s  ${line}`);
      if (process.env['CHAOS_VERBOSE']) console.log(log.at(-1));
    };
    const world = await startWorld();
    const { fleet, intents, visiting, wrong } = world;
    const random = createRandom(seed);
    const faults = new AbortController();
    const breaking = runFaults({ ...world, random, note }, faults.signal);
    const endsAt = performance.now() + minutes * 60_000;
    for (let number = 0; performance.now() < endsAt; number += 1) {
      if (visiting.size < maxVisits) visit(world, number, random);
      await wait(1000 / visitsPerSecond);
    }
    faults.abort();
    await breaking;
    note('calm');
    await Promise.all(visiting);
    note('all clients have their ends');
    await readUntil(world, (owned) =>
      owned.every(({ listed }) => listed.every(({ isTerminal }) => isTerminal)),
    );
    await checkKeys(world);
    // Who hears of changes may hear late.
    const records = await readUntil(world, (owned) => findUnheard(world, owned).length === 0);
    wrong.push(...findUnheard(world, records));
    const statuses: Record<string, number> = {};
    const byIntent = groupByIntent(records);
    for (const intent of intents.values()) {
      const found = byIntent.get(intent.name) ?? [];
      const faultsOfIntent = checkIntent(intent, found[0], fleet.servers);
      if (found.length > 1) wrong.push(`${intent.name}: ${found.length} records`);
      if (faultsOfIntent.length > 0)
        wrong.push(
          `${intent.name} (${intent.kind}): ${[...new Set(faultsOfIntent)].join('; ')}\n  ${describe(intent, began)}`,
        );
      const status = found[0]?.status ?? 'no record';
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    for (const { owner, listed, totals } of records) wrong.push(...checkTotals(owner, listed, totals));
    const codes: Record<string, number> = {};
    for (const { answers } of intents.values())
      for (const { code, retry } of answers) codes[`${code} ${retry}`] = (codes[`${code} ${retry}`] ?? 0) + 1;
    console.log(
      `seed ${seed}: ${intents.size} creates, ${JSON.stringify(statuses)}, told ${JSON.stringify(codes)}, ${world.receiver.received.length} webhook events, ${log.filter((line) => line.includes('fault:')).length} faults, ${wrong.length} wrong`,
    );
    // Most of what was created must work, or the checks above show nothing.
    expect(statuses['SUCCEEDED'] ?? 0).toBeGreaterThan(intents.size / 4);
    expect(wrong.slice(0, 40), `seed ${seed}\n${log.join('\n')}`).toEqual([]);
  },
  minutes * 60_000 + 5 * calmMs,
);

type World = Awaited<ReturnType<typeof startWorld>>;

async function startWorld() {
  const intents = new Map<string, Intent>();
  const database = await startDatabaseServer();
  const gateway = await startChaosGateway(3, intents, createRandom(seed + 1));
  const receiver = await startReceiver();
  const failing = createRandom(seed + 4);
  receiver.answer = (...received) => answerStatus(failing() < 0.03 ? 500 : 204)(...received);
  const fleet = await startFleet({
    databaseUrl: database.url,
    gatewayUrls: gateway.urls,
    random: createRandom(seed + 2),
    env: webhookEnv([receiver]),
  });
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const site: Site = {
    origin: fleet.origin,
    random: createRandom(seed + 3),
    signal: AbortSignal.timeout(minutes * 60_000 + calmMs),
  };
  /** For what goes on until the end of the test. */
  const wholeSite: Site = { ...site, signal: over.signal };
  const feeds = await Promise.all(
    Array.from({ length: owners }, (_, index) => followFeed(wholeSite, ownerOf(index))),
  );
  const visiting = new Set<Promise<void>>();
  const wrong: string[] = [];
  return { intents, database, gateway, receiver, fleet, site, wholeSite, feeds, visiting, wrong };
}

/** Begins a visit. */
function visit({ site, intents, visiting, wrong }: World, number: number, random: () => number): void {
  const [kind, visitor] = visits[number % visits.length] ?? visits[0];
  const intent = createIntent(number, kind, random);
  intents.set(intent.name, intent);
  const begun = visitor(site, intent)
    .then(
      () => void (intent.settledAt = performance.now()),
      (error: unknown) => void wrong.push(`${intent.name} (${kind}): ${String(error)}`),
    )
    .finally(() => visiting.delete(begun));
  visiting.add(begun);
}

/** The records of all owners, when they are as expected or the time for that is over. */
async function readUntil(
  { fleet }: World,
  isExpected: (records: readonly OwnerRecords[]) => boolean,
): Promise<readonly OwnerRecords[]> {
  for (const deadline = performance.now() + calmMs; ;) {
    const records: OwnerRecords[] = [];
    for (let index = 0; index < owners; index += 1)
      records.push(await readOwner(fleet.origin, ownerOf(index)));
    if (isExpected(records) || performance.now() > deadline) return records;
    await wait(500);
  }
}

function groupByIntent(records: readonly OwnerRecords[]): ReadonlyMap<string, readonly Listed[]> {
  return Map.groupBy(
    records.flatMap(({ listed }) => listed),
    ({ prompt }) => /intent (\S+)/.exec(prompt ?? '')?.[1] ?? 'none',
  );
}

/** Repeats each create. Its key must return its generation, and send nothing: `checkIntent` finds what was sent. */
async function checkKeys({ wholeSite, intents, wrong }: World): Promise<void> {
  await forEachLimited([...intents.values()], 20, async (intent) => {
    if (!intent.hasKey || intent.id === undefined) return;
    const id = await repeatCreate(wholeSite, intent);
    if (id !== intent.id) wrong.push(`${intent.name}: its key returns ${id} instead of ${intent.id}`);
  });
}

function findUnheard({ feeds, receiver }: World, records: readonly OwnerRecords[]): readonly string[] {
  const all = records.flatMap(({ listed }) => listed);
  const unheard = feeds.flatMap((feed) =>
    checkFeed(feed, records.find(({ owner }) => owner === feed.owner)?.listed ?? []),
  );
  return [...unheard, ...checkWebhooks(receiver.received, all)];
}

function ownerOf(index: number): string {
  return `sk-chaos-${index}`;
}

function createIntent(number: number, kind: Intent['kind'], random: () => number): Intent {
  const words = 10 + Math.floor(40 * random()) + (random() < 0.2 ? 400 : 0);
  return {
    name: `i${number}`,
    kind,
    owner: ownerOf(number % owners),
    words,
    cutAfter: kind === 'chat' && random() < 0.05 ? Math.floor(words * random()) : undefined,
    startedAt: performance.now(),
    receipts: [],
    answers: [],
    id: undefined,
    acknowledgedAt: undefined,
    canceledAt: undefined,
    told: new Set(),
    hasKey: false,
    ends: [],
    settledAt: undefined,
  };
}

function describe(intent: Intent, began: number): string {
  const seconds = (time: number | undefined): string =>
    time === undefined ? '-' : `${((time - began) / 1000).toFixed(1)} s`;
  return JSON.stringify({
    prompt: promptOf(intent),
    id: intent.id,
    started: seconds(intent.startedAt),
    receipts: intent.receipts.map(({ arrivedAt, outcome, server, wholeAt, cutAt, text }) => ({
      arrived: seconds(arrivedAt),
      server,
      outcome,
      whole: seconds(wholeAt),
      cut: seconds(cutAt),
      characters: text.length,
    })),
    answers: intent.answers.map(({ at, code, retry }) => `${seconds(at)} ${code} ${retry}`),
    ends: intent.ends.map(
      ({ at, type, code, text }) => `${seconds(at)} ${type} ${code ?? ''} ${text.length}`,
    ),
    canceled: seconds(intent.canceledAt),
    told: [...intent.told],
    settled: seconds(intent.settledAt),
  });
}
