import { describe, expect, test } from 'vitest';
import { parseReply } from '../../src/gateway/parse-reply.ts';
import { requests } from '../capabilities/members/requests.ts';
import { nameOf } from '../capabilities/members/request-members.ts';
import { startApp } from '../support/app.ts';
import { ask, streamChat, toEnd } from '../support/chats.ts';
import { sendEvents, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';

const nested = (levels: number, inner = '1'): string => '['.repeat(levels) + inner + ']'.repeat(levels);
const deep = `{"id":"w","status":"pending","z":${nested(5000)}}`;
const headers = { authorization: 'Bearer sk-deep', 'new-api-user': '1' };

describe('parseReply', () => {
  test.each([
    ['100 levels', nested(100)],
    ['brackets in text', JSON.stringify({ a: '['.repeat(5000) })],
    ['many siblings', JSON.stringify(Array.from({ length: 500 }, () => [{}]))],
  ])('accepts %s', (_name, text) => {
    expect(parseReply(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ['101 levels', nested(101)],
    ['levels beside brackets in text', `["${'{'.repeat(300)}", ${nested(150)}]`],
  ])('rejects %s', (_name, text) => {
    expect(() => parseReply(text)).toThrow('nested too deeply');
  });
});

describe('a reply that is nested 5,000 levels deep', () => {
  const creates = requests.filter(({ field }) => findRootField(field)?.kind === 'mutation');

  test.each(creates.map((request) => [nameOf(request), request] as const))(
    'to %s is unreadable and does no harm',
    async (_name, { field, calls }) => {
      const gateway = await startFakeGateway((_request, response) => sendJson(response, deep));
      await using app = await startApp({ gatewayUrl: gateway.url });
      const root = findRootField(field);
      const [variables = {}] = calls;
      if (!root) throw new Error('no such field');
      const { data, errors } = await app.run<Record<string, { readonly __typename: string }>, object>(
        operationOf(root, variables),
        variables,
        { headers },
      );
      expect(errors).toBeUndefined();
      expect(data?.[field]?.__typename).toBe('OutcomeUnknownError');
    },
  );

  test('in a chat ends only that chat', async () => {
    const gateway = await startFakeGateway((_request, response) =>
      sendEvents(response, [{ choices: [{ index: 0, delta: { content: 'a' } }] }, deep, '[DONE]']),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    expect(events.at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { code: 'GATEWAY_ERROR' },
      soFar: { choices: [{ message: { content: 'a' } }] },
    });
  });

  test('to a read is a clear error', async () => {
    const gateway = await startFakeGateway((_request, response) => sendJson(response, deep));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { errors } = await app.run('{ voices { edges { node { raw } } } }');
    expect(errors?.[0]?.extensions['code']).toBe('GATEWAY_ERROR');
    const handle = '{ taskByHandle(handle: { kind: QUEUED_IMAGE, upstreamId: "a" }) { status } }';
    expect((await app.run(handle)).errors?.[0]?.extensions['code']).toBe('GATEWAY_ERROR');
  });
});
