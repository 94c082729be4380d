import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

interface Outcome {
  readonly __typename: string;
  readonly message: string;
}

const namesNone = 'its reply is incomplete (it names no task)';

test.each([
  ['a reply that names no task', { ticket: 7 }, namesNone],
  ['an id that no path can have', { request_id: '\ud800' }, namesNone],
  ['an id that is a step in a path', { request_id: '..' }, namesNone],
  ['an id that is too long for a record', { request_id: 'r.'.repeat(1000) }, namesNone],
  ['a cut', null, 'its reply was lost ('],
])('the record of a create with %s says so', async (_title, reply, problem) => {
  const gateway = await startFakeGateway((_request, response) => {
    if (!reply) response.socket?.destroy();
    else sendJson(response, reply);
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const create = async (): Promise<Outcome | undefined> => {
    const { data } = await app.run<{ queueImage: Outcome }, object>(
      'mutation { queueImage(input: { prompt: "a" }, idempotencyKey: "k") { __typename ... on OutcomeUnknownError { message } } }',
    );
    return data?.queueImage;
  };
  const first = await create();
  expect(first).toMatchObject({
    __typename: 'OutcomeUnknownError',
    message: expect.stringContaining(problem),
  });
  const { data } = await app.run<object, object>(
    '{ generation(by: { idempotencyKey: "k" }) { status raw error { code message retry } } }',
  );
  expect(data).toEqual({
    generation: {
      status: 'UNKNOWN',
      raw: reply,
      error: { code: 'OUTCOME_UNKNOWN', message: first?.message, retry: 'MAY_CHARGE_AGAIN' },
    },
  });
  const replay = await create();
  expect(replay?.__typename).toBe('OutcomeUnknownError');
  expect(replay?.message).toContain('its outcome is unknown');
  expect(gateway.requests).toHaveLength(1);
});

test.each([
  [504, '{}', 'the gateway answered 504'],
  [502, '<html>', 'the gateway answered 502 without JSON'],
  [200, '<html>', 'the gateway answered 200 with an unreadable body'],
])('an answer %d with %s is not called lost', async (status, body, reason) => {
  const gateway = await startFakeGateway((_request, response) => void response.writeHead(status).end(body));
  await using app = await startApp({ gatewayUrl: gateway.url });
  const { data } = await app.run<{ queueImage: Outcome }, object>(
    'mutation { queueImage(input: { prompt: "a" }) { __typename ... on OutcomeUnknownError { message } } }',
  );
  expect(data?.queueImage.message).toBe(
    `The gateway may have accepted this request, but its outcome is unknown (${reason}). It is not sent again.`,
  );
});
