import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { quantile } from '../statistics.ts';
import { voiceCount, voicesQuery } from '../workload.ts';

export interface QueryLoad {
  readonly url: string;
  readonly count: number;
  /** Queries in flight, each on its own connection. */
  readonly concurrency: number;
  /** Number of callers that take turns, across calls. A single caller uses a separate credential. */
  readonly callers: number;
}

const body = JSON.stringify({ query: voicesQuery, variables: { first: voiceCount } });

interface Target {
  readonly pool: Pool;
  /** Number of the current caller. */
  turn: number;
  /** The first answer, after validation. All others must be identical. */
  answer: string | undefined;
}

const targets = new Map<string, Target>();

/** Sends each query after the answer to the previous one. @throws Error at the first wrong answer */
export async function runQueries({
  url,
  count,
  concurrency,
  callers,
}: QueryLoad): Promise<{ answered: number }> {
  const { origin, pathname } = new URL(url);
  const target = targets.get(origin) ?? {
    pool: new Pool(origin, { connections: concurrency }),
    turn: 0,
    answer: undefined,
  };
  targets.set(origin, target);
  let asked = 0;
  let answered = 0;
  const askInTurn = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      if (callers > 1) target.turn = (target.turn + 1) % callers;
      await ask(target, pathname, callers > 1 ? `sk-bench-${target.turn}` : 'sk-bench');
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, askInTurn));
  return { answered };
}

export interface PaceQueries extends Pick<QueryLoad, 'url' | 'count'> {
  readonly perSecond: number;
}

/** Sends queries of one caller at a steady rate, however long each takes. Returns how long, in ms. @throws Error at a wrong answer */
export async function paceQueries({
  url,
  count,
  perSecond,
}: PaceQueries): Promise<{ readonly p50: number; readonly p99: number }> {
  const { origin, pathname } = new URL(url);
  const target: Target = { pool: new Pool(origin, { connections: 16 }), turn: 0, answer: undefined };
  const askAfter = async (number: number): Promise<number> => {
    await setTimeout((number * 1000) / perSecond);
    const startedAt = performance.now();
    await ask(target, pathname, 'sk-bench');
    return performance.now() - startedAt;
  };
  const times = await Promise.all(Array.from({ length: count }, (_, number) => askAfter(number)));
  await target.pool.close();
  const sorted = times.toSorted((left, right) => left - right);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

async function ask(target: Target, path: string, credential: string): Promise<void> {
  const response = await target.pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      authorization: `Bearer ${credential}`,
    },
    body,
  });
  const answer = await response.body.text();
  if (response.statusCode === 200 && answer === target.answer) return;
  if (response.statusCode !== 200 || target.answer !== undefined || countVoices(answer) !== voiceCount) {
    throw new Error(`wrong answer, ${response.statusCode}: ${answer.slice(0, 500)}`);
  }
  target.answer = answer;
}

interface Reply {
  /** The answer of a GraphQL server, or of the floor (the upstream page). */
  readonly data?:
    | { readonly voices?: { readonly edges: readonly { readonly node: object }[] } }
    | readonly unknown[];
  readonly errors?: unknown;
}

function countVoices(answer: string): number {
  const { data, errors } = JSON.parse(answer) as Reply;
  if (!data || errors !== undefined) return 0;
  if ('voices' in data)
    return data.voices?.edges.filter(({ node }) => Object.keys(node).length === 5).length ?? 0;
  return Array.isArray(data) ? data.length : 0;
}
