import { Pool } from 'undici';
import { chatInput, startChatMutation } from '../workload.ts';

export interface StartChats {
  /** The model upstream, and the prefix of the idempotency keys. */
  readonly group: string;
  readonly url: string;
  readonly count: number;
  /** Creates in flight. */
  readonly concurrency: number;
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
      const variables = { input: chatInput(group), key: `${group}-${asked}` };
      const { body } = await pool.request({
        method: 'POST',
        path: pathname,
        headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
        body: JSON.stringify({ query: startChatMutation, variables }),
      });
      const answer = (await body.json()) as Answer;
      const id = answer.data?.startChat.id;
      if (id === undefined) throw new Error(`unexpected answer: ${JSON.stringify(answer).slice(0, 500)}`);
      ids.push(id);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, startInTurn));
  await pool.close();
  return ids;
}
