import { describe, expect, test } from 'vitest';
import { DeleteGenerationsDocument } from '../../../src/client/documents.generated.ts';
import { chatId, readConversation, sendChat, userMessage } from '../../support/conversations.ts';
import { createRecords, engines } from '../../support/records.ts';
import { startRecorded } from '../../support/recording-gateway.ts';
import { chunk, startScripted, words } from '../../support/scripted-gateway.ts';

const reply = (message: object): object => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
});
const otherCaller = { headers: { authorization: 'Bearer sk-other' } };
const photo = `data:image/png;base64,${'iVBORw0KGgo'.repeat(200)}`;
const imageMessage = (url: string) => ({
  role: 'USER',
  content: { parts: [{ text: 'What is this?' }, { imageUrl: { url } }] },
});

describe.each(engines)('on %s', (engine) => {
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const records = await createRecords(engine);
    const server = await startRecorded({ env: { ...records.env, ...env } });
    server.gateway.answer(() => ({ body: reply({ content: `reply ${server.gateway.requests.length}` }) }));
    return Object.assign(server, { records });
  };

  test('the chat of another caller, an unknown id and a tampered one are not found', async () => {
    await using server = await start();
    const { app, gateway } = server;
    const id = await chatId(app);
    const refused = {
      code: 'INVALID_INPUT',
      message: 'input.continueFrom: A chat of the caller with this id was not found.',
      issues: [{ path: ['input', 'continueFrom'], message: expect.stringContaining('was not found') }],
    };
    expect(await sendChat(app, { continueFrom: id }, otherCaller)).toMatchObject(refused);
    for (const continueFrom of [
      `${id.slice(0, -1)}!`,
      'generation_x',
      "' or 1=1 --",
      `${id} `,
      'x'.repeat(9000),
    ])
      expect(await sendChat(app, { continueFrom })).toMatchObject(refused);
    expect(gateway.requests).toHaveLength(1);
    // With other problems, all are reported at once.
    const { issues } = await sendChat(app, { continueFrom: 'x', temperature: 9 });
    expect(issues?.map(({ path }) => path.at(-1))).toEqual(['continueFrom', 'temperature']);
  });

  test('without an ancestor, nothing is sent, and both the list and the refusal say why', async () => {
    await using server = await start();
    const { app, gateway } = server;
    const root = await chatId(app);
    const second = await chatId(app, { continueFrom: root });
    const third = await chatId(app, { continueFrom: second });
    await app.run(DeleteGenerationsDocument, { ids: [root] });
    expect(await sendChat(app, { continueFrom: third })).toMatchObject({
      __typename: 'NotContinuableError',
      code: 'NOT_CONTINUABLE',
      retry: 'FIX_INPUT',
      reason: 'ANCESTOR_DELETED',
      generation: { id: third },
    });
    expect(gateway.requests).toHaveLength(3);
    expect(await readConversation(app, third)).toMatchObject({
      canContinue: false,
      notContinuableReason: 'ANCESTOR_DELETED',
      thread: [{ id: second }, { id: third }],
    });
    expect(await readConversation(app, second)).toMatchObject({ parent: null, canContinue: false });
  });

  test('a replay with the same key returns its chat after the ancestor is gone, and sends nothing', async () => {
    await using server = await start();
    const { app, gateway } = server;
    const root = await chatId(app);
    const options = { idempotencyKey: 'k' };
    const child = await chatId(app, { continueFrom: root }, options);
    expect(await chatId(app, { continueFrom: root }, options)).toBe(child);
    expect(await sendChat(app, {}, options)).toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' });
    expect(await sendChat(app, { continueFrom: root, continueChoice: 0 }, options)).toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    await app.run(DeleteGenerationsDocument, { ids: [root] });
    expect(await chatId(app, { continueFrom: root }, options)).toBe(child);
    // A refused continuation leaves the key free.
    expect(await sendChat(app, { continueFrom: child }, { idempotencyKey: 'free' })).toMatchObject({
      reason: 'ANCESTOR_DELETED',
    });
    await chatId(app, {}, { idempotencyKey: 'free' });
    expect(gateway.requests).toHaveLength(3);
  });

  test('what the record does not hold whole is refused by name, and known before', async () => {
    await using server = await start({ MAX_RECORDED_INPUT_BYTES: '4096' });
    const { app, gateway } = server;
    const cases = [
      [[userMessage('word '.repeat(2000))], 'TEXT_NOT_RECORDED'],
      [[imageMessage(photo)], 'MEDIA_NOT_RECORDED'],
      [
        Array.from({ length: 200 }, (_, index) => userMessage(`${index} ${'x'.repeat(100)}`)),
        'TEXT_NOT_RECORDED',
      ],
    ] as const;
    for (const [messages, reason] of cases) {
      const made = await sendChat(app, { messages });
      expect(made).toMatchObject({ canContinue: false, notContinuableReason: reason });
      const sent = gateway.requests.length;
      expect(await sendChat(app, { continueFrom: made.id })).toMatchObject({ reason });
      expect(gateway.requests).toHaveLength(sent);
    }
    // A long text outside the messages does not matter.
    const tools = [{ function: { name: 'f', description: 'word '.repeat(2000) } }];
    const made = await sendChat(app, { tools });
    expect(made).toMatchObject({ canContinue: true });
    // Neither does an image given by URL, nor a text that looks like the description of one.
    const hash = 'a'.repeat(64);
    const id = await chatId(app, {
      continueFrom: made.id,
      messages: [imageMessage('https://example.com/a.png'), userMessage(`text: 12 bytes, sha256 ${hash}`)],
    });
    await chatId(app, { continueFrom: id });
    expect(gateway.requests.at(-1)?.body).toMatchObject({
      messages: [
        {},
        {},
        { content: [{}, { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
        { content: `text: 12 bytes, sha256 ${hash}` },
        {},
        {},
      ],
    });
  });

  test('inline images are recorded if the operator allows it, within the bytes of an owner', async () => {
    const size = photo.length;
    await using server = await start({
      RECORD_INLINE_IMAGES: 'true',
      MAX_INLINE_IMAGE_BYTES_PER_OWNER: String(2 * size),
    });
    const { app, gateway } = server;
    const ask = { messages: [imageMessage(photo)] };
    const first = await chatId(app, ask);
    const second = await chatId(app, { continueFrom: first, ...ask });
    expect(gateway.requests[1]?.body).toMatchObject({
      messages: [
        { content: [{}, { image_url: { url: photo } }] },
        {},
        { content: [{}, { image_url: { url: photo } }] },
      ],
    });
    expect(await readConversation(app, second)).toMatchObject({ canContinue: true });
    const third = await sendChat(app, ask);
    expect(third).toMatchObject({ status: 'SUCCEEDED', notContinuableReason: 'MEDIA_NOT_RECORDED' });
    expect(await sendChat(app, ask, otherCaller)).toMatchObject({ canContinue: true });
    // A deletion makes room. Concurrent creates share it.
    await app.run(DeleteGenerationsDocument, { ids: [first] });
    const made = await Promise.all([sendChat(app, ask), sendChat(app, ask), sendChat(app, ask)]);
    expect(made.filter(({ canContinue }) => canContinue)).toHaveLength(1);
  });

  test('a history beyond MAX_THREAD_BYTES is refused with both sizes, never cut', async () => {
    await using server = await start({ MAX_THREAD_BYTES: '2000' });
    const { app, gateway } = server;
    const root = await chatId(app, { messages: [userMessage('x y '.repeat(200))] });
    const second = await sendChat(app, { continueFrom: root, messages: [userMessage('z y '.repeat(200))] });
    expect(second).toMatchObject({ canContinue: false, notContinuableReason: 'TOO_LARGE' });
    const refused = await sendChat(app, { continueFrom: second.id });
    expect(refused).toMatchObject({ reason: 'TOO_LARGE' });
    expect(refused.message).toMatch(/have 2\d\d\d bytes, and at most 2000 are allowed \(MAX_THREAD_BYTES\)/);
    expect(gateway.requests).toHaveLength(2);
  });

  test('a reply that a message cannot carry is refused', async () => {
    await using server = await start();
    const { app, gateway } = server;
    const bad = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":' } };
    for (const message of [
      { content: null, function_call: { name: 'f', arguments: '{}' } },
      { content: null, tool_calls: [bad] },
      { content: null, tool_calls: [{ id: 'c1', type: 'function', function: { arguments: '{}' } }] },
      { content: null, tool_calls: [{ type: 'function', function: { name: 'f', arguments: '{}' } }] },
    ]) {
      gateway.answer({ body: reply(message) });
      const made = await sendChat(app);
      expect(made).toMatchObject({ canContinue: false, notContinuableReason: 'UNSUPPORTED_REPLY' });
      expect(await sendChat(app, { continueFrom: made.id })).toMatchObject({ reason: 'UNSUPPORTED_REPLY' });
    }
    expect(gateway.requests).toHaveLength(4);
  });

  test('other kinds cannot be continued', async () => {
    await using server = await start();
    const { app, gateway } = server;
    gateway.answer({ body: { code: 'success', message: '', data: 'song-1' } });
    const { data } = await app.run<{ made: { id: string; notContinuableReason: string } }, object>(
      'mutation { made: createSong(input: { description: "p", model: SONG_V5 }) { ... on Generation { id notContinuableReason } } }',
    );
    expect(data?.made).toMatchObject({ notContinuableReason: 'NOT_A_CHAT' });
    expect(await sendChat(app, { continueFrom: data?.made.id })).toMatchObject({ reason: 'NOT_A_CHAT' });
  });

  test('a thread of 1,000 turns is read and measured, and its last turn is the end', async () => {
    await using server = await start({ MAX_ANSWER_BYTES: '1048576' });
    const { app, records, gateway } = server;
    const root = await chatId(app);
    // As many turns as fit, written past the server.
    await records.query(`
      insert into generations (id, owner, kind, status, model, group_id, created_at, finished_at, is_visible, open_task,
        size_bytes, parent_id, parent_choice, root_id, depth, input_state)
      with recursive turns(n) as (select 1 union all select n + 1 from turns where n < 998)
      select 'generation_t' || n, owner, kind, status, model, group_id, created_at + n, finished_at + n, 1, '', 0,
        case n when 1 then '${root}' else 'generation_t' || (n - 1) end, 0, '${root}', n, 'WHOLE'
      from generations, turns where id = '${root}'`);
    await records.query(`
      insert into contents (generation_id, part, body)
      select g.id, part, body from generations g, contents where generation_id = '${root}' and g.depth is not null
        and part in ('input', 'output')`);
    const last = await chatId(app, { continueFrom: 'generation_t998' });
    expect(gateway.requests[1]?.body).toMatchObject({ messages: { length: 2 * 999 + 1 } });
    const conversation = await readConversation(app, last);
    expect(conversation?.thread).toHaveLength(1000);
    expect(conversation?.thread.at(-1)).toEqual({ id: last });
    expect(conversation).toMatchObject({ canContinue: false, notContinuableReason: 'TOO_MANY_TURNS' });
    expect(await sendChat(app, { continueFrom: last })).toMatchObject({ reason: 'TOO_MANY_TURNS' });
    expect(gateway.requests).toHaveLength(2);
    // Threads count in the budget of an answer.
    const { data, errors } = await app.run<{ generations: unknown }, object>(
      '{ generations(first: 100) { edges { node { thread { id } } } } }',
    );
    expect(data).toBeTruthy();
    expect(errors?.[0]?.extensions?.['code']).toBe('LIMIT_EXCEEDED');
  });

  test('a chat that runs, failed or was canceled says what to do', async () => {
    const records = await createRecords(engine);
    await using server = await startScripted({ env: records.env });
    const { app, gateway } = server;
    const runningId = chatId(app, {}, { field: 'startChat' });
    const running = await gateway.exchange(0);
    running.accept();
    const id = await runningId;
    const isRunning = { code: 'NOT_CONTINUABLE', reason: 'RUNNING', retry: 'LATER' };
    expect(await sendChat(app, { continueFrom: id, continuePartial: true })).toMatchObject(isRunning);
    expect(await readConversation(app, id)).toMatchObject({
      canContinue: false,
      notContinuableReason: 'RUNNING',
    });

    running.send(...words('Once', ' upon'));
    running.send(chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a' } }] }));
    const received = async () => {
      const { data } = await app.run<{ generation: { output: unknown } }, object>(
        `{ generation(by: { id: "${id}" }) { output { ... on ChatCompletion { choices { message { toolCalls { id } } } } } } }`,
      );
      return JSON.stringify(data?.generation.output);
    };
    await expect.poll(received).toContain('"id":"c"');
    running.cut();
    await expect
      .poll(async () => (await readConversation(app, id))?.notContinuableReason)
      .toBe('PARTIAL_REPLY');
    expect(await sendChat(app, { continueFrom: id })).toMatchObject({
      reason: 'PARTIAL_REPLY',
      retry: 'FIX_INPUT',
      message: expect.stringContaining('continuePartial'),
    });
    const made = sendChat(app, { continueFrom: id, continuePartial: true, messages: [userMessage('Go on')] });
    const second = await gateway.exchange(1);
    expect(JSON.parse(second.text)).toMatchObject({
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Once upon' },
        { role: 'user', content: 'Go on' },
      ],
    });
    expect(second.text).not.toContain('tool_calls');
    second.reply(200, reply({ content: 'a time' }));
    const { id: child } = await made;

    // Later turns continue the partial reply too.
    const next = sendChat(app, { continueFrom: child });
    const third = await gateway.exchange(2);
    expect(JSON.parse(third.text)).toMatchObject({
      messages: [{}, { content: 'Once upon' }, {}, { content: 'a time' }, {}],
    });
    third.cut();
    // Its reply was lost: there is nothing to continue.
    expect(await next).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    const lost = (await next).generation?.id ?? '';
    expect(await sendChat(app, { continueFrom: lost, continuePartial: true })).toMatchObject({
      reason: 'NO_REPLY',
    });
  });
});

test('the histories that one caller sends at the same time are limited in bytes: further ones wait', async () => {
  await using server = await startScripted({
    env: { MAX_ANSWER_BYTES: '65536', MAX_THREAD_BYTES: '65536' },
  });
  const { app, gateway } = server;
  const made = chatId(app, { messages: [userMessage('long '.repeat(10_000))] });
  (await gateway.exchange(0)).reply(200, reply({ content: 'a' }));
  const id = await made;
  const turns = ['one', 'two'].map((text) =>
    sendChat(app, { continueFrom: id, messages: [userMessage(text)] }),
  );
  const first = await gateway.exchange(1);
  // Other callers and other chats do not wait.
  const others = [sendChat(app), sendChat(app, {}, otherCaller)];
  for (const index of [2, 3]) {
    const exchange = await gateway.exchange(index);
    expect(exchange.text).not.toContain('long');
    exchange.reply(200, reply({ content: 'b' }));
  }
  await Promise.all(others);
  expect(gateway.requests).toHaveLength(4);
  first.reply(200, reply({ content: 'c' }));
  (await gateway.exchange(4)).reply(200, reply({ content: 'd' }));
  expect(await Promise.all(turns)).toMatchObject([{ status: 'SUCCEEDED' }, { status: 'SUCCEEDED' }]);
});

test('a candidate of a partial reply is continued only with continuePartial, also if the first one is empty', async () => {
  await using server = await startScripted();
  const { app, gateway } = server;
  const starting = chatId(app, { count: 2 }, { field: 'startChat' });
  const running = await gateway.exchange(0);
  running.send(chunk({ role: 'assistant' }), {
    choices: [{ index: 1, delta: { content: 'Once' }, finish_reason: null }],
  });
  const id = await starting;
  const reasonOf = async () => (await readConversation(app, id))?.notContinuableReason;
  await expect.poll(reasonOf).toBe('RUNNING');
  running.cut();
  await expect.poll(reasonOf).toBe('NO_REPLY');
  const second = { continueFrom: id, continueChoice: 1 };
  expect(await sendChat(app, second)).toMatchObject({ reason: 'PARTIAL_REPLY', retry: 'FIX_INPUT' });
  expect(gateway.requests).toHaveLength(1);
  const made = chatId(app, { ...second, continuePartial: true });
  const continued = await gateway.exchange(1);
  expect(JSON.parse(continued.text)).toMatchObject({ messages: [{}, { content: 'Once' }, {}] });
  continued.reply(200, reply({ content: 'upon' }));
  await made;
});
