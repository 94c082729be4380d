import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { codeBlocks, readPage } from '../support/markdown.ts';
import { startProgram } from '../support/programs.ts';
import { secret } from '../support/webhook-receiver.ts';

const example = 'docs/examples/receive-webhooks.ts';

test('the receiver of the documentation verifies an event, and refuses one without a signature', async () => {
  expect(codeBlocks(readPage('docs/webhooks.md'), 'ts')).toEqual([readPage(example)]);
  const program = startProgram(['node', example], { env: { PORT: '0', WEBHOOK_SECRET: secret } });
  const [, port] = await program.waitForOutput(/"port":(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  const env = { WEBHOOKS: JSON.stringify([{ name: 'example', url, secret }]), WEBHOOK_HOSTS: '127.0.0.1' };
  await using app = await startApp({ env });
  const chat = made(await createChatCompletion(app, { input: ask('Say hello') }));
  await program.waitForOutput(new RegExp(`generation.succeeded CHAT ${chat.id}`));
});
