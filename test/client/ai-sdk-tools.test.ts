import { expect, test } from 'vitest';
import { openChatPage } from '../support/node-chat.ts';
import { chunk, startScripted, words } from '../support/scripted-gateway.ts';

test('a call of a tool without arguments can be answered after a reload', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const page = openChatPage(app.url);
  const chat = page.start();
  const sending = chat.sendMessage({ text: 'What time is it?' });
  const call = { index: 0, id: 'call-1', function: { name: 'clock', arguments: '' } };
  (await gateway.exchange(0)).send(chunk({ tool_calls: [call] }, 'tool_calls'), '[DONE]');
  await sending;
  const part = { type: 'tool-clock', state: 'input-available', input: {} };
  expect(chat.messages[1]?.parts[1]).toMatchObject(part);
  const reloaded = await (await page.reload()).load();
  expect(reloaded.messages[1]?.parts[1]).toMatchObject(part);
  await reloaded.addToolOutput({ tool: 'clock', toolCallId: 'call-1', output: 'noon' });
  const answering = reloaded.sendMessage();
  const second = await gateway.exchange(1);
  expect(JSON.parse(second.text).messages[2]).toMatchObject({ role: 'tool', content: 'noon' });
  second.send(...words('Noon.'), '[DONE]');
  await answering;
  expect(reloaded.reply).toBe('Noon.');
});
