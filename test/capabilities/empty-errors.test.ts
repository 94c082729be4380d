import { describe, expect, test } from 'vitest';
import { isErrorBody } from '../../src/gateway/decode-error.ts';
import { startAnswering } from '../support/answering-gateway.ts';
import { ask, createChatCompletion, made, streamChat, toEnd } from '../support/chats.ts';
import { foldedText } from '../support/fold-chat.ts';
import { acceptedReply, everyCreate, generating, makesGeneration } from '../support/every-create.ts';
import { make, plainByCount, plainByResolution } from '../support/images.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
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
  ['generateContent', { candidates: [{ content: { parts: [{ text: 'Hello' }] } }] }],
  ['createImage', { images: [{ url: 'http://x/1.png' }] }],
  ['createImage', { data: { url: 'http://x/1.png' } }],
  ['createSpeech', { data: { id: 'w-1' } }],
  ['createReferenceVideo', { output: { task_id: 'w-1' } }],
  ['createTransitionVideo', { Resp: { video_id: 1 } }],
])('an error beside what %s made does not refuse it: %j', async (field, made) => {
  const root = findRootField(field);
  const variables = everyCreate.find(([, request]) => request.field === field)?.[1].calls[0];
  if (!root || !variables) throw new Error(field);
  for (const beside of [{ error: { message: 'Partly failed.' } }, { code: 500, message: 'Partly failed.' }]) {
    await using gateway = await startAnswering({ ...beside, ...made });
    const { data } = await gateway.app.run<Record<string, object>, object>(
      operationOf(root, variables),
      variables,
    );
    expect(data?.[field]).toEqual({ __typename: 'Generation' });
  }
});

test.each([500, 503])('a task or a result under HTTP %i leaves the outcome unknown', async (status) => {
  await using gateway = await startAnswering(acceptedReply, status);
  for (const [name, { field, calls }] of generating) {
    const root = findRootField(field);
    if (!root) throw new Error(field);
    const query = operationOf(root, calls[0] ?? {}, '... on GengraphError { code generation { raw } }');
    const { data } = await gateway.app.run<object, object>(query, calls[0]);
    expect({ name, data }).toEqual({
      name,
      data: { [field]: { code: 'OUTCOME_UNKNOWN', generation: { raw: acceptedReply } } },
    });
  }
  expect(await createChatCompletion(gateway.app, { input: ask('Hi') })).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
  });
});

test.each([
  [429, acceptedReply, 'RATE_LIMITED'],
  [503, { request_id: 'r-1', status: 'error' }, 'GATEWAY_ERROR'],
])('HTTP %i with %j is a refusal', async (status, body, code) => {
  await using gateway = await startAnswering(body, status);
  for (const [, { field, calls }] of generating) {
    const root = findRootField(field);
    if (!root) throw new Error(field);
    const query = operationOf(root, calls[0] ?? {}, '... on GengraphError { code }');
    const { data } = await gateway.app.run<object, object>(query, calls[0]);
    expect(data).toEqual({ [field]: { code } });
  }
});

test('an error beside the preview of a cloned voice leaves the outcome unknown', async () => {
  const preview = { demo_audio: 'http://x/1.mp3', base_resp: { status_code: 0 } };
  await using gateway = await startAnswering({ ...preview, error: { message: 'Partly failed.' } });
  const { data } = await gateway.app.run<object, object>(
    'mutation ($input: CloneVoiceInput!) { cloneVoice(input: $input) { ... on GengraphError { code } } }',
    { input: { fileId: 1, voiceId: 'my-voice-1' } },
  );
  expect(data).toEqual({ cloneVoice: { code: 'OUTCOME_UNKNOWN' } });
});

test('a reply without a task or a result shows what it says', async () => {
  await using gateway = await startAnswering({ code: 1, message: 'No capacity.', data: {} });
  for (const [name, { field, calls }] of everyCreate) {
    const root = findRootField(field);
    if (root?.kind !== 'mutation' || !makesGeneration(field) || field === 'startChat') continue;
    const selection = '... on Generation { error { message } } ... on GengraphError { message }';
    const { data } = await gateway.app.run<object, object>(
      operationOf(root, calls[0] ?? {}, selection),
      calls[0],
    );
    expect({ name, shown: JSON.stringify(data) }).toEqual({
      name,
      shown: expect.stringMatching(/No capacity/),
    });
  }
});

test('an error beside the images of a stream that is a document does not refuse them', async () => {
  const reply = { images: [{ url: 'http://x/1.png' }], error: { message: 'Partly failed.' } };
  await using gateway = await startAnswering(reply);
  const query =
    'subscription ($input: ImageByResolutionInput!) { streamImages(input: $input) { __typename } }';
  const events: unknown[] = [];
  for await (const { data } of gateway.app
    .wsClient()
    .iterate({ query, variables: { input: plainByResolution } }))
    events.push(data);
  expect(events.at(-1)).toEqual({ streamImages: { __typename: 'ImageCompleted' } });
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
