import { expect, onTestFinished, test } from 'vitest';
import { capabilities } from '../../src/capabilities/index.ts';
import { ViewerDocument } from '../../src/client/documents.generated.ts';
import { createSchema } from '../../src/schema.ts';
import type { RequestMembers } from '../capabilities/members/request-members.ts';
import { schema } from '../support/api-schema.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { acceptedReply, everyCreate } from '../support/every-create.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { findRootField, operationOf } from '../support/request-members.ts';

const headers = { authorization: 'Bearer sk-limited', 'new-api-user': '1' };

/** The kind that each create makes. Those that make no generation count in their minute only. */
const kinds: Readonly<Record<string, string | undefined>> = {
  createChatCompletion: 'CHAT',
  startChat: 'CHAT',
  streamChat: 'CHAT',
  createImage: 'IMAGE',
  streamImages: 'IMAGE',
  generateContent: 'CONTENT',
  queueImage: 'QUEUED_IMAGE',
  queueInpainting: 'QUEUED_INPAINTING',
  createSong: 'SONG',
  createSongCover: 'SONG_COVER',
  adjustSongSpeed: 'SONG_SPEED',
  createAnimation: 'ANIMATION',
  fillImage: 'IMAGE_FILL',
  createSpeech: 'SPEECH',
  createVideo: 'VIDEO',
  createReferenceVideo: 'REFERENCE_VIDEO',
  createTransitionVideo: 'TRANSITION_VIDEO',
  createToken: undefined,
  cloneVoice: undefined,
};

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
  const gateway = await startFakeGateway((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(acceptedReply));
  });
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

test('each create of the schema has a row, and each kind that creates make has a create', () => {
  const roots = [schema.getMutationType(), schema.getSubscriptionType()];
  const creating = roots.flatMap((type) =>
    Object.values(type?.getFields() ?? {})
      .filter(({ args }) => args.some(({ name }) => name === 'idempotencyKey'))
      .map(({ name }) => name),
  );
  expect(Object.keys(kinds).toSorted()).toEqual(creating.toSorted());
  const made = new Set(Object.values(kinds).filter((kind) => kind !== undefined));
  expect(made).toEqual(createSchema(capabilities).createdKinds);
});

test.each(everyCreate)('a limit of one %s lets one through and refuses the next', async (_name, request) => {
  const kind = kinds[request.field];
  const env =
    kind === undefined
      ? { MAX_CREATES_PER_MINUTE_PER_OWNER: '1' }
      : { MAX_CREATES_PER_DAY_PER_OWNER: `${kind}=1` };
  const { app, gateway } = await start(env);
  const first = await run(app, request, 'first');
  expect(first, JSON.stringify(first)).not.toHaveProperty('message');
  expect(gateway.requests).toHaveLength(1);
  const name = kind === undefined ? 'CREATES_PER_MINUTE' : 'CREATES_PER_DAY';
  expect(await run(app, request, 'second')).toEqual({
    __typename: 'RateLimitError',
    limit: name,
    message: expect.stringContaining(kind === undefined ? '1 creates per minute' : `of kind ${kind} per day`),
  });
  expect(gateway.requests).toHaveLength(1);
  expect(await limitsOf(app)).toMatchObject([{ name, kind: kind ?? null, max: 1, used: 1 }]);
  // The result of the key costs nothing.
  expect(await run(app, request, 'first')).toEqual(first);
  expect(gateway.requests).toHaveLength(1);
});
