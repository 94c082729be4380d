import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ExecutionResult,
  getNamedType,
  getNullableType,
  getOperationAST,
  type GraphQLInputType,
  type GraphQLType,
  isInputObjectType,
  isListType,
  isRequiredInputField,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
  typeFromAST,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations, schema } from '../../../support/api-schema.ts';
import { placeholders } from '../../../../src/graphql/capability.ts';
import { findIdKinds } from '../../../../src/server/pages/graphiql/graphiql-ids.ts';
import {
  type GraphiQLTab,
  graphiqlTabs,
  initialNames,
} from '../../../../src/server/pages/graphiql/graphiql-tabs.ts';
import { type TestAppOptions, collect, startApp } from '../../../support/app.ts';

const credentials = { apiKey: 'sk-sandbox', systemToken: 'sandbox-system', userId: '1' };
const tabs = graphiqlTabs(operations, { credentials });

describe('the predefined tabs of GraphiQL', () => {
  test('cover each root field of the schema, chat first', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    // The federation fields are for routers.
    const own = fields.filter((name) => !name.startsWith('_'));
    expect([...new Set(tabs.map(rootFieldOf))].sort()).toEqual(own.sort());
    expect(rootFieldOf(tabs[0])).toBe('streamChat');
  });

  test('are five at the first visit: a chat, pictures, my generations, a refused input, voices', () => {
    const initial = initialNames.map((name) => tabs.find((tab) => tab.name === name));
    expect(initial.map((tab) => operationOf(tab).name?.value)).toEqual([
      'StreamChat',
      'StreamImages',
      'Generations',
      'RefusedInput',
      'Voices',
    ]);
  });

  test('have required variables, arguments and input fields first', () => {
    const misplaced: string[] = [];
    for (const tab of tabs) {
      const { variableDefinitions = [], selectionSet } = operationOf(tab);
      const isRequired = variableDefinitions.map(
        ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue,
      );
      expect([tab.name, isRequired]).toEqual([tab.name, requiredFirst(isRequired)]);
      const [field] = selectionSet.selections;
      const used = field?.kind === Kind.FIELD ? field.arguments?.map(({ value }) => print(value)) : [];
      expect(used).toEqual(variableDefinitions.map(({ variable }) => `$${variable.name.value}`));
      for (const { type, variable } of variableDefinitions) {
        const value = tab.variables[variable.name.value];
        misplaced.push(...findMisplaced(value, typeFromAST(schema, type as NamedTypeNode)));
      }
    }
    expect(misplaced).toEqual([]);
  });

  test('need ids that another tab makes, which the page knows by their placeholders', () => {
    const kinds = findIdKinds(tabs.map(({ query }) => query));
    expect(kinds.map(({ placeholder }) => placeholder).sort()).toEqual(Object.values(placeholders).sort());
    const titles = tabs.map((tab) => operationOf(tab).name?.value);
    for (const { maker, follow, madeBy, hint } of kinds) {
      expect(titles).toContain(maker);
      expect(hint).toContain(maker);
      expect(titles).toContain(follow?.operation ?? maker);
      expect(tabs.map(rootFieldOf)).toEqual(expect.arrayContaining([...madeBy]));
    }
    const [chat, , task] = kinds;
    expect(chat?.madeBy).toEqual(['startChat', 'streamChat']);
    expect(task?.madeBy).toEqual(expect.arrayContaining(['queueImage', 'createSong', 'createVideo']));
    expect(task?.madeBy).not.toContain('cancelGeneration');
  });

  test('have titles, since GraphiQL shows the name of the operation', () => {
    const titles = tabs.map((tab) => operationOf(tab).name?.value);
    expect(titles).not.toContain(undefined);
    expect(new Set(titles).size).toBe(tabs.length);
  });

  test.each(tabs.map((tab) => [rootFieldOf(tab), tab.query] as const))(
    'explain in a comment what to expect, in lines that fit the editor: %s',
    (_field, query) => {
      const comment = query.split('\n').filter((line) => line.startsWith('#'));
      expect(comment.length).toBeGreaterThan(0);
      expect(Math.max(...comment.map((line) => line.length))).toBeLessThanOrEqual(51);
    },
  );
});

/** Those that succeed. */
const succeeding = tabs.filter(({ name }) => name !== 'refused-input');

describe('a predefined tab of GraphiQL', () => {
  let sandboxed: Awaited<ReturnType<typeof startTabs>>;
  let withFiles: Awaited<ReturnType<typeof startTabs>>;
  beforeAll(async () => {
    sandboxed = await startTabs();
    withFiles = await startTabs({ hasFiles: true });
  });
  afterAll(async () => {
    await withFiles[Symbol.asyncDispose]();
    await sandboxed[Symbol.asyncDispose]();
  });
  const serverFor = (field: string) => (field === 'createUpload' ? withFiles : sandboxed);

  test.each(succeeding.map((tab) => [rootFieldOf(tab), tab] as const))('runs: %s', async (field, tab) => {
    const server = serverFor(field);
    const results = await server.play(await server.fillIn(tab));
    for (const result of results) {
      expect(result.errors).toBeUndefined();
      expect(JSON.stringify(result.data)).not.toMatch(/"__typename":"\w+(Error|Failed)"/);
    }
    expect(results.at(-1)?.data?.[field]).toBeTruthy();
  });

  const creates = succeeding.filter(({ query }) => operationKindOf(query) === OperationTypeNode.MUTATION);

  test.each(creates.map((tab) => [rootFieldOf(tab), tab] as const))(
    'can be run twice: %s',
    async (field, tab) => {
      const server = serverFor(field);
      const filled = await server.fillIn(tab);
      await server.play(filled);
      const [second] = await server.play(filled);
      expect(second?.errors).toBeUndefined();
      expect(JSON.stringify(second?.data)).not.toMatch(/"__typename":"\w+Error"/);
    },
  );

  test('shows all problems of a refused input, and sends nothing', async () => {
    const refused = tabs.find(({ name }) => name === 'refused-input');
    if (!refused) throw new Error('There is no refused input');
    const sent = sandboxed.countChats();
    const [result] = await sandboxed.play(refused);
    expect(result?.errors).toBeUndefined();
    const { startChat } = result?.data ?? {};
    const { issues } = startChat as { readonly issues: readonly object[] };
    expect(issues.length).toBeGreaterThanOrEqual(5);
    for (const issue of issues)
      expect(issue).toMatchObject({ path: expect.any(Array), limit: expect.any(String) });
    expect(sandboxed.countChats()).toBe(sent);
  });

  test('shows a task created outside this API', async () => {
    const [result] = await sandboxed.play(tabOf('taskByHandle'));
    expect(result?.data?.['taskByHandle']).toMatchObject({ upstreamId: 'demo', tracking: 'POLLED' });
  });

  test('finds the voice with its id', async () => {
    const [{ data } = {}] = await sandboxed.play(tabOf('voice'));
    expect(data?.['voice']).toMatchObject({ voiceId: 'en-us-ava', name: 'Ava', language: 'en-US' });
  });

  test('contains the sandbox key only if the gateway is the sandbox', () => {
    const text = JSON.stringify(graphiqlTabs(operations));
    expect(text).toContain('Bearer YOUR_API_KEY');
    expect(text).not.toMatch(/sk-sandbox|sandbox-system/);
  });

  test.each(['jwt', 'both'] as const)('says where the token goes, with AUTH=%s', (auth) => {
    for (const { headers, headersNote } of graphiqlTabs(operations, { auth })) {
      expect(headersNote.join(' ')).toContain('token of your sign-in (a JWT)');
      expect(headersNote.join(' ')).toContain('"Bearer YOUR_TOKEN"');
      expect(Math.max(...headersNote.map((line) => line.length))).toBeLessThanOrEqual(54);
      expect('Authorization' in headers).toBe(auth === 'both');
    }
  });
});

describe('the behavior described in the comment of a tab', () => {
  const question = 'Tell me a long story about lighthouses.';

  test('startChat again returns the same chat, and its key rejects another text', async () => {
    await using sandboxed = await startTabs();
    const { id } = await sandboxed.playCreate('startChat');
    expect((await sandboxed.playCreate('startChat')).id).toBe(id);
    const edited = withVariables(tabOf('startChat'), { [question]: 'A poem, please.' });
    const [conflict] = await sandboxed.play(edited);
    expect(conflict?.data?.['startChat']).toMatchObject({ __typename: 'IdempotencyConflictError' });
    const [second] = await sandboxed.play(withVariables(edited, { 'my-first-story': 'my-first-poem' }));
    expect(second?.data?.['startChat']).toMatchObject({ __typename: 'Generation' });
  });

  test('cancelGeneration stops the chat of startChat, which then returns the canceled chat', async () => {
    await using sandboxed = await startTabs({ sandbox: { tokensPerSecond: 20 } });
    const { id } = await sandboxed.playCreate('startChat');
    const [canceled] = await sandboxed.play(tabOf('cancelGeneration'));
    expect(canceled?.data?.['cancelGeneration']).toMatchObject({ id, status: 'CANCELED' });
    expect(await sandboxed.playCreate('startChat')).toMatchObject({ id, status: 'CANCELED' });
  });
});

describe('a tab of speech or video', () => {
  /** The server starts its own sandbox, as it does without settings. */
  const ownSandbox = { GATEWAY_URL: '', SANDBOX_TASK_SECONDS: '0.2', TASK_POLL_SECONDS: '0.05' };

  test.each([
    ['createSpeech', 'audio/'],
    ['createVideo', 'video/'],
    ['createReferenceVideo', 'video/'],
    ['createTransitionVideo', 'video/'],
  ])('delivers its file on the default start: %s', async (field, type) => {
    await using sandboxed = await startTabs({ env: ownSandbox });
    const { task: { id, tracking } = { id: '' } } = await sandboxed.playCreate(field);
    expect(tracking).toBe('POLLED');
    const watch = withVariables(tabOf('taskProgress'), { [placeholders.taskId]: id });
    const last = (await sandboxed.play(watch)).at(-1)?.data?.['taskProgress'];
    expect(last).toMatchObject({ status: 'SUCCEEDED', generation: { assets: [{}] } });
    const { assets } = (last as { readonly generation: { readonly assets: readonly { url: string }[] } })
      .generation;
    const file = await fetch(assets[0]?.url ?? '');
    expect(file.headers.get('content-type')).toContain(type);
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1000);
  });

  test('has only the status endpoints that the operator names', async () => {
    const paths = { GATEWAY_TASK_PATHS: 'VIDEO=/v1/video/query?id={id}' };
    await using sandboxed = await startTabs({ env: { ...ownSandbox, ...paths } });
    expect(await sandboxed.playCreate('createVideo')).toMatchObject({ task: { tracking: 'POLLED' } });
    expect(await sandboxed.playCreate('createSpeech')).toMatchObject({
      status: 'SUBMITTED',
      task: { tracking: 'NOT_TRACKABLE' },
    });
  });
});

type Results = readonly ExecutionResult<Record<string, unknown>>[];

interface TabOptions extends TestAppOptions {
  /** Whether generated files are copied, which renders each in the sandbox. @default false */
  readonly hasFiles?: boolean;
}

/** Runs tabs like GraphiQL: subscriptions over WebSocket, with the headers of the tab. */
async function startTabs({ hasFiles = false, ...options }: TabOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'gengraph-tabs-'));
  const files = hasFiles && { FILES: 'folder', FILES_DIR: folder };
  const app = await startApp({ ...options, env: { ...files, OWNER_WEBHOOKS: 'on', ...options.env } });
  const play = async ({ query, variables, headers }: GraphiQLTab): Promise<Results> => {
    if (operationKindOf(query) !== OperationTypeNode.SUBSCRIPTION) {
      return [await app.run<Record<string, unknown>, unknown>(query, variables, { headers })];
    }
    const payload = { query, variables: { ...variables }, extensions: { headers } };
    const client = app.wsClient({ connectionParams: {} });
    // The results of client and server differ only in the class of their errors.
    const events = client.iterate(payload) as AsyncIterableIterator<ExecutionResult<Record<string, unknown>>>;
    return query.includes('generationChanged') ? firstOf(events) : collect(events);
  };
  /** Returns the first event of an endless feed. A new chat triggers it. */
  const firstOf = async (events: AsyncIterator<Results[number]>): Promise<Results> => {
    let first: Results | undefined;
    const arrival = events.next().then(({ value }) => (first = [value as Results[number]]));
    // The feed may not be open when the first chat starts.
    while (!first) await play(tabOf('createChatCompletion'));
    return arrival;
  };
  const playCreate = async (field: string, tab = tabOf(field)): Promise<CreatedGeneration> => {
    const [result] = await play(tab);
    const created = result?.data?.[field] as CreatedGeneration | undefined;
    if (created?.__typename !== 'Generation') throw new Error(`Not created: ${JSON.stringify(result)}`);
    return created;
  };
  const makeTask = async (): Promise<string> => {
    const { task: { id } = { id: '' } } = await playCreate('queueImage');
    await play(withVariables(tabOf('taskProgress'), { [placeholders.taskId]: id }));
    return id;
  };
  const streamImages = async (): Promise<string | null | undefined> => {
    const last = (await play(tabOf('streamImages'))).at(-1);
    return (last?.data?.['streamImages'] as { readonly generationId: string | null } | undefined)
      ?.generationId;
  };
  const makeWebhook = async (): Promise<string> => {
    const [result] = await play(tabOf('createWebhook'));
    const created = result?.data?.['createWebhook'] as { readonly webhook: { readonly id: string } };
    return created.webhook.id;
  };
  let task: ReturnType<typeof makeTask> | undefined;
  let webhook: ReturnType<typeof makeWebhook> | undefined;
  const firstKey = 'my-first-story';
  let forgotten = 0;
  return {
    play,
    playCreate,
    countChats: () => app.sandbox.activity.count('/v1/chat/completions'),
    /** Runs the operations that the tab depends on and replaces its placeholders. */
    async fillIn(tab: GraphiQLTab): Promise<GraphiQLTab> {
      const text = JSON.stringify(tab.variables);
      const isWanted = (placeholder: string): boolean => text.includes(JSON.stringify(placeholder));
      const { generationId, chatId, imageStreamId, taskId, webhookId } = placeholders;
      const isOfChat = [generationId, chatId, firstKey].some(isWanted);
      // The key of a deleted generation stays in use: the other tabs would get no chat.
      const key = rootFieldOf(tab).startsWith('delete') ? `forgotten-${(forgotten += 1)}` : firstKey;
      const chat = isOfChat
        ? await playCreate('startChat', withVariables(tabOf('startChat'), { [firstKey]: key }))
        : undefined;
      return withVariables(tab, {
        ...(chat && { [generationId]: chat.id, [chatId]: chat.id }),
        ...(isWanted(imageStreamId) && { [imageStreamId]: await streamImages() }),
        ...(isWanted(taskId) && { [taskId]: await (task ??= makeTask()) }),
        ...(isWanted(webhookId) && {
          [webhookId]: await (rootFieldOf(tab) === 'deleteWebhook'
            ? makeWebhook()
            : (webhook ??= makeWebhook())),
        }),
      });
    },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface CreatedGeneration {
  readonly __typename: string;
  readonly id: string;
  readonly task?: { readonly id: string; readonly tracking?: string };
}

function tabOf(field: string): GraphiQLTab {
  const tab = tabs.find((candidate) => rootFieldOf(candidate) === field);
  if (!tab) throw new Error(`There is no tab for ${field}`);
  return tab;
}

/** Replaces values in the variables of a tab, at any depth. */
function withVariables(tab: GraphiQLTab, values: Readonly<Record<string, unknown>>): GraphiQLTab {
  const replace = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && Object.hasOwn(values, value) ? values[value] : value;
  return {
    ...tab,
    variables: JSON.parse(JSON.stringify(tab.variables), replace) as GraphiQLTab['variables'],
  };
}

function operationOf(tab: GraphiQLTab | undefined): OperationDefinitionNode {
  const operation = getOperationAST(parse(tab?.query ?? ''));
  if (!operation) throw new Error(`${tab?.name} holds no operation, or several`);
  return operation;
}

function operationKindOf(query: string): OperationTypeNode | undefined {
  return getOperationAST(parse(query))?.operation;
}

function rootFieldOf(tab: GraphiQLTab | undefined): string {
  const [field] = operationOf(tab).selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : '';
}

function requiredFirst(isRequired: readonly boolean[]): readonly boolean[] {
  return [...isRequired].sort((one, other) => Number(other) - Number(one));
}

/** The fields after which a required one comes, in this value and those within it. */
function findMisplaced(value: unknown, type: GraphQLType | undefined): readonly string[] {
  const named = type && getNullableType(type);
  if (isListType(named) && Array.isArray(value))
    return value.flatMap((item) => findMisplaced(item, named.ofType as GraphQLInputType));
  if (!isInputObjectType(getNamedType(named)) || typeof value !== 'object' || value === null) return [];
  const object = getNamedType(named);
  if (!isInputObjectType(object)) return [];
  const fields = object.getFields();
  const names = Object.keys(value);
  const isRequired = names.map((name) => fields[name] !== undefined && isRequiredInputField(fields[name]));
  const isSorted = isRequired.join() === requiredFirst(isRequired).join();
  return [
    ...(isSorted ? [] : [`${object.name}: ${names.join(', ')}`]),
    ...Object.entries(value).flatMap(([name, inner]) => findMisplaced(inner, fields[name]?.type)),
  ];
}
