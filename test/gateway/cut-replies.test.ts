import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { replyHead, startRawGateway } from '../support/raw-gateway.ts';

/** A body without a length ends with its connection: nothing but the document says whether it is whole. */
const head = replyHead({ 'content-type': 'application/json', connection: 'close' });
const create = 'mutation { queueImage(input: { prompt: "a" }) { __typename ... on Generation { status } } }';
const read = '{ taskByHandle(handle: { kind: QUEUED_IMAGE, upstreamId: "a" }) { status } }';

/** Starts the program with a gateway that sends these bodies in order, the last one again and again. */
async function startCutting(bodies: readonly string[], end: 'end' | 'reset') {
  let sent = 0;
  const gateway = await startRawGateway((socket) => {
    const body = bodies[sent] ?? bodies.at(-1) ?? '';
    sent += 1;
    if (end === 'end') socket.end(head + body);
    else socket.write(head + body, () => socket.resetAndDestroy());
  });
  const app = await startApp({ gatewayUrl: gateway.url });
  return { app, gateway, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() };
}

test.each(['', '\n', '{', '{"status":"pro', '[{"status":"processing"}', '{"status":"processing","a":[]'])(
  'a read whose reply ends with its connection after %j is repeated, and is safe to repeat',
  async (body) => {
    await using lost = await startCutting([body], 'end');
    const { errors } = await lost.app.run(read);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'GATEWAY_ERROR', retry: 'SAFE' });
    expect(lost.gateway.requestCount()).toBe(3);

    await using found = await startCutting([body, '{"status":"processing"}'], 'end');
    expect((await found.app.run(read)).data).toEqual({ taskByHandle: { status: 'RUNNING' } });
    expect(found.gateway.requestCount()).toBe(2);
  },
);

test.each(['null', 'busy', '<html>'])('a read whose reply is %s was not cut', async (body) => {
  await using answered = await startCutting([body], 'end');
  const { errors } = await answered.app.run(read);
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'GATEWAY_ERROR', retry: 'NEVER' });
  expect(answered.gateway.requestCount()).toBe(1);
});

test.each(['end', 'reset'] as const)('a whole document counts although its connection %ss', async (end) => {
  await using made = await startCutting(['{"request_id":"r-1","status":"processing"}'], end);
  expect((await made.app.run(create)).data).toEqual({
    queueImage: { __typename: 'Generation', status: 'RUNNING' },
  });
  expect((await made.app.run(read)).data).toEqual({ taskByHandle: { status: 'RUNNING' } });
  expect(made.gateway.requestCount()).toBe(2);
});

test('a create whose reply ends with its connection has an unknown outcome', async () => {
  await using lost = await startCutting(['{"request_id":"r-1","status":"processing"'], 'end');
  expect((await lost.app.run(create)).data).toEqual({ queueImage: { __typename: 'OutcomeUnknownError' } });
  expect(lost.gateway.requestCount()).toBe(1);
});
