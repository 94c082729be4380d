import type { ExecutionResult } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/store.ts';
import { collect } from '../../support/app.ts';
import { chatId, readConversation, sendChat, userMessage } from '../../support/conversations.ts';
import { type RecordedRequest, startRecorded } from '../../support/recording-gateway.ts';

type Sent = { readonly messages: readonly object[]; readonly [member: string]: unknown };

function bodyOf(request: RecordedRequest | undefined): Sent {
  return request?.body as Sent;
}

/** A reply that repeats the number of the request. */
function reply(message: object, more: object = {}): object {
  return {
    choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
    ...more,
  };
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

/** Starts the program with a gateway that answers `reply 1`, `reply 2` and so on. */
async function startCounting(env: Readonly<Record<string, string>> = {}) {
  const server = await startRecorded({ env });
  server.gateway.answer(() => ({ body: reply({ content: `reply ${server.gateway.requests.length}` }) }));
  return server;
}

describe('a chat that continues another', () => {
  test('sends the messages and replies of all turns before its own, in order', async () => {
    await using server = await startCounting();
    const { app, gateway } = server;
    const first = await chatId(app, {
      messages: [{ role: 'SYSTEM', content: { text: 'Be brief.' } }, userMessage('one')],
    });
    const second = await chatId(app, { continueFrom: first, messages: [userMessage('two')], model: 'other' });
    const third = await chatId(app, {
      continueFrom: second,
      messages: [userMessage('three')],
      temperature: 0.5,
    });
    expect(bodyOf(gateway.requests[2])).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        user('one'),
        assistant('reply 1'),
        user('two'),
        assistant('reply 2'),
        user('three'),
      ],
      stream: false,
      temperature: 0.5,
    });
    expect(bodyOf(gateway.requests[1])['model']).toBe('other');
    // The record has only its own turn.
    expect(await readConversation(app, third)).toMatchObject({
      input: { messages: [user('three')] },
      parent: { id: second },
      thread: [{ id: first }, { id: second }, { id: third }],
      canContinue: true,
      notContinuableReason: null,
    });
    expect(await readConversation(app, first)).toMatchObject({ parent: null, thread: [{ id: first }] });
  });

  test('two continuations are two branches, in the order of their creation', async () => {
    await using server = await startCounting();
    const { app, gateway } = server;
    const root = await chatId(app);
    const branches = [
      await chatId(app, { continueFrom: root, messages: [userMessage('left')] }),
      await chatId(app, { continueFrom: root, messages: [userMessage('right')] }),
      await chatId(app, { continueFrom: root, messages: [userMessage('third')] }),
    ];
    const leaf = await chatId(app, { continueFrom: branches[1] ?? '', messages: [userMessage('on')] });
    expect(bodyOf(gateway.requests[4]).messages).toEqual([
      user('Hello'),
      assistant('reply 1'),
      user('right'),
      assistant('reply 3'),
      user('on'),
    ]);
    const page = (await readConversation(app, root, { first: 2 }))?.continuations;
    expect(page?.edges.map(({ node }) => node.id)).toEqual(branches.slice(0, 2));
    expect(page).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: true } });
    const rest = await readConversation(app, root, { first: 2, after: page?.pageInfo.endCursor ?? '' });
    expect(rest?.continuations).toMatchObject({
      edges: [{ node: { id: branches[2] } }],
      pageInfo: { hasNextPage: false },
    });
    expect((await readConversation(app, leaf))?.thread).toEqual([
      { id: root },
      { id: branches[1] },
      { id: leaf },
    ]);
  });

  test('continues the chosen candidate, and refuses one that is not there', async () => {
    await using server = await startRecorded();
    const { app, gateway } = server;
    const choices = ['zero', 'one'].map((content, index) => ({
      index,
      message: { content },
      finish_reason: 'stop',
    }));
    gateway.answer({ body: { choices } });
    const root = await chatId(app, { count: 2 });
    const second = await chatId(app, { continueFrom: root, continueChoice: 1 });
    await chatId(app, { continueFrom: second });
    expect(bodyOf(gateway.requests[2]).messages).toEqual([
      user('Hello'),
      assistant('one'),
      user('Hello'),
      assistant('zero'),
      user('Hello'),
    ]);
    expect(await sendChat(app, { continueFrom: root, continueChoice: 2, topP: 3 })).toMatchObject({
      code: 'INVALID_INPUT',
      issues: [{ path: ['input', 'continueChoice'] }, { path: ['input', 'topP'] }],
    });
    expect(gateway.requests).toHaveLength(3);
  });

  test('inherits the collection, unless another one is given', async () => {
    await using server = await startCounting();
    const { app } = server;
    const root = await chatId(app, {}, { collection: 'trip' });
    expect(await sendChat(app, { continueFrom: root })).toMatchObject({ collection: 'trip' });
    expect(await sendChat(app, { continueFrom: root }, { collection: 'other' })).toMatchObject({
      collection: 'other',
    });
  });

  test('answers every tool call of the continued reply, with all problems reported together', async () => {
    await using server = await startRecorded();
    const { app, gateway } = server;
    const call = (id: string, name: string) => ({
      id,
      type: 'function',
      function: { name, arguments: '{"a":1}' },
    });
    gateway.answer({
      body: reply({
        content: null,
        tool_calls: [{ ...call('c1', 'find'), extra_content: { s: 'x' } }, call('c2', 'sum')],
      }),
    });
    const root = await chatId(app);
    const tool = (id: string) => ({ role: 'TOOL', toolCallId: id, content: { text: `result of ${id}` } });
    const refused = await sendChat(app, {
      continueFrom: root,
      // Only a TOOL message answers a call.
      messages: [tool('c1'), tool('unknown'), { ...tool('c2'), role: 'USER' }],
      responseFormat: { type: 'JSON_OBJECT' },
    });
    expect(refused.code).toBe('INVALID_INPUT');
    expect(refused.issues?.map(({ path }) => path.join('.'))).toEqual([
      'input.messages',
      'input.messages.1.toolCallId',
      'input.responseFormat.type',
    ]);
    expect(refused.issues?.[0]?.message).toContain('"c2"');
    expect(gateway.requests).toHaveLength(1);
    await chatId(app, { continueFrom: root, messages: [tool('c2'), tool('c1')] });
    expect(bodyOf(gateway.requests[1]).messages).toEqual([
      user('Hello'),
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ ...call('c1', 'find'), extra_content: { s: 'x' } }, call('c2', 'sum')],
      },
      { role: 'tool', content: 'result of c2', tool_call_id: 'c2' },
      { role: 'tool', content: 'result of c1', tool_call_id: 'c1' },
    ]);
  });

  test('sends reasoning, refusals and images back as the message form allows', async () => {
    await using server = await startRecorded();
    const { app, gateway } = server;
    const image = `data:image/png;base64,${'A'.repeat(2000)}`;
    const replies = [
      reply({ content: 'so', reasoning_content: 'because' }),
      reply({ content: null, refusal: 'I cannot.' }),
      reply({
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: image } },
        ],
      }),
      reply({ content: 'end' }),
    ];
    gateway.answer(() => ({ body: replies[gateway.requests.length - 1] }));
    let last = await chatId(app);
    for (let turn = 1; turn < replies.length; turn += 1) last = await chatId(app, { continueFrom: last });
    expect(bodyOf(gateway.requests[3]).messages.filter((_message, index) => index % 2 === 1)).toEqual([
      { role: 'assistant', content: 'so', reasoning_content: 'because' },
      { role: 'assistant', content: 'I cannot.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: image } },
        ],
      },
    ]);
  });

  test('counts the history for rules across messages', async () => {
    await using server = await startCounting();
    const { app } = server;
    const asked = await chatId(app, { messages: [userMessage('Answer in JSON.')] });
    const other = await chatId(app);
    const json = { responseFormat: { type: 'JSON_OBJECT' } };
    expect(await sendChat(app, { continueFrom: asked, ...json })).toMatchObject({ status: 'SUCCEEDED' });
    expect(await sendChat(app, { continueFrom: other, ...json })).toMatchObject({
      issues: [{ path: ['input', 'responseFormat', 'type'] }],
    });
    expect(await sendChat(app, { continueChoice: 0, continuePartial: true })).toMatchObject({
      issues: [{ path: ['input', 'continueChoice'] }, { path: ['input', 'continuePartial'] }],
    });
  });
});

/** The methods of the store that a chat calls, with the numbers of its ids or contents. */
async function callsOf(server: Awaited<ReturnType<typeof startCountingCalls>>, input: object) {
  server.calls.length = 0;
  await sendChat(server.app, input, { idempotencyKey: String(Math.random()) });
  return server.calls.filter((name) => !background.has(name));
}

/** Called by timers. */
const background = new Set([
  'renewLease',
  'findOrphans',
  'findEnded',
  'createDeadline',
  'secret',
  'sweep',
  'isReady',
]);

async function startCountingCalls() {
  const calls: string[] = [];
  const wrapStore = (store: Store): Store => {
    const wrapped: Record<string, unknown> = { ...store };
    for (const [name, method] of Object.entries(store)) {
      if (typeof method !== 'function') continue;
      wrapped[name] = (...args: unknown[]): unknown => {
        calls.push(name);
        return Reflect.apply(method, store, args);
      };
    }
    // Every member has the type that it had before.
    return wrapped as unknown as Store;
  };
  const server = await startRecorded({ overrides: { wrapStore } });
  server.gateway.answer({ body: reply({ content: 'a' }) });
  return Object.assign(server, { calls });
}

test('a chat that continues nothing reads no more than before, and one with a long thread three times', async () => {
  await using server = await startCountingCalls();
  // The fields of the answer read more: `canContinue`.
  const shown = ['measureThreads'];
  const plain = ['claim', 'settle', 'endGeneration'];
  let last = await chatId(server.app);
  expect((await callsOf(server, {})).filter((name) => !shown.includes(name))).toEqual(plain);
  for (let turn = 0; turn < 5; turn += 1) last = await chatId(server.app, { continueFrom: last });
  const continued = ['findCreation', 'findThread', 'findContents', ...plain];
  expect((await callsOf(server, { continueFrom: last })).filter((name) => !shown.includes(name))).toEqual(
    continued,
  );
});

test('a subscription that cannot continue sends one failure with the reason', async () => {
  await using server = await startCounting();
  const { app } = server;
  const failures = await collect(
    app.wsClient().iterate<{ streamChat: object }>({
      query: `subscription ($input: ChatInput!) {
        streamChat(input: $input) {
          __typename generationId ... on ChatFailed { error { code ... on NotContinuableError { reason } ... on InvalidInputError { issues { path } } } }
        }
      }`,
      variables: { input: { model: 'm', messages: [userMessage('a')], continueFrom: 'generation_x' } },
    }) as AsyncIterable<ExecutionResult<{ streamChat: object }>>,
  );
  expect(failures).toEqual([
    {
      data: {
        streamChat: {
          __typename: 'ChatFailed',
          generationId: null,
          error: { code: 'INVALID_INPUT', issues: [{ path: ['input', 'continueFrom'] }] },
        },
      },
    },
  ]);
});
