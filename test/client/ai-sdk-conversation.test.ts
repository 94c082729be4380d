import { describe, expect, test } from 'vitest';
import type { TestApp } from '../support/app.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { openChatPage } from '../support/node-chat.ts';
import { chunk, type Exchange, startScripted, words } from '../support/scripted-gateway.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

interface SentChat {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function contentsOf({ text }: Exchange): readonly unknown[] {
  return (JSON.parse(text) as SentChat).messages.map(({ content }) => content);
}

const conversationText = `query Turns { generations(first: 100, filter: { collection: "trip" }) { edges { node {
  id parent { id } input output { ... on ChatCompletion { messages { content } } }
} } } }`;

interface RecordedTurn {
  readonly id: string;
  readonly parent: { readonly id: string } | null;
  readonly output: { readonly messages: readonly { readonly content: string | null }[] };
}

/** The recorded turns of the chat, oldest first, each with the messages that the page sent for it. */
async function readTurns(app: TestApp) {
  const { data } = await app.run<
    { generations: { edges: readonly { node: RecordedTurn }[] } },
    Record<string, never>
  >(conversationText);
  return (data?.generations.edges ?? [])
    .map(({ node }) => ({
      id: node.id,
      parent: node.parent?.id,
      sent: node.output.messages.map(({ content }) => content),
    }))
    .toReversed();
}

/** A gateway that answers each chat at once with these texts. */
async function startAnswering(...texts: readonly string[]) {
  const scripted = await startScripted();
  const exchanges: Exchange[] = [];
  const answering = (async () => {
    for (const [index, text] of texts.entries()) {
      const exchange = await scripted.gateway.exchange(index);
      exchanges.push(exchange);
      exchange.send(...words(text), chunk({}, 'stop'), '[DONE]');
    }
  })();
  return {
    app: scripted.app,
    gateway: scripted.gateway,
    exchanges,
    async [Symbol.asyncDispose]() {
      await scripted[Symbol.asyncDispose]();
      void answering;
    },
  };
}

describe('a conversation', () => {
  test('sends only what is new, and continues the recorded reply', async () => {
    await using answering = await startAnswering('one', 'two', 'three');
    const { app, exchanges } = answering;
    const page = openChatPage(app.url, { instructions: 'Be brief.' });
    const chat = page.start();
    await chat.sendMessage({ text: 'a' });
    await chat.sendMessage({ text: 'b' });
    const reloaded = await (await page.reload()).load();
    expect(reloaded.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    await reloaded.sendMessage({ text: 'c' });
    expect(exchanges.map(contentsOf)).toEqual([
      ['Be brief.', 'a'],
      ['Be brief.', 'a', 'one', 'b'],
      ['Be brief.', 'a', 'one', 'b', 'two', 'c'],
    ]);
    const turns = await readTurns(app);
    expect(turns.map(({ sent }) => sent)).toEqual([['Be brief.', 'a'], ['b'], ['c']]);
    expect(turns.map(({ parent }) => parent)).toEqual([undefined, turns[0]?.id, turns[1]?.id]);
  });

  test('whose messages differ from the record is sent whole', async () => {
    await using answering = await startAnswering('one', 'two', 'three');
    const { app, exchanges } = answering;
    const page = openChatPage(app.url);
    const chat = page.start();
    await chat.sendMessage({ text: 'a' });
    chat.messages = chat.messages.map((message) =>
      message.role === 'assistant' ? { ...message, parts: [{ type: 'text', text: 'edited' }] } : message,
    );
    await chat.sendMessage({ text: 'b' });
    expect(exchanges[1] && contentsOf(exchanges[1])).toEqual(['a', 'edited', 'b']);
    expect((await readTurns(app))[1]).toMatchObject({ parent: undefined, sent: ['a', 'edited', 'b'] });
    const { messages } = await page.load();
    expect(messages.map(({ parts }) => parts.map((part) => 'text' in part && part.text).at(-1))).toEqual([
      'a',
      'edited',
      'b',
      'two',
    ]);
    // From the record as it is now.
    await chat.sendMessage({ text: 'c' });
    expect((await readTurns(app))[2]).toMatchObject({ sent: ['c'] });
  });

  test('is sent whole when the record of a turn is gone', async () => {
    await using answering = await startAnswering('one', 'two');
    const { app, exchanges } = answering;
    const chat = openChatPage(app.url).start();
    await chat.sendMessage({ text: 'a' });
    const forget = `mutation Forget { deleteGenerations(filter: { collection: "trip" }) { __typename } }`;
    await app.run(forget);
    await chat.sendMessage({ text: 'b' });
    expect(chat.error).toBeUndefined();
    expect(exchanges[1] && contentsOf(exchanges[1])).toEqual(['a', 'one', 'b']);
  });

  test('branches for an edited message and for each regeneration', async () => {
    await using answering = await startAnswering('one', 'two', 'three', 'four', 'five');
    const { app, gateway } = answering;
    const page = openChatPage(app.url);
    const chat = page.start();
    await chat.sendMessage({ text: 'a' });
    await chat.sendMessage({ text: 'b' });
    await chat.regenerate();
    expect(chat.messages).toHaveLength(4);
    expect(chat.reply).toBe('three');
    await chat.regenerate();
    expect(chat.reply).toBe('four');
    const edited = chat.messages[2]?.id;
    await chat.sendMessage({ text: 'c', ...(edited !== undefined && { messageId: edited }) });
    expect(chat.reply).toBe('five');
    const turns = await readTurns(app);
    const [root] = turns;
    expect(turns.map(({ parent, sent }) => [parent, sent])).toEqual([
      [undefined, ['a']],
      [root?.id, ['b']],
      [root?.id, ['b']],
      [root?.id, ['b']],
      [root?.id, ['c']],
    ]);
    expect(gateway.requests).toHaveLength(5);
    expect((await page.load()).reply).toBe('five');
  });

  test('regenerates after a reload', async () => {
    await using answering = await startAnswering('one', 'two');
    const page = openChatPage(answering.app.url);
    await page.start().sendMessage({ text: 'a' });
    const reloaded = await (await page.reload()).load();
    await reloaded.regenerate();
    expect(reloaded.reply).toBe('two');
    expect(reloaded.messages).toHaveLength(2);
  });

  test('sends images by address and inline, and goes on when they were not recorded', async () => {
    await using answering = await startAnswering('one', 'two', 'three');
    const { app, exchanges } = answering;
    const page = openChatPage(app.url);
    const chat = page.start();
    const url = `data:image/png;base64,${Buffer.alloc(3000, 'a').toString('base64')}`;
    await chat.sendMessage({ text: 'What is it?', files: [{ type: 'file', mediaType: 'image/png', url }] });
    await chat.sendMessage({ text: 'Sure?' });
    expect(exchanges[1] && contentsOf(exchanges[1])).toEqual([
      [
        { type: 'image_url', image_url: { url } },
        { type: 'text', text: 'What is it?' },
      ],
      'one',
      'Sure?',
    ]);
    const reloaded = await (await page.reload()).load();
    expect(reloaded.messages[0]?.parts[0]).toMatchObject({
      text: expect.stringMatching(/^\[image\/png, \d+ bytes\]$/),
    });
    await reloaded.sendMessage({ text: 'And now?' });
    expect(reloaded.error).toBeUndefined();
    expect(reloaded.reply).toBe('three');
  });
});

describe('one generation', () => {
  test('comes of a message that is sent twice, a retry after an error and a second page', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const proxy = await startTcpProxy(app.url);
    const page = openChatPage(proxy.url);
    const chat = page.start();
    const sending = chat.sendMessage({ text: 'a' });
    const exchange = await gateway.exchange(0);
    const again = chat.regenerate();
    exchange.send(...words('one '));
    await expect.poll(() => chat.reply).toBe('one ');
    const twice = chat.regenerate();
    proxy.cut();
    const second = await openChatPage(app.url).load();
    const resuming = second.resumeStream();
    exchange.send(...words('two'), '[DONE]');
    await Promise.all([sending, again, twice, resuming]);
    expect([chat.reply, second.reply]).toEqual(['one two', 'one two']);
    expect([chat.messages.length, second.messages.length]).toEqual([2, 2]);
    expect(gateway.requests).toHaveLength(1);
  });

  test('comes of a message that a reload overtakes before it is sent', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const proxy = await startTcpProxy(app.url);
    const page = openChatPage(proxy.url);
    proxy.refuse();
    void page.start().sendMessage({ text: 'a' });
    await expect.poll(() => page.gengraph.connection.current.status).toBe('reconnecting');
    const reloading = page.reload();
    proxy.accept();
    const reloaded = await (await reloading).load();
    expect(reloaded.messages).toMatchObject([{ role: 'user', parts: [{ text: 'a' }] }]);
    const resuming = reloaded.resumeStream();
    (await gateway.exchange(0)).send(...words('one'), '[DONE]');
    await resuming;
    expect(reloaded.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }]);
    expect(reloaded.reply).toBe('one');
    expect(gateway.requests).toHaveLength(1);
  });

  test('comes of a message that is sent before the page has found nothing to resume, and that a reload overtakes', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const slow = await startFreezingProxy(app.url);
    const page = openChatPage(slow.url);
    const chat = await page.load();
    slow.freeze();
    const resuming = chat.resumeStream();
    void chat.sendMessage({ text: 'a' });
    slow.thaw();
    await resuming;
    const reloaded = await (await page.reload()).load();
    expect(reloaded.messages).toMatchObject([{ role: 'user', parts: [{ text: 'a' }] }]);
    const again = reloaded.resumeStream();
    (await gateway.exchange(0)).send(...words('one'), '[DONE]');
    await again;
    expect(reloaded.reply).toBe('one');
    expect(gateway.requests).toHaveLength(1);
  });

  test('comes of a page that resumes twice, as in StrictMode, and of one that resumes again', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const page = openChatPage(app.url);
    void page.start().sendMessage({ text: 'a' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one '));
    const opened = await page.reload();
    const reloaded = await opened.load();
    const first = reloaded.resumeStream();
    void reloaded.stop();
    const second = reloaded.resumeStream();
    await expect.poll(() => reloaded.status).toBe('streaming');
    const third = reloaded.resumeStream();
    await expect.poll(() => reloaded.status).toBe('streaming');
    // A stop would have been sent before these.
    await opened.gengraph.running('trip');
    expect(await opened.gengraph.running('trip')).toMatchObject({ value: [{ status: 'RUNNING' }] });
    exchange.send(...words('two'), '[DONE]');
    await Promise.all([first, second, third]);
    expect(reloaded.reply).toBe('one two');
    expect(reloaded.messages).toHaveLength(2);
    expect(gateway.requests).toHaveLength(1);
  });

  test('is resumed as one message in the second step of a tool, without calling the tool again', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const page = openChatPage(app.url);
    const chat = page.start();
    const sending = chat.sendMessage({ text: 'How warm?' });
    const call = { index: 0, id: 'call-1', function: { name: 'weather', arguments: '{ "city": "Rome" }' } };
    (await gateway.exchange(0)).send(
      chunk({ reasoning_content: 'hm' }),
      chunk({ tool_calls: [call] }, 'tool_calls'),
      { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } },
      '[DONE]',
    );
    await sending;
    await chat.addToolOutput({ tool: 'weather', toolCallId: 'call-1', output: { celsius: 30 } });
    void chat.sendMessage();
    const second = await gateway.exchange(1);
    second.send(...words('Warm'));
    await expect.poll(() => chat.reply).toBe('Warm');
    const calls: unknown[] = [];
    const reloaded = await (
      await page.reload()
    ).load({ onToolCall: ({ toolCall }) => void calls.push(toolCall) });
    const resuming = reloaded.resumeStream();
    second.send(
      ...words('.'),
      { choices: [], usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } },
      '[DONE]',
    );
    await resuming;
    expect(reloaded.messages).toHaveLength(2);
    expect(reloaded.messages[1]).toMatchObject({
      id: chat.messages[1]?.id,
      metadata: { usage: { promptTokens: 11, completionTokens: 22, totalTokens: 33 } },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'hm' },
        { type: 'tool-weather', state: 'output-available', input: { city: 'Rome' }, output: { celsius: 30 } },
        { type: 'step-start' },
        { type: 'text', text: 'Warm.' },
      ],
    });
    expect(calls).toEqual([]);
    expect(gateway.requests).toHaveLength(2);
    const next = reloaded.sendMessage({ text: 'Thanks' });
    const third = await gateway.exchange(2);
    third.send(...words('Bye'), '[DONE]');
    await next;
    expect((await readTurns(app)).map(({ sent }) => sent)).toEqual([
      ['How warm?'],
      ['{"celsius":30}'],
      ['Thanks'],
    ]);
  });

  test('that ends while a page reloads is complete after it', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const page = openChatPage(app.url);
    void page.start().sendMessage({ text: 'a' });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('one '));
    const opened = await page.reload();
    const reloaded = await opened.load();
    expect(reloaded.messages.at(-1)?.metadata?.status).toBe('streaming');
    exchange.send(...words('two'), '[DONE]');
    await expect.poll(() => opened.gengraph.running('trip')).toEqual({ value: [] });
    await reloaded.resumeStream();
    expect(reloaded.reply).toBe('one two');
    expect(reloaded.messages).toHaveLength(2);
    await reloaded.resumeStream();
    expect(reloaded.messages).toHaveLength(2);
    expect(reloaded.status).toBe('ready');
  });

  test('is another one for a retry after the chat has failed', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const chat = openChatPage(app.url).start();
    const sending = chat.sendMessage({ text: 'a' });
    (await gateway.exchange(0)).reply(429, { error: { message: 'slow down' } });
    await sending;
    expect(chat.error).toMatchObject({ problem: { code: 'RATE_LIMITED' } });
    const again = chat.sendMessage();
    (await gateway.exchange(1)).send(...words('one'), '[DONE]');
    await again;
    expect(chat.reply).toBe('one');
  });
});
