import { getOperationAST, Kind, OperationTypeNode, parse } from 'graphql';
import { operationTexts } from '../../../../src/client/operations.generated.ts';
import type { TestApp } from '../../../support/app.ts';
import { operations } from '../../../support/api-schema.ts';
import { ask, made, startChat } from '../../../support/chats.ts';
import { sendRequest } from '../../../support/http.ts';

type Headers = Readonly<Record<string, string>>;

/** A document with its variables. */
export interface Attempt {
  readonly field: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Everything that only its owner may see. */
export interface PrivateRecords {
  /** Texts that no answer to another user may contain. */
  readonly secrets: readonly string[];
  /** Every read, list, subscription and change that names these records. */
  readonly attempts: readonly Attempt[];
  /** Every create, with an idempotency key that the owner has used. */
  readonly creates: readonly Attempt[];
  readonly runningChat: string;
}

const marker = 'only-ann-may-see-this';

/** One example for each root field that creates, as GraphiQL shows it. */
export function createExamples(): readonly Attempt[] {
  const examples = operations.map(({ name, variables }): Attempt => {
    const query = operationTexts[name];
    const operation = getOperationAST(parse(query));
    const [selection] = operation?.selectionSet.selections ?? [];
    const field = selection?.kind === Kind.FIELD ? selection.name.value : '';
    return { field, query, variables };
  });
  const creates = examples.filter(({ query }) => query.includes('$idempotencyKey'));
  const byField = new Map(creates.map((example) => [example.field, example]));
  return [...byField.values()].map((example) => ({
    ...example,
    variables: { ...example.variables, idempotencyKey: `key-of-${example.field}` },
  }));
}

/** Fills a server with records of every kind. */
export async function createPrivateRecords(app: TestApp, headers: Headers): Promise<PrivateRecords> {
  const run = async (query: string, variables: object = {}): Promise<string> => {
    const result = await app.run(query, variables, { headers });
    if (result.errors) throw new Error(JSON.stringify(result.errors));
    return JSON.stringify(result.data);
  };
  const creates = createExamples();
  const texts: string[] = [];
  for (const attempt of creates) {
    const isStream = getOperationAST(parse(attempt.query))?.operation === OperationTypeNode.SUBSCRIPTION;
    texts.push(
      isStream ? await runStream(app, attempt, headers) : await run(attempt.query, attempt.variables),
    );
  }
  const song = await run(
    `mutation { createSong(collection: "${marker}", idempotencyKey: "${marker}", input: { description: "${marker}", model: SONG_V5 }) { ... on Generation { id task { id upstreamId } } } }`,
  );
  const webhook = await run(
    `mutation { createWebhook(input: { url: "https://${marker}.example/" }) { ... on CreatedWebhook { secret webhook { id } } } }`,
  );
  const stalled = { input: ask(marker, { model: 'fault-stalled-stream' }), collection: marker };
  const running = made(await startChat(app, stalled, headers)).id;
  const listed = await run(
    '{ generations(first: 100) { edges { node { id kind task { id upstreamId } } } } accessTokens { edges { node { id } } } }',
  );
  const ids = (prefix: string, from: string): readonly string[] => [
    ...new Set([...from.matchAll(new RegExp(`"(${prefix}_[\\w-]+)"`, 'g'))].map(([, id = '']) => id)),
  ];
  const [, owner = ''] = /"owner":"([^"]+)"/.exec(await run('{ viewer { owner } }')) ?? [];
  const created = [...texts, song, listed].join('\n');
  const upstream = [...created.matchAll(/"upstreamId":"([^"]+)"/g)].map(([, id = '']) => id);
  const known: Known = {
    generations: ids('generation', listed),
    tasks: ids('task', created),
    tokens: ids('token', created),
    webhooks: ids('webhook', webhook),
    voices: ids('voice', texts.join('\n')),
    songs: /"upstreamId":"([^"]+)"/.exec(song)?.[1] ?? '',
    images: await findImages(app, headers),
    chats: [running],
    voiceIds: [...texts.join('\n').matchAll(/"voiceId":"([^"]+)"/g)].map(([, id = '']) => id),
  };
  return {
    // The gateway ids of voices are in the inputs of their creates.
    secrets: [
      marker,
      owner,
      ...new Set([
        ...known.generations,
        ...known.tasks,
        ...known.tokens,
        ...known.voices,
        ...known.webhooks,
        ...upstream,
      ]),
    ],
    attempts: toAttempts(known),
    creates,
    runningChat: running,
  };
}

/** Runs a subscription to its end over server-sent events. */
async function runStream({ url }: TestApp, { query, variables }: Attempt, headers: Headers): Promise<string> {
  const accept = { 'content-type': 'application/json', accept: 'text/event-stream' };
  const body = [Buffer.from(JSON.stringify({ query, variables }))];
  return (await sendRequest(url, { headers: { ...headers, ...accept }, body })).text;
}

async function findImages(app: TestApp, headers: Headers): Promise<readonly string[]> {
  const { data } = await app.run<
    { readonly generations: { readonly edges: readonly { readonly node: { readonly id: string } }[] } },
    object
  >('{ generations(first: 100, filter: { kinds: [IMAGE] }) { edges { node { id } } } }', {}, { headers });
  return data?.generations.edges.map(({ node }) => node.id) ?? [];
}

interface Known {
  readonly generations: readonly string[];
  readonly tasks: readonly string[];
  readonly tokens: readonly string[];
  readonly voices: readonly string[];
  readonly webhooks: readonly string[];
  readonly voiceIds: readonly string[];
  readonly songs: string;
  readonly images: readonly string[];
  readonly chats: readonly string[];
}

const task = '{ id kind upstreamId status raw output { __typename } generation { id prompt } }';
const generation = '{ id status prompt collection input raw output { __typename } task { id } }';

function toAttempts(known: Known): readonly Attempt[] {
  const all = [...known.generations, ...known.tasks, ...known.tokens, ...known.voices];
  const list = (ids: readonly string[]): string => JSON.stringify(ids.slice(0, 100));
  const query = (field: string, text: string): Attempt => ({ field, query: `{ ${text} }` });
  const mutation = (field: string, text: string): Attempt => ({ field, query: `mutation { ${text} }` });
  const subscription = (field: string, text: string): Attempt => ({
    field,
    query: `subscription { ${text} }`,
  });
  const [chat = ''] = known.chats;
  return [
    ...all.map((id) =>
      query(
        'node',
        `node(id: "${id}") { __typename id ... on Task ${task} ... on Generation { prompt collection } }`,
      ),
    ),
    query('nodes', `nodes(ids: ${list(all)}) { __typename id }`),
    ...known.tasks.map((id) => query('task', `task(id: "${id}") ${task}`)),
    // Costs no read, so it comes from the record or from the id.
    ...known.tasks.map((id) => query('task', `task(id: "${id}") { id kind upstreamId tracking }`)),
    query('tasks', `tasks(ids: ${list(known.tasks)}) ${task}`),
    query('taskByHandle', `taskByHandle(handle: { kind: SONG, upstreamId: "${known.songs}" }) ${task}`),
    query('taskByHandle', `taskByHandle(handle: { kind: SONG, upstreamId: "${known.songs}" }) { id kind }`),
    ...known.generations.map((id) => query('generation', `generation(by: { id: "${id}" }) ${generation}`)),
    query('generation', `generation(by: { idempotencyKey: "${marker}" }) ${generation}`),
    query('awaitGeneration', `awaitGeneration(by: { id: "${chat}" }, timeoutSeconds: 0) ${generation}`),
    query(
      'awaitGeneration',
      `awaitGeneration(by: { idempotencyKey: "${marker}" }, timeoutSeconds: 0) ${generation}`,
    ),
    query('generations', `generations(first: 100) { totalCount edges { node { id prompt } } }`),
    query(
      'generations',
      `generations(first: 5, filter: { collection: "${marker}" }) { edges { node { id } } }`,
    ),
    query('usageTotals', `usageTotals(groupBy: [COLLECTION]) { collection generations }`),
    query('viewer', `viewer { owner limits { name used } scopes }`),
    query('accessTokens', `accessTokens { edges { node { id name } } }`),
    query('voices', `voices(first: 100) { edges { node { id } } }`),
    ...known.voices.map((id) => query('voice', `voice(id: "${id}") { id voiceId }`)),
    ...known.voiceIds.map((id) => query('voice', `voice(id: "${id}") { id }`)),
    query('inputSchema', `inputSchema(input: "ChatInput")`),
    query('_service', `_service { sdl }`),
    ...(['Task', 'Generation', 'Voice'] as const).map((typeName): Attempt => {
      const ids = { Task: known.tasks, Generation: known.generations, Voice: known.voices }[typeName];
      return {
        field: '_entities',
        query: `query ($of: [_Any!]!) { _entities(representations: $of) { ... on Task ${task} ... on Generation { id prompt } ... on Voice { id voiceId } } }`,
        variables: { of: ids.map((id) => ({ __typename: typeName, id })) },
      };
    }),
    ...[...known.chats, ...known.generations].map((id) =>
      subscription(
        'chatEvents',
        `chatEvents(id: "${id}") { generationId sequence soFar { choices { message { content } } } }`,
      ),
    ),
    ...known.images.map((id) =>
      subscription('imageEvents', `imageEvents(id: "${id}") { generationId sequence }`),
    ),
    ...known.tasks.map((id) => subscription('taskProgress', `taskProgress(id: "${id}") ${task}`)),
    subscription('tasksProgress', `tasksProgress(ids: ${list(known.tasks)}) ${task}`),
    query('webhooks', `webhooks { id url }`),
    ...known.webhooks.map((id) =>
      query('webhookDeliveries', `webhookDeliveries(webhookId: "${id}") { eventId }`),
    ),
    // Last, because they would change the records.
    ...known.webhooks.flatMap((id) => [
      mutation('redeliverWebhookEvents', `redeliverWebhookEvents(webhookId: "${id}") { eventId }`),
      mutation('deleteWebhook', `deleteWebhook(id: "${id}")`),
    ]),
    ...[...known.chats, ...known.generations].map((id) =>
      mutation(
        'cancelGeneration',
        `cancelGeneration(by: { id: "${id}" }) { __typename ... on Generation ${generation} }`,
      ),
    ),
    mutation(
      'cancelGeneration',
      `cancelGeneration(by: { idempotencyKey: "${marker}" }) { __typename ... on Generation ${generation} }`,
    ),
    mutation(
      'deleteConversation',
      `deleteConversation(id: "${known.chats[0]}") { deletedIds skipped { reason } }`,
    ),
    mutation(
      'deleteGenerations',
      `deleteGenerations(ids: ${list(known.generations)}) { deletedIds skipped { reason } }`,
    ),
  ];
}
