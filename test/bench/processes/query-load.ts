import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { voiceCount, voicesQuery } from '../workload.ts';

export interface QueryLoad {
  readonly url: string;
  readonly count: number;
  readonly perSecond: number;
  /** So many callers take turns, going on from one call to the next; one alone is nobody of these. */
  readonly callers: number;
}

const body = JSON.stringify({ query: voicesQuery, variables: { first: voiceCount } });

interface Target {
  readonly pool: Pool;
  /** Whose turn it is. */
  turn: number;
}

const targets = new Map<string, Target>();

/**
 * Sends queries at a steady pace, whatever their answers take, so that each is a wake-up of its own: a client that
 * sends its next query upon an answer lets them come in clusters, larger or smaller as the machine is busy, and how
 * large decides about the floor's cost. Looks at each answer. @throws Error at the first wrong one
 */
export async function runQueries(options: QueryLoad): Promise<{ answered: number }> {
  const { url, count, perSecond, callers } = options;
  const { origin, pathname } = new URL(url);
  const target = targets.get(origin) ?? { pool: new Pool(origin, { connections: 32 }), turn: 0 };
  targets.set(origin, target);
  const nextCredential = (): string =>
    callers === 1 ? 'sk-bench' : `sk-bench-${(target.turn = (target.turn + 1) % callers)}`;

  const answers: Promise<void>[] = [];
  const startedAt = performance.now();
  while (answers.length < count) {
    const due = Math.min(count, 1 + Math.floor(((performance.now() - startedAt) * perSecond) / 1000));
    while (answers.length < due) answers.push(runQuery(target.pool, pathname, nextCredential()));
    await setTimeout(1);
  }
  await Promise.all(answers);
  return { answered: answers.length };
}

async function runQuery(pool: Pool, path: string, credential: string): Promise<void> {
  const response = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
      authorization: `Bearer ${credential}`,
    },
    body,
  });
  const reply: unknown = await response.body.json();
  if (response.statusCode !== 200 || countVoices(reply) !== voiceCount) {
    throw new Error(`a wrong answer, ${response.statusCode}: ${JSON.stringify(reply).slice(0, 500)}`);
  }
}

interface Reply {
  /** The answer of a GraphQL server, or the upstream's page from the floor. */
  readonly data?:
    | { readonly voices?: { readonly edges: readonly { readonly node: object }[] } }
    | readonly unknown[];
  readonly errors?: unknown;
}

function countVoices(reply: unknown): number {
  const { data, errors } = reply as Reply;
  if (!data || errors !== undefined) return 0;
  if ('voices' in data)
    return data.voices?.edges.filter(({ node }) => Object.keys(node).length === 5).length ?? 0;
  return Array.isArray(data) ? data.length : 0;
}
