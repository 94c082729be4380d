import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, expect, test } from 'vitest';
import { startDatabaseServer } from '../support/database-server.ts';
import { createRandom } from '../support/random.ts';
import { checkIntent, checkTotals, type Listed, tokenCounts, type Totals } from './checks.ts';
import { runFaults } from './faults.ts';
import { startFleet } from './fleet.ts';
import { startChaosGateway } from './gateway.ts';
import { type Intent, promptOf } from './ledger.ts';
import { type Site, visits } from './visitors.ts';

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
    const random = createRandom(seed);
    const intents = new Map<string, Intent>();
    const database = await startDatabaseServer();
    const gateway = await startChaosGateway(3, intents, createRandom(seed + 1));
    const fleet = await startFleet({
      databaseUrl: database.url,
      gatewayUrls: gateway.urls,
      random: createRandom(seed + 2),
    });
    const site: Site = {
      origin: fleet.origin,
      random: createRandom(seed + 3),
      signal: AbortSignal.timeout(minutes * 60_000 + calmMs),
    };
    const faults = new AbortController();
    const breaking = runFaults({ fleet, database, gateway, random, note }, faults.signal);

    const wrong: string[] = [];
    const visiting = new Set<Promise<void>>();
    const endsAt = performance.now() + minutes * 60_000;
    for (let number = 0; performance.now() < endsAt; number += 1) {
      if (visiting.size < maxVisits) {
        const [kind, visitor] = visits[number % visits.length] ?? visits[0];
        const intent = createIntent(number, kind, random);
        intents.set(intent.name, intent);
        const visit = visitor(site, intent)
          .then(
            () => void (intent.settledAt = performance.now()),
            (error: unknown) => void wrong.push(`${intent.name} (${kind}): ${String(error)}`),
          )
          .finally(() => visiting.delete(visit));
        visiting.add(visit);
      }
      await wait(1000 / visitsPerSecond);
    }
    faults.abort();
    await breaking;
    note('calm');
    await Promise.all(visiting);
    note('all clients have their ends');

    let isSettled = false;
    const records = new Map<
      string,
      { readonly listed: readonly Listed[]; readonly totals: Totals | undefined }
    >();
    for (const deadline = performance.now() + calmMs; !isSettled && performance.now() < deadline;) {
      await wait(500);
      for (let index = 0; index < owners; index += 1)
        records.set(ownerOf(index), await readOwner(fleet.origin, ownerOf(index)));
      isSettled = [...records.values()].every(({ listed }) => listed.every(({ isTerminal }) => isTerminal));
    }
    const byName = new Map<string, Listed[]>();
    for (const { listed } of records.values())
      for (const generation of listed) {
        const name = /intent (\S+)/.exec(generation.prompt ?? '')?.[1] ?? 'none';
        byName.set(name, [...(byName.get(name) ?? []), generation]);
      }
    const statuses: Record<string, number> = {};
    for (const intent of intents.values()) {
      const found = byName.get(intent.name) ?? [];
      const faultsOfIntent = checkIntent(intent, found[0], fleet.servers);
      if (found.length > 1) wrong.push(`${intent.name}: ${found.length} records`);
      if (faultsOfIntent.length > 0)
        wrong.push(
          `${intent.name} (${intent.kind}): ${[...new Set(faultsOfIntent)].join('; ')}\n  ${describe(intent, began)}`,
        );
      const status = found[0]?.status ?? 'no record';
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    for (const [owner, { listed, totals }] of records) wrong.push(...checkTotals(owner, listed, totals));
    const codes: Record<string, number> = {};
    for (const { answers } of intents.values())
      for (const { code, retry } of answers) codes[`${code} ${retry}`] = (codes[`${code} ${retry}`] ?? 0) + 1;
    console.log(
      `seed ${seed}: ${intents.size} creates, ${JSON.stringify(statuses)}, told ${JSON.stringify(codes)}, ${log.filter((line) => line.includes('fault:')).length} faults, ${wrong.length} wrong`,
    );
    expect(wrong.slice(0, 40), `seed ${seed}\n${log.join('\n')}`).toEqual([]);
  },
  minutes * 60_000 + 4 * calmMs,
);

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
    settled: seconds(intent.settledAt),
  });
}

interface OwnerPage {
  readonly generations: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly edges: readonly { readonly node: Listed }[];
  };
  readonly usageTotals: readonly Totals[];
}

async function readOwner(
  origin: string,
  owner: string,
): Promise<{ readonly listed: readonly Listed[]; readonly totals: Totals | undefined }> {
  const query = `query ($after: String) {
    generations(first: 100, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      id status isTerminal prompt error { code } task { status } usage { ${tokenCounts.join(' ')} }
      output { ... on ChatCompletion { choices { message { content } } } }
    } } }
    usageTotals { generations succeeded failed canceled unknown ${tokenCounts.join(' ')} }
  }`;
  const listed: Listed[] = [];
  for (let after: string | null = null; ;) {
    const page: { data?: OwnerPage; errors?: unknown } | undefined = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}` },
      body: JSON.stringify({ query, variables: { after } }),
    })
      .then((response) => response.json() as Promise<{ data?: OwnerPage }>)
      .catch(() => undefined);
    if (!page?.data) {
      await wait(500);
      continue;
    }
    const { generations, usageTotals }: OwnerPage = page.data;
    listed.push(...generations.edges.map(({ node }) => node));
    after = generations.pageInfo.endCursor;
    if (!generations.pageInfo.hasNextPage) return { listed, totals: usageTotals[0] };
  }
}
