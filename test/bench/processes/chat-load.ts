import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { quantile } from '../statistics.ts';
import { chatInput, startChatMutation } from '../workload.ts';

export interface StartChats {
  /** The model. */
  readonly group: string;
  readonly url: string;
  readonly count: number;
  /** Creates in flight. */
  readonly concurrency: number;
}

export interface PaceChats extends Omit<StartChats, 'concurrency'> {
  readonly perSecond: number;
}

interface Answer {
  readonly data?: { readonly startChat: { readonly id?: string } };
}

/** Starts chats without watching them. Returns their ids. @throws Error at the first that is refused */
export async function startChats({ group, url, count, concurrency }: StartChats): Promise<readonly string[]> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: concurrency });
  const ids: string[] = [];
  let asked = 0;
  const startInTurn = async (): Promise<void> => {
    while (asked < count) {
      asked += 1;
      ids.push(await startChat(pool, { path: pathname, group }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, startInTurn));
  await pool.close();
  return ids;
}

/** Starts chats at a steady rate, however long each takes. Returns how long. @throws Error if one is refused */
export async function paceChats({
  group,
  url,
  count,
  perSecond,
}: PaceChats): Promise<{ readonly p50: number; readonly p99: number }> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: count });
  const startAfter = async (number: number): Promise<number> => {
    await setTimeout((number * 1000) / perSecond);
    const startedAt = performance.now();
    await startChat(pool, { path: pathname, group });
    return performance.now() - startedAt;
  };
  const times = await Promise.all(Array.from({ length: count }, (_, number) => startAfter(number)));
  await pool.close();
  const sorted = times.toSorted((left, right) => left - right);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

let started = 0;

async function startChat(
  pool: Pool,
  { path, group }: { readonly path: string; readonly group: string },
): Promise<string> {
  started += 1;
  const key = `${group}-${started}`;
  const { body } = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
    body: JSON.stringify({ query: startChatMutation, variables: { input: chatInput(group), key } }),
  });
  const answer = (await body.json()) as Answer;
  const id = answer.data?.startChat.id;
  if (id === undefined) throw new Error(`unexpected answer: ${JSON.stringify(answer).slice(0, 500)}`);
  return id;
}
