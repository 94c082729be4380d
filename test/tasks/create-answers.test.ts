import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { acceptedReply, generating, immediateCreates } from '../support/every-create.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { findRootField, operationOf } from '../support/request-members.ts';

const headers = { authorization: 'Bearer sk-once', 'new-api-user': '1' };
/** With it, the gateway can be read for every kind. */
const env = {
  GATEWAY_TASK_PATHS:
    'SPEECH=/t/{id},VIDEO=/t/{id},REFERENCE_VIDEO=/t/{id},TRANSITION_VIDEO=/t/{id},ANIMATION=/t/{id},IMAGE_FILL=/t/{id}',
};
const task = '{ status isTerminal rawStatus output { __typename } readFailure { code } }';
const selection = `__typename ... on Generation { status task { tracking status isTerminal rawStatus output { __typename } readFailure { code } generation { status task ${task} } } }`;

interface Made {
  readonly task: object | null;
}

test.each(generating)('the answer of %s shows its task without a read', async (_name, { field, calls }) => {
  // Reads hang.
  const gateway = await startFakeGateway((_request, response) => {
    if (gateway.requests.length > 1) return;
    sendJson(response, acceptedReply);
  });
  await using app = await startApp({ gatewayUrl: gateway.url, env });
  const root = findRootField(field);
  if (!root) throw new Error(field);
  const variables = { ...calls[0], idempotencyKey: 'k' };
  const create = async (): Promise<Made | undefined> => {
    const { data, errors } = await app.run<Record<string, Made>, object>(
      operationOf(root, variables, selection),
      variables,
      { headers },
    );
    expect(errors).toBeUndefined();
    return data?.[field];
  };
  const made = await create();
  expect(made).toMatchObject(
    immediateCreates.has(field) ? { task: null } : { task: { isTerminal: false, readFailure: null } },
  );
  expect(await create()).toEqual(made);
  expect(gateway.requests).toHaveLength(1);
});

test('creates with tasks are among them', () => {
  expect(generating.length).toBeGreaterThan(12);
});
