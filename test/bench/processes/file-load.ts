import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { serveCalls } from '../child-process.ts';
import { quantile } from '../statistics.ts';

export interface FileLoad {
  /** URL for operations. */
  readonly url: string;
  readonly seconds: number;
  readonly perSecond: number;
}

interface Answer {
  readonly data?: { readonly made?: { readonly id?: string } };
}

/** Images of one owner at a steady rate, however long each takes. Returns their number. @throws Error if one is refused */
async function makeImages({ url, seconds, perSecond }: FileLoad): Promise<number> {
  const query =
    'mutation { made: createImage(input: { byCount: { model: "dall-e-3", prompt: "x" } }) { ... on Generation { id } } }';
  const makeAfter = async (number: number): Promise<void> => {
    await setTimeout((number * 1000) / perSecond);
    const { text } = await post(url, 'sk-maker', query);
    // What the operation selects.
    const { data } = JSON.parse(text) as Answer;
    if (data?.made?.id === undefined) throw new Error(text);
  };
  const count = seconds * perSecond;
  await Promise.all(Array.from({ length: count }, (_, number) => makeAfter(number)));
  return count;
}

/** How long another owner waits, in milliseconds. */
async function readLists({ url, seconds }: Omit<FileLoad, 'perSecond'>) {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  while (performance.now() < end) {
    times.push((await post(url, 'sk-reader', '{ generations(first: 1) { edges { node { id } } } }')).ms);
    await setTimeout(5);
  }
  const sorted = times.toSorted((left, right) => left - right);
  return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

const pools = new Map<string, Pool>();

async function post(url: string, credential: string, query: string) {
  const { origin, pathname } = new URL(url);
  const pool = pools.get(origin) ?? new Pool(origin, { connections: 50 });
  pools.set(origin, pool);
  const startedAt = performance.now();
  const { body } = await pool.request({
    method: 'POST',
    path: pathname,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential}` },
    body: JSON.stringify({ query }),
  });
  const text = await body.text();
  return { text, ms: performance.now() - startedAt };
}

const calls = { makeImages, readLists };
export type FileLoadCalls = typeof calls;
serveCalls(calls);
