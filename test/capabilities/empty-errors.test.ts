import { describe, expect, test } from 'vitest';
import { isErrorBody } from '../../src/gateway/decode-error.ts';
import { startAnswering } from '../support/answering-gateway.ts';
import { ask, createChatCompletion, made, streamChat, toEnd } from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { make, plainByCount, plainByResolution } from '../support/images.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const emptyErrors = [{}, { code: '', message: '' }, { code: 0, message: '', type: null }] as const;

describe.each(emptyErrors.map((error) => [JSON.stringify(error), error] as const))(
  'the error %s',
  (_text, error) => {
    test('beside images does not refuse them', async () => {
      await using gateway = await startAnswering({ created: 1, data: [{ url: 'http://x/1.png' }], error });
      for (const input of [{ byCount: plainByCount }, { byResolution: plainByResolution }])
        expect(await make(gateway.app, input)).toMatchObject({ status: 'SUCCEEDED', error: null });
    });

    test('beside the choices of a whole reply does not refuse it', async () => {
      await using gateway = await startAnswering({ choices: [{ message: { content: 'Hello' } }], error });
      const generation = made(await createChatCompletion(gateway.app, { input: ask('Hi') }));
      expect(generation).toMatchObject({ status: 'SUCCEEDED', error: null });
    });

    test('in the chunks of a stream does not end it', async () => {
      await using scripted = await startScripted();
      const ended = toEnd(streamChat(scripted.app.wsClient(), { input: ask('Hi') }));
      const exchange = await scripted.gateway.exchange(0);
      exchange.send(...words('Hel', 'lo').map((chunk) => ({ ...chunk, error })), '[DONE]');
      const events = await ended;
      expect(events.at(-1)?.__typename).toBe('ChatCompleted');
      expect(foldedText(events)).toBe('Hello');
    });

    test('alone is an error', () => {
      expect(isErrorBody({ error })).toBe(true);
    });
  },
);

test('an error of some images beside others refuses none, because they are paid', async () => {
  const reply = {
    created: 1,
    data: [{ url: 'http://x/1.png' }],
    error: { code: 'partial', message: 'One of 2 images failed.' },
  };
  await using gateway = await startAnswering(reply);
  for (const input of [{ byCount: plainByCount }, { byResolution: plainByResolution }])
    expect(await make(gateway.app, input)).toMatchObject({
      status: 'SUCCEEDED',
      assets: [{ url: 'http://x/1.png' }],
    });
});

test.each([
  ['text', { content: 'Hello' }, 'SUCCEEDED'],
  ['no text', { content: '' }, undefined],
])('an error beside a chat reply with %s', async (_what, message, status) => {
  const reply = { choices: [{ message, finish_reason: 'error' }], error: { message: 'Moderation failed.' } };
  await using gateway = await startAnswering(reply);
  const created = await createChatCompletion(gateway.app, { input: ask('Hi') });
  expect(created).toMatchObject(status ? { status } : { code: 'GATEWAY_ERROR' });
});

test.each([[[]], [[null]], [[{}]], [null], [{}], [''], ['Not allowed.']])(
  'an error beside the data %j is a refusal',
  (data) => {
    expect(isErrorBody({ error: { message: 'Not allowed.' }, data })).toBe(true);
  },
);
