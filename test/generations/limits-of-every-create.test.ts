import { expect, onTestFinished, test } from 'vitest';
import { capabilities } from '../../src/capabilities/index.ts';
import { ViewerDocument } from '../../src/client/documents.generated.ts';
import { createSchema } from '../../src/schema.ts';
import type { RequestMembers } from '../capabilities/members/request-members.ts';
import { schema } from '../support/api-schema.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { acceptedReply, everyCreate, makesGeneration } from '../support/every-create.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { findRootField, operationOf } from '../support/request-members.ts';

const headers = { authorization: 'Bearer sk-limited', 'new-api-user': '1' };

const { createdKinds } = createSchema(capabilities);

interface Refusal {
  readonly __typename: string;
  readonly message?: string;
  readonly limit?: string;
}

const refusal = '__typename ... on GengraphError { message } ... on RateLimitError { limit }';
/** The event that carries the refusal of a subscription. */
const failures: Readonly<Record<string, string>> = { streamChat: 'ChatFailed', streamImages: 'ImageFailed' };

/** The refusal of a create, or the type of its result or last event. */
async function run(app: TestApp, { field, calls }: RequestMembers, key: string): Promise<Refusal> {
  const root = findRootField(field);
  if (!root) throw new Error(`no such field: ${field}`);
  const variables = { ...calls[0], idempotencyKey: key };
  if (root.kind !== 'subscription') {
    const query = operationOf(root, variables, refusal);
    const { data, errors } = await app.run<Record<string, Refusal>, object>(query, variables, { headers });
    const result = data?.[field];
    if (!result) throw new Error(JSON.stringify(errors));
    return result;
  }
  const query = operationOf(root, variables, `__typename ... on ${failures[field]} { error { ${refusal} } }`);
  const client = app.wsClient({ connectionParams: headers });
  let last: Refusal & { readonly error?: Refusal } = { __typename: 'none' };
  for await (const { data } of client.iterate<Record<string, typeof last>>({ query, variables }))
    last = data?.[field] ?? last;
  await client.dispose();
  return last.error ?? last;
}

async function start(env: Readonly<Record<string, string>>) {
  const gateway = await startFakeGateway((_request, response) => sendJson(response, acceptedReply));
  const app = await startApp({
    gatewayUrl: gateway.url,
    env: { SHUTDOWN_SECONDS: '0.05', ...env },
    overrides: { clock: createManualClock() },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, gateway };
}

async function limitsOf(app: TestApp) {
  const { data } = await app.run(ViewerDocument, {}, { headers });
  return data?.viewer?.limits;
}

async function kindsOf(app: TestApp): Promise<readonly string[]> {
  const query = '{ generations(first: 100) { edges { node { kind } } } }';
  const { data } = await app.run<Pages, object>(query, {}, { headers });
  return data?.generations.edges.map(({ node }) => node.kind) ?? [];
}

interface Pages {
  readonly generations: { readonly edges: readonly { readonly node: { readonly kind: string } }[] };
}

test('the tests cover every create of the schema, and each kind that creates make', async () => {
  const roots = [schema.getMutationType(), schema.getSubscriptionType()];
  const creating = roots.flatMap((type) =>
    Object.values(type?.getFields() ?? {})
      .filter(({ args }) => args.some(({ name }) => name === 'idempotencyKey'))
      .map(({ name }) => name),
  );
  expect(new Set(everyCreate.map(([, { field }]) => field))).toEqual(new Set(creating));
  const { app } = await start({});
  for (const [name, request] of everyCreate) await run(app, request, name);
  expect(new Set(await kindsOf(app))).toEqual(createdKinds);
});

test.each(everyCreate)('a limit of one %s lets one through and refuses the next', async (_name, request) => {
  const isOfKind = makesGeneration(request.field);
  const { app, gateway } = await start(
    isOfKind
      ? { MAX_CREATES_PER_DAY_PER_OWNER: [...createdKinds].map((kind) => `${kind}=1`).join(',') }
      : { MAX_CREATES_PER_MINUTE_PER_OWNER: '1' },
  );
  const first = await run(app, request, 'first');
  expect(first, JSON.stringify(first)).not.toHaveProperty('message');
  expect(gateway.requests).toHaveLength(1);
  const kinds = await kindsOf(app);
  expect(kinds).toHaveLength(isOfKind ? 1 : 0);
  // Creates that make no generation count in their minute only.
  const [kind] = kinds;
  const name = kind === undefined ? 'CREATES_PER_MINUTE' : 'CREATES_PER_DAY';
  expect(await run(app, request, 'second')).toEqual({
    __typename: 'RateLimitError',
    limit: name,
    message: expect.stringContaining(kind === undefined ? '1 creates per minute' : `of kind ${kind} per day`),
  });
  expect(gateway.requests).toHaveLength(1);
  const used = (await limitsOf(app))?.filter((limit) => Number(limit.used) > 0);
  expect(used).toMatchObject([{ name, kind: kind ?? null, max: 1, used: 1 }]);
  // The result of the key costs nothing.
  expect(await run(app, request, 'first')).toEqual(first);
  expect(gateway.requests).toHaveLength(1);
});
