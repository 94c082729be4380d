import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { chatInput, promptModel, startChatMutation } from '../workload.ts';

export interface PaceImagePrompts {
  /** Prefix of the idempotency keys. */
  readonly group: string;
  readonly url: string;
  readonly count: number;
  readonly megabytes: number;
}

/** Starts a chat with an inline image each second. @throws Error if one is refused */
export async function paceImagePrompts({ group, url, count, megabytes }: PaceImagePrompts): Promise<void> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: count });
  const image = `data:image/png;base64,${'iVBORw0K'.repeat((megabytes * 1024 * 1024) / 8)}`;
  const content = { parts: [{ text: 'What is this?' }, { imageUrl: { url: image } }] };
  const input = { ...chatInput(promptModel), messages: [{ role: 'USER', content }] };
  const sendAfter = async (number: number): Promise<void> => {
    await setTimeout(number * 1000);
    const { body } = await pool.request({
      method: 'POST',
      path: pathname,
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
      body: JSON.stringify({
        query: startChatMutation,
        variables: { input, key: `${group}-${number}` },
      }),
    });
    const text = await body.text();
    if (!/"id":"/.test(text)) throw new Error(`unexpected answer: ${text.slice(0, 500)}`);
  };
  await Promise.all(Array.from({ length: count }, (_, number) => sendAfter(number)));
  await pool.close();
}
