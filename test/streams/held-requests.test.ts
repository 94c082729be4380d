import { expect, test } from 'vitest';
import { ask, made, startChat } from '../support/chats.ts';
import { heldBytes } from '../support/held-bytes.ts';
import { startScripted } from '../support/scripted-gateway.ts';

const prompt = 'word of prose\n'.repeat(2_000_000 / 14);
const query = 'query ($id: ID!) { generation(by: { id: $id }) { prompt status } }';

test('the log of a finished chat does not hold a large prompt, and its record still has it', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const run = async (index: number, text: string): Promise<string> => {
    const starting = startChat(app, { input: ask(text), idempotencyKey: `k${index}` });
    (await gateway.exchange(index)).send('[DONE]');
    const { id } = made(await starting);
    await expect.poll(() => app.app.activity.streams).toBe(0);
    return id;
  };
  await run(0, 'hello');
  const before = await heldBytes();
  const ids: string[] = [];
  for (let index = 1; index <= 3; index += 1) ids.push(await run(index, `${prompt}${index}`));
  // The scripted gateway keeps the text of each request and its parsed body.
  expect((await heldBytes()) - before).toBeLessThan(2.5 * ids.length * prompt.length);
  for (const [index, id] of ids.entries()) {
    const answer = JSON.stringify(await app.run(query, { id }));
    expect(
      answer.includes('"status":"SUCCEEDED"') && answer.includes(JSON.stringify(`${prompt}${index + 1}`)),
    ).toBe(true);
  }
});
