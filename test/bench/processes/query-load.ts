import { Pool } from 'undici';
import { voiceCount, voicesQuery } from '../workload.ts';

export interface QueryLoad {
  readonly url: string;
  readonly count: number;
  /** Requests under way at any time, each on a connection of its own. */
  readonly concurrency: number;
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

/** Sends queries, the next when one is answered, and looks at each answer. @throws Error at the first wrong one */
export async function runQueries({
  url,
  count,
  concurrency,
  callers,
}: QueryLoad): Promise<{ answered: number }> {
  const { origin, pathname } = new URL(url);
  const target = targets.get(origin) ?? { pool: new Pool(origin, { connections: concurrency }), turn: 0 };
  targets.set(origin, target);
  const nextCredential = (): string =>
    callers === 1 ? 'sk-bench' : `sk-bench-${(target.turn = (target.turn + 1) % callers)}`;
  let remaining = count;
  let answered = 0;
  const runOne = async (): Promise<void> => {
    const response = await target.pool.request({
      method: 'POST',
      path: pathname,
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json, application/json',
        authorization: `Bearer ${nextCredential()}`,
      },
      body,
    });
    const reply: unknown = await response.body.json();
    if (response.statusCode !== 200 || countVoices(reply) !== voiceCount) {
      throw new Error(`a wrong answer, ${response.statusCode}: ${JSON.stringify(reply).slice(0, 500)}`);
    }
    answered += 1;
  };
  const runInTurn = async (): Promise<void> => {
    while (remaining > 0) {
      remaining -= 1;
      await runOne();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runInTurn));
  return { answered };
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
