import { expect, test } from 'vitest';
import { advanceUntil } from '../support/advance-until.ts';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { settledAssets, startFilesApp } from '../support/files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { pngOf } from '../support/png.ts';
import { createRecords, engines } from '../support/records.ts';
import { secret, startReceiver, verify, webhookEnv } from '../support/webhook-receiver.ts';

const create = `mutation ($collection: ID) {
  createChatCompletion(input: { model: "gpt-4o", messages: [{ role: USER, content: { text: "Say hello" } }] }, collection: $collection) {
    ... on Generation { id }
  }
}`;

test.each(engines)(
  '%s: the end of a chat reaches each receiver, signed, without its text',
  async (engine) => {
    const records = await createRecords(engine);
    const [first, second] = [await startReceiver(), await startReceiver()];
    await using app = await startApp({ env: { ...records.env, ...webhookEnv([first, second]) } });
    const chat = await app.run<{ createChatCompletion: { id: string } }, object>(create, {
      collection: 'shop',
    });
    const [[event], [other]] = await Promise.all([first.waitFor(1), second.waitFor(1)]);
    expect(event?.id).toMatch(/^evt_[\da-f]{32}$/);
    expect(other?.id).toBe(event?.id);
    expect(event?.event).toEqual({
      type: 'generation.succeeded',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        generationId: chat.data?.createChatCompletion.id,
        taskId: null,
        owner: expect.stringMatching(/./),
        kind: 'CHAT',
        status: 'SUCCEEDED',
        model: 'gpt-4o',
        collection: 'shop',
        createdAt: expect.any(String),
        finishedAt: event?.event.timestamp,
        usage: expect.objectContaining({ totalTokens: expect.any(Number) }),
        error: null,
        corrects: null,
        links: [],
      },
    });
    expect(event?.body).not.toMatch(/hello/i);
    if (event) verify(event);
    expect(event && (() => verify({ ...event, body: `${event.body} ` }))).toThrow(
      'No matching signature found',
    );
  },
);

test('a webhook with `includeContent` gets the prompt and the text, and one with other statuses nothing', async () => {
  const [all, failures] = [await startReceiver(), await startReceiver()];
  const webhooks = [
    { name: 'all', url: all.url, secret, includeContent: true },
    { name: 'failures', url: failures.url, secret, statuses: ['FAILED'] },
  ];
  const env = { WEBHOOKS: JSON.stringify(webhooks), WEBHOOK_HOSTS: '127.0.0.1' };
  await using app = await startApp({ env });
  const chat = made(await createChatCompletion(app, { input: ask('Say hello') }));
  const [event] = await all.waitFor(1);
  const text = chat.output?.choices[0]?.message.content;
  expect(event?.event.data).toMatchObject({ generationId: chat.id, prompt: 'Say hello', texts: [text] });
  expect(failures.received).toEqual([]);
});

test('the event of an image has links to its files', async () => {
  const receiver = await startReceiver();
  await using app = await startApp({ env: webhookEnv([receiver]) });
  const created = await app.run<{ createImage: { assets: readonly { url: string }[] } }, object>(`mutation {
    createImage(input: { byCount: { model: "dall-e-3", prompt: "A cat" } }) { ... on Generation { assets { url } } }
  }`);
  const [event] = await receiver.waitFor(1);
  const url = created.data?.createImage.assets[0]?.url;
  expect(url).toMatch(/^http/);
  expect(event?.event.data).toMatchObject({ links: [{ kind: 'IMAGE', role: 'PRIMARY', url }] });
  expect(event?.body).not.toContain('A cat');
});

test('the links of a server that keeps files have ids, and its own addresses as soon as they are stored', async () => {
  const receiver = await startReceiver();
  let isAway = true;
  receiver.answer = (_event, response) => void response.writeHead(isAway ? 503 : 204).end();
  const clock = createManualClock(Date.now());
  const app = await startFilesApp({ env: webhookEnv([receiver]), overrides: { clock } });
  const id = await app.createImages([{ b64_json: pngOf('x', 3000).toString('base64') }]);
  await receiver.waitFor(1);
  await settledAssets(app, id);
  isAway = false;
  await advanceUntil(clock, () => receiver.received.length > 1);
  const links = receiver.received[1]?.event.data['links'];
  const [link] = links as readonly { readonly url: string }[];
  expect(link).toMatchObject({ id: `${id}.0`, storage: 'STORED', contentType: 'image/png' });
  expect((await fetch(link?.url ?? '')).status).toBe(200);
});

test('with several secrets, the signature is valid with each, so that a secret can be replaced', async () => {
  const receiver = await startReceiver();
  const old = `whsec_${Buffer.alloc(24, 'b').toString('base64')}`;
  await using app = await startApp({ env: webhookEnv([receiver], { secret: [secret, old] }) });
  await createChatCompletion(app, { input: ask('Say hello') });
  const [event] = await receiver.waitFor(1);
  for (const key of [secret, old]) expect(event && verify(event, key)).toBeUndefined();
  expect(() => event && verify(event, `whsec_${Buffer.alloc(24, 'c').toString('base64')}`)).toThrow(
    'No matching signature found',
  );
});
