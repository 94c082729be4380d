import { describe, expect, test } from 'vitest';
import { decodeSpeech } from '../../src/capabilities/speech/wire.ts';
import { isErrorBody } from '../../src/gateway/decode-error.ts';
import { nameOf } from '../capabilities/members/request-members.ts';
import { requests } from '../capabilities/members/requests.ts';
import { startApp } from '../support/app.ts';
import { ask, streamChat, toEnd } from '../support/chats.ts';
import { sendEvents, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { words } from '../support/scripted-gateway.ts';

const headers = { authorization: 'Bearer sk-refused', 'new-api-user': '1' };
/** A refusal with the members that every family accepts. */
const refusal = {
  base_resp: { status_code: 1002, status_msg: 'rate limit' },
  id: 'w-1',
  task_id: 'w-1',
  request_id: 'w-1',
  status: 'pending',
  data: [{ url: 'http://x/1.png' }],
  choices: [{ index: 0, message: { content: 'a' } }],
  key: 'sk-1',
};
const creates = requests.filter(({ field }) => findRootField(field)?.kind === 'mutation');

describe('a `base_resp.status_code` other than 0 under HTTP 200', () => {
  test.each(creates.map((request) => [nameOf(request), request] as const))(
    'refuses %s with its message and code',
    async (_name, { field, calls }) => {
      const gateway = await startFakeGateway((_request, response) => sendJson(response, refusal));
      await using app = await startApp({ gatewayUrl: gateway.url });
      const root = findRootField(field);
      const [variables = {}] = calls;
      if (!root) throw new Error('no such field');
      const selection = '__typename ... on GatewayError { message upstreamCode httpStatus }';
      const { data, errors } = await app.run<Record<string, object>, object>(
        operationOf(root, variables, selection),
        variables,
        { headers },
      );
      expect(errors).toBeUndefined();
      expect(data?.[field]).toEqual({
        __typename: 'GatewayError',
        message: 'rate limit',
        upstreamCode: '1002',
        httpStatus: 200,
      });
      const listed = await app.run<{ generations: { edges: unknown[] } }, object>(
        '{ generations { edges { cursor } } }',
        {},
        { headers },
      );
      expect(listed.data?.generations.edges).toEqual([]);
    },
  );

  test('fails a chat in whose stream it arrives', async () => {
    const gateway = await startFakeGateway((_request, response) =>
      sendEvents(response, [
        ...words('a'),
        { choices: [], base_resp: { status_code: 1027, status_msg: 'sensitive' } },
        '[DONE]',
      ]),
    );
    await using app = await startApp({ gatewayUrl: gateway.url });
    const events = await toEnd(streamChat(app.wsClient(), { input: ask('Hello') }));
    expect(events.at(-1)).toMatchObject({
      __typename: 'ChatFailed',
      error: { message: 'sensitive', upstreamCode: '1027' },
      soFar: { choices: [{ message: { content: 'a' } }] },
    });
  });

  test('refuses a read', async () => {
    const gateway = await startFakeGateway((_request, response) => sendJson(response, refusal));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { errors } = await app.run('{ voices { edges { cursor } } }');
    expect(errors?.[0]).toMatchObject({ message: 'rate limit', extensions: { code: 'GATEWAY_ERROR' } });
  });

  test('explains a task record that has failed, and does not refuse its read', () => {
    const record = {
      task_id: 't',
      status: 'Failed',
      base_resp: { status_code: 1027, status_msg: 'sensitive' },
    };
    expect(isErrorBody(record)).toBe(false);
    expect(decodeSpeech(record)).toMatchObject({ status: 'FAILED', error: { upstreamCode: '1027' } });
  });

  test.each([{ status_code: 0 }, { status_code: '0' }, { status_code: null }, {}, null, [], 'x'])(
    'is not read from %j',
    (baseResponse) => {
      expect(isErrorBody({ base_resp: baseResponse, id: 't' })).toBe(false);
    },
  );
});
