import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { chatInput, promptModel, startChatMutation } from '../workload.ts';

export interface ImagePrompts {
  /** Prefix of the idempotency keys. */
  readonly group: string;
  readonly count: number;
  readonly megabytes: number;
}

/** The chats of one round. Writing 11 MB of JSON takes a client as long as many tokens, so it is done before. */
export function createImageLoad() {
  let bodies: readonly Buffer[] = [];
  return {
    prepareImagePrompts(prompts: ImagePrompts): void {
      bodies = Array.from({ length: prompts.count }, (_, number) => imagePrompt(prompts, number));
    },
    /** Starts one of the prepared chats each second. @throws Error if one is refused */
    async paceImagePrompts(url: string): Promise<void> {
      const { origin, pathname: path } = new URL(url);
      const pool = new Pool(origin, { connections: bodies.length });
      await Promise.all(
        bodies.map(async (body, second) => {
          await setTimeout(second * 1000);
          await startChat(pool, { path, body });
        }),
      );
      bodies = [];
      await pool.close();
    },
  };
}

function imagePrompt({ group, megabytes }: ImagePrompts, number: number): Buffer {
  const image = `data:image/png;base64,${'iVBORw0K'.repeat((megabytes * 1024 * 1024) / 8)}`;
  const content = { parts: [{ text: 'What is this?' }, { imageUrl: { url: image } }] };
  const input = { ...chatInput(promptModel), messages: [{ role: 'USER', content }] };
  const variables = { input, key: `${group}-${number}` };
  return Buffer.from(JSON.stringify({ query: startChatMutation, variables }));
}

async function startChat(
  pool: Pool,
  { path, body }: { readonly path: string; readonly body: Buffer },
): Promise<void> {
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', authorization: 'Bearer sk-bench' },
    body,
  });
  const text = await answer.body.text();
  if (!/"id":"/.test(text)) throw new Error(`unexpected answer: ${text.slice(0, 500)}`);
}
