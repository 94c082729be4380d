import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { parse, validate } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GengraphChatError } from '../../src/client/ai-sdk/index.ts';
import { newestText, rawText, threadText } from '../../src/client/ai-sdk/thread.ts';
import { schema } from '../support/api-schema.ts';
import { startApp } from '../support/app.ts';
import { openChatPage } from '../support/node-chat.ts';
import { chunk, startScripted, words } from '../support/scripted-gateway.ts';

const sendAutomaticallyWhen = lastAssistantMessageIsCompleteWithToolCalls;

function messagesOf({ text }: { readonly text: string }): readonly object[] {
  return (JSON.parse(text) as { readonly messages: readonly object[] }).messages;
}

describe('a reply', () => {
  test('becomes reasoning, text, usage and a finish reason', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const finishes: unknown[] = [];
    const chat = openChatPage(app.url).start({ onFinish: ({ finishReason }) => finishes.push(finishReason) });
    const sending = chat.sendMessage({ text: 'Hello' });
    const exchange = await gateway.exchange(0);
    exchange.send(
      chunk({ reasoning_content: 'hm' }),
      ...words('Hel', 'lo'),
      chunk({}, 'stop'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      '[DONE]',
    );
    await sending;
    expect(chat.error).toBeUndefined();
    const [, reply] = chat.messages;
    expect(reply).toMatchObject({
      id: reply?.metadata?.generationId,
      role: 'assistant',
      metadata: {
        status: 'completed',
        finishReason: 'stop',
        usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
      },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'hm', state: 'done' },
        { type: 'text', text: 'Hello', state: 'done' },
      ],
    });
    expect(finishes).toEqual(['stop']);
    expect(chat.status).toBe('ready');
  });

  test('shows a refusal as text', async () => {
    await using scripted = await startScripted();
    const chat = openChatPage(scripted.app.url).start();
    const sending = chat.sendMessage({ text: 'Hello' });
    const exchange = await scripted.gateway.exchange(0);
    exchange.send(chunk({ refusal: 'I can' }), chunk({ refusal: 'not.' }, 'stop'), '[DONE]');
    await sending;
    expect(chat.reply).toBe('I cannot.');
  });

  test('becomes images and the sources that the gateway cites', async () => {
    await using scripted = await startScripted();
    const url = 'https://images.example/1.png';
    const source = { type: 'source-url', url: 'https://example.com/a', title: 'A' };
    const page = openChatPage(scripted.app.url, { model: 'painter-search' });
    const chat = page.start();
    const sending = chat.sendMessage({ text: 'Paint' });
    const exchange = await scripted.gateway.exchange(0);
    const citation = { type: 'url_citation', url_citation: { url: source.url, title: source.title } };
    // A page makes a link of it.
    const script = { type: 'url_citation', url_citation: { url: 'javascript:alert(1)', title: 'A' } };
    exchange.send(
      ...words('Here'),
      chunk({ images: [{ image_url: { url } }], annotations: [citation, script, citation] }, 'stop'),
      '[DONE]',
    );
    await sending;
    const parts = [{ type: 'step-start' }, { type: 'text', text: 'Here' }, { type: 'file', url }, source];
    expect(chat.messages.at(-1)?.parts).toMatchObject(parts);
    expect((await page.load()).messages.at(-1)?.parts).toMatchObject(parts);
  });

  test('calls tools with streamed arguments, and stays one message when they have answered', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const page = openChatPage(app.url);
    const called: unknown[] = [];
    const chat = page.start({
      sendAutomaticallyWhen,
      onToolCall: ({ toolCall }) => void called.push(toolCall.input),
    });
    const sending = chat.sendMessage({ text: 'How warm is Rome?' });
    const first = await gateway.exchange(0);
    const call = { index: 0, id: 'call-1', function: { name: 'weather', arguments: '{"city": ' } };
    first.send(...words('Let me see.'), chunk({ tool_calls: [call] }));
    await expect
      .poll(() => chat.messages[1]?.parts.at(-1))
      .toMatchObject({ type: 'tool-weather', state: 'input-streaming' });
    first.send(
      chunk({ tool_calls: [{ index: 0, function: { arguments: '"Rome"}' } }] }, 'tool_calls'),
      '[DONE]',
    );
    await sending;
    expect(called).toEqual([{ city: 'Rome' }]);
    void chat.addToolOutput({ tool: 'weather', toolCallId: 'call-1', output: { celsius: 30 } });
    const second = await gateway.exchange(1);
    expect(messagesOf(second)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Let me see.', tool_calls: [{ id: 'call-1' }] },
      { role: 'tool', tool_call_id: 'call-1', content: '{"celsius":30}' },
    ]);
    second.send(...words('Warm.'), chunk({}, 'stop'), '[DONE]');
    await expect.poll(() => chat.reply).toBe('Let me see.Warm.');
    await expect.poll(() => chat.status).toBe('ready');
    const parts = [
      { type: 'step-start' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-weather', input: { city: 'Rome' }, state: 'output-available', output: { celsius: 30 } },
      { type: 'step-start' },
      { type: 'text', text: 'Warm.' },
    ];
    expect(chat.messages).toHaveLength(2);
    expect(chat.messages[1]?.parts).toMatchObject(parts);
    const { messages } = await page.load();
    expect(messages).toHaveLength(2);
    expect(messages[1]).toMatchObject({ id: chat.messages[1]?.id, parts });
    expect(await page.gengraph.running('trip')).toEqual({ value: [] });
  });

  test('whose call has arguments that are not JSON ends that call with an error', async () => {
    await using scripted = await startScripted();
    const chat = openChatPage(scripted.app.url).start();
    const sending = chat.sendMessage({ text: 'Hello' });
    const exchange = await scripted.gateway.exchange(0);
    const call = { index: 0, function: { name: 'weather', arguments: '{"city' } };
    exchange.send(chunk({ tool_calls: [call] }, 'tool_calls'), '[DONE]');
    await sending;
    expect(chat.messages[1]?.parts.at(-1)).toMatchObject({ type: 'tool-weather', state: 'output-error' });
  });
});

describe('an error', () => {
  test('of the input is an error with its issues, and leaves no message', async () => {
    await using app = await startApp();
    const chat = openChatPage(app.url, { temperature: 9 }).start();
    await chat.sendMessage({ text: 'Hello' });
    expect(chat.status).toBe('error');
    expect(chat.messages).toHaveLength(1);
    expect(chat.error).toBeInstanceOf(GengraphChatError);
    expect(chat.error).toMatchObject({
      problem: { retry: 'FIX_INPUT', issues: [{ path: ['input', 'temperature'] }] },
    });
  });

  test('in mid-reply keeps the text, with the advice beside it', async () => {
    await using app = await startApp();
    const chat = openChatPage(app.url, { model: 'fault-in-band-error' }).start();
    await chat.sendMessage({ text: 'count to 50' });
    expect(chat.error).toMatchObject({ problem: { retry: 'MAY_CHARGE_AGAIN' } });
    expect(chat.error?.message).not.toBe('');
    expect(chat.reply).not.toBe('');
    expect(chat.messages[1]?.metadata).toMatchObject({ status: 'failed', error: { code: 'GATEWAY_ERROR' } });
  });

  test('of a file that chats do not take says so before anything is sent', async () => {
    await using scripted = await startScripted();
    const chat = openChatPage(scripted.app.url).start();
    await chat.sendMessage({
      files: [{ type: 'file', mediaType: 'application/pdf', url: 'https://a.example/a' }],
    });
    expect(chat.error).toMatchObject({ problem: { retry: 'FIX_INPUT' } });
    expect(scripted.gateway.requests).toHaveLength(0);
  });
});

describe('leaving', () => {
  test('by the stop button stops the gateway, and the conversation goes on from what was kept', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const page = openChatPage(app.url);
    const chat = page.start();
    const sending = chat.sendMessage({ text: 'Hello' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one'));
    await expect.poll(() => chat.reply).toBe('one');
    await chat.stop();
    await exchange.closed;
    await sending;
    expect(chat.status).toBe('ready');
    const next = chat.sendMessage({ text: 'And then?' });
    const second = await gateway.exchange(1);
    expect(messagesOf(second)).toMatchObject([
      { content: 'Hello' },
      { role: 'assistant', content: 'one' },
      { content: 'And then?' },
    ]);
    second.send(...words('two'), '[DONE]');
    await next;
    const { messages } = await page.load();
    expect(messages.map(({ metadata }) => metadata?.status)).toEqual([
      undefined,
      'canceled',
      undefined,
      'completed',
    ]);
  });

  test('before the first byte stops it too', async () => {
    await using scripted = await startScripted();
    const chat = openChatPage(scripted.app.url).start();
    void chat.sendMessage({ text: 'Hello' });
    const exchange = await scripted.gateway.exchange(0);
    await chat.stop();
    await exchange.closed;
    expect(chat.messages).toHaveLength(1);
  });

  test.each(['pagehide', 'beforeunload'])(
    'by an abort that follows %s goes on at the gateway',
    async (event) => {
      const page = pretendPage();
      await using scripted = await startScripted();
      const { app, gateway } = scripted;
      const left = openChatPage(app.url);
      const chat = left.start();
      void chat.sendMessage({ text: 'Hello' });
      const exchange = await gateway.exchange(0);
      exchange.send(...words('one '));
      await expect.poll(() => chat.reply).toBe('one ');
      page.dispatchEvent(new Event(event));
      await chat.stop();
      const reloaded = await (await left.reload()).load();
      const resuming = reloaded.resumeStream();
      exchange.send(...words('two'), '[DONE]');
      await resuming;
      expect(reloaded.reply).toBe('one two');
    },
  );

  test('by an abort after a page that stayed is a stop again', async () => {
    const page = pretendPage();
    await using scripted = await startScripted();
    const chat = openChatPage(scripted.app.url).start();
    void chat.sendMessage({ text: 'Hello' });
    const exchange = await scripted.gateway.exchange(0);
    exchange.send(...words('one'));
    await expect.poll(() => chat.reply).toBe('one');
    page.dispatchEvent(new Event('pagehide'));
    page.dispatchEvent(new Event('pageshow'));
    await chat.stop();
    await exchange.closed;
  });
});

/** Gives this process the events of a page. */
function pretendPage(): EventTarget {
  const page = new EventTarget();
  for (const name of ['addEventListener', 'removeEventListener'] as const) {
    Object.defineProperty(globalThis, name, { value: page[name].bind(page), configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
  }
  return page;
}

test.each([newestText, rawText, threadText])('its operations are valid: %#', (text) => {
  expect(validate(schema, parse(text))).toEqual([]);
});
