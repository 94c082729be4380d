import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { toRecordedReply } from '../../src/generations/recorded-reply.ts';
import { ask, createChatCompletion, made, startChat } from '../support/chats.ts';
import { chunk, startScripted } from '../support/scripted-gateway.ts';
import { startApp } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';

const describeText = (text: string): string =>
  `text: ${Buffer.byteLength(text)} bytes, sha256 ${createHash('sha256').update(text).digest('hex')}`;
const maxBytes = 4000;
const long = 'long text '.repeat(1000);
const message = (content: string) => ({ role: 'assistant', content });
const env = { MAX_RECORDED_REPLY_BYTES: String(maxBytes) };

interface Recorded {
  readonly status: string;
  readonly raw: unknown;
  readonly output: unknown;
  readonly task: { readonly raw: unknown } | null;
}

const recorded = `status raw task { raw } output {
  ... on ChatCompletion { choices { message { content } } } 
}`;

describe('a long reply', () => {
  test('keeps its whole output, and its record has the size and hash of the text', async () => {
    await using scripted = await startScripted({ env });
    const { app, gateway } = scripted;
    const creating = createChatCompletion(app, { input: ask('Hello') });
    (await gateway.exchange(0)).reply(200, { id: 'c', choices: [{ message: message(long) }] });
    const { id } = made(await creating);
    const { data } = await app.run<{ generation: Recorded }, object>(
      `query ($id: ID!) { generation(by: { id: $id }) { ${recorded} } }`,
      { id },
    );
    expect(data?.generation).toMatchObject({
      status: 'SUCCEEDED',
      output: { choices: [{ message: { content: long } }] },
      raw: { id: 'c', choices: [{ message: message(describeText(long)) }] },
    });
  });

  test('that was streamed keeps its whole output too', async () => {
    await using scripted = await startScripted({ env });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const { id } = made(await starting);
    const waiting = app.run<{ awaitGeneration: Recorded }, object>(
      `query ($id: ID!) { awaitGeneration(by: { id: $id }, timeoutSeconds: 60) { ${recorded} } }`,
      { id },
    );
    exchange.send(chunk({ content: long }, 'stop'), '[DONE]');
    const { data } = await waiting;
    expect(data?.awaitGeneration).toMatchObject({
      status: 'SUCCEEDED',
      output: { choices: [{ message: { content: long } }] },
      raw: { choices: [{ message: { content: describeText(long) } }] },
    });
  });

  test('of a task is limited when the task has its output', async () => {
    const reply = { request_id: 'r1', notes: long };
    const images = [{ url: 'https://x.example/a.png' }];
    const gateway = await startFakeGateway((request, response) => {
      response.setHeader('content-type', 'application/json');
      const isCreate = request.method === 'POST';
      response.end(
        JSON.stringify(
          isCreate ? { ...reply, status: 'IN_QUEUE' } : { ...reply, status: 'COMPLETED', images },
        ),
      );
    });
    await using app = await startApp({ gatewayUrl: gateway.url, env });
    await app.run('mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "k") { __typename } }');
    const { data } = await app.run<{ generation: Recorded }, object>(
      `{ generation(by: { idempotencyKey: "k" }) { ${recorded} } }`,
    );
    expect(data?.generation).toMatchObject({
      status: 'SUCCEEDED',
      // The acknowledgement has no output.
      raw: { notes: long },
      task: { raw: { notes: describeText(long), images } },
    });
  });
});

test('a reply without a decoded output is recorded whole: it may hold the only copy', async () => {
  const reply = { result: long };
  for (const decoded of [{ status: 'FAILED', output: { type: 'x' } }, { status: 'SUCCEEDED' }, {}] as const)
    expect(await toRecordedReply(reply, decoded, maxBytes)).toEqual(reply);
  const decoded = { status: 'SUCCEEDED', output: { type: 'x' } } as const;
  expect(await toRecordedReply(reply, decoded, maxBytes)).toEqual({ result: describeText(long) });
  const members = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`member${index}`, index]));
  expect(await toRecordedReply(members, decoded, maxBytes)).toMatch(/^json: \d+ bytes, sha256 [\da-f]{64}$/);
});
