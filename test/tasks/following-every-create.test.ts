import { describe, expect, test } from 'vitest';
import { capabilities } from '../../src/capabilities/index.ts';
import { GenerationChangedDocument } from '../../src/client/documents.generated.ts';
import { createSchema } from '../../src/schema.ts';
import { startApp, subscribe, type TestApp } from '../support/app.ts';
import { makesGeneration } from '../support/every-create.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { operationTexts } from '../../src/client/operations.generated.ts';

/** The examples of all root fields that create a generation, with the field. */
const creates = createSchema(capabilities).operations.flatMap(({ name, variables }) => {
  const field = /^(?:mutation|subscription)[^{]*\{\s*(\w+)/m.exec(operationTexts[name])?.[1] ?? '';
  const root = findRootField(field);
  const isCreate = root?.field.args.some((arg) => arg.name === 'idempotencyKey') ?? false;
  const needsEarlierChat = name === 'continue-chat';
  return root && isCreate && makesGeneration(field) && !needsEarlierChat
    ? [[field, { root, variables }] as const]
    : [];
});

type Create = (typeof creates)[number][1];

/** Polls often. The sandbox's status endpoints make every kind trackable. */
const env = {
  TASK_FOLLOW_HOURS: '24',
  TASK_POLL_SECONDS: '0.05',
  GATEWAY_TASK_PATHS:
    'SPEECH=/ent/v2/tasks/{id},VIDEO=/v1/video/query?id={id},REFERENCE_VIDEO=/v1/videos/{id},TRANSITION_VIDEO=/openapi/v2/video/result/{id}',
};
const start = () => startApp({ env, sandbox: { taskSeconds: 0.3, tokensPerSecond: 1000 } });

/** Creates with a client that disconnects as soon as it has the id. */
async function create(app: TestApp, { root, variables }: Create): Promise<string> {
  const given = { ...variables, idempotencyKey: crypto.randomUUID() };
  if (root.kind !== 'subscription') {
    const query = operationOf(root, given, '... on Generation { id } ... on GengraphError { message }');
    const { data } = await app.run<Record<string, { readonly id: string }>, object>(query, given);
    return data?.[root.field.name]?.id ?? JSON.stringify(data);
  }
  const client = app.wsClient();
  const query = operationOf(root, given, 'generationId');
  const events = client.iterate<Record<string, { readonly generationId: string }>>({
    query,
    variables: given,
  });
  const { value } = await events.next();
  await client.dispose();
  return value?.data?.[root.field.name]?.generationId ?? JSON.stringify(value);
}

const ended = { status: 'SUCCEEDED', isTerminal: true, finishedAt: expect.any(String) };
const selection = 'id status isTerminal finishedAt';

describe('a generation whose client has disconnected ends in every kind', () => {
  test('of create', () => {
    expect(creates.length).toBeGreaterThan(15);
    console.log(`creates that are followed: ${creates.map(([field]) => field).join(', ')}`);
  });

  test.each(creates)('%s: in the feed and the list of another client', async (_field, creation) => {
    await using app = await start();
    const feed = subscribe(app.wsClient(), GenerationChangedDocument, {});
    const end = (async () => {
      for await (const { data } of feed) {
        const change = data?.generationChanged;
        if (change?.__typename === 'GenerationChanged' && change.generation.status === 'SUCCEEDED')
          return change;
      }
      return undefined;
    })();
    while (app.app.activity.feeds === 0) await new Promise((resolve) => setImmediate(resolve));
    const id = await create(app, creation);
    expect(await end).toMatchObject({ generation: { id, status: 'SUCCEEDED' } });
    const { data } = await app.run<object, object>(
      `{ generations(filter: { statuses: [SUCCEEDED] }) { edges { node { ${selection} } } } }`,
    );
    expect(data).toEqual({ generations: { edges: [{ node: { id, ...ended } }] } });
    await feed.return?.();
  });

  test.each(creates)('%s: for awaitGeneration', async (_field, creation) => {
    await using app = await start();
    const id = await create(app, creation);
    const { data } = await app.run<object, object>(
      `{ awaitGeneration(by: { id: "${id}" }) { ${selection} } }`,
    );
    expect(data).toEqual({ awaitGeneration: { id, ...ended } });
  });
});
