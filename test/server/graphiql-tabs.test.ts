import {
  type ExecutionResult,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { schema } from '../../src/schema.ts';
import { type GraphiQLTab, graphiqlTabs, idToPutIn } from '../../src/server/graphiql-tabs.ts';
import { type TestAppOptions, collect, startApp } from '../support/app.ts';

const tabs = graphiqlTabs({ apiKey: 'sk-sandbox', systemToken: 'sandbox-system', userId: '1' });

describe('the ready tabs of GraphiQL', () => {
  test('are one per root field of the schema, chat first', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
    // The federation's own fields are for routers.
    const own = fields.filter((name) => !name.startsWith('_'));
    expect(tabs.map(rootFieldOf).sort()).toEqual(own.sort());
    expect(rootFieldOf(tabs[0])).toBe('chat');
  });

  test('have titles, since GraphiQL shows the name of the operation', () => {
    const titles = tabs.map((tab) => operationOf(tab).name?.value);
    expect(titles).not.toContain(undefined);
    expect(new Set(titles).size).toBe(tabs.length);
  });

  test.each(tabs.map((tab) => [rootFieldOf(tab), tab.query] as const))(
    'say in a comment what to expect, in lines that the editor shows whole: %s',
    (_field, query) => {
      const comment = query.split('\n').filter((line) => line.startsWith('#'));
      expect(comment.length).toBeGreaterThan(0);
      expect(Math.max(...comment.map((line) => line.length))).toBeLessThanOrEqual(51);
    },
  );
});

describe('a ready tab of GraphiQL', () => {
  let sandboxed: Awaited<ReturnType<typeof startTabs>>;
  let id: string;
  beforeAll(async () => {
    sandboxed = await startTabs();
    id = await sandboxed.start();
  });
  afterAll(() => sandboxed[Symbol.asyncDispose]());

  test.each(tabs.map((tab) => [rootFieldOf(tab), tab] as const))('runs: %s', async (field, tab) => {
    const results = await sandboxed.play(tab, { id });
    for (const result of results) {
      expect(result.errors).toBeUndefined();
      expect(JSON.stringify(result.data)).not.toMatch(/"__typename":"\w+(Error|Failed)"/);
    }
    expect(results.at(-1)?.data?.[field]).not.toBeNull();
  });

  test('finds the voice whose id it holds', async () => {
    const [{ data } = {}] = await sandboxed.play(tabOf('voice'));
    expect(data?.['voice']).toMatchObject({ voiceId: 'en-us-ava', name: 'Ava', language: 'en-US' });
  });

  test('holds a key of the sandbox only where the gateway is the sandbox', () => {
    const text = JSON.stringify(graphiqlTabs(undefined));
    expect(text).toContain('Bearer YOUR_API_KEY');
    expect(text).not.toMatch(/sk-sandbox|sandbox-system/);
  });
});

describe('what the comment of a tab promises', () => {
  test('startChat again returns the same chat, and its key refuses another text', async () => {
    await using sandboxed = await startTabs();
    const id = await sandboxed.start();
    expect(await sandboxed.start()).toBe(id);
    const edited = withVariables(tabOf('startChat'), (text) => text.replace('lighthouses', 'castles'));
    const [conflict] = await sandboxed.play(edited);
    expect(conflict?.data?.['startChat']).toMatchObject({ __typename: 'IdempotencyConflictError' });
    const asNew = withVariables(edited, (text) => text.replace('my-first-story', 'my-second-story'));
    const [second] = await sandboxed.play(asNew);
    expect(second?.data?.['startChat']).toMatchObject({ __typename: 'Generation' });
  });

  test('cancelGeneration stops the chat of startChat, which then returns it as it is', async () => {
    await using sandboxed = await startTabs({ sandbox: { tokensPerSecond: 20 } });
    const id = await sandboxed.start();
    const [canceled] = await sandboxed.play(tabOf('cancelGeneration'));
    expect(canceled?.data?.['cancelGeneration']).toMatchObject({ id, status: 'CANCELED' });
    const [again] = await sandboxed.play(tabOf('startChat'));
    expect(again?.data?.['startChat']).toMatchObject({ id, status: 'CANCELED' });
  });
});

/** A program whose tabs can be played as GraphiQL plays them: subscriptions over WebSocket, headers with each. */
async function startTabs(options?: TestAppOptions) {
  const app = await startApp(options);
  const play = async ({ query, variables, headers }: GraphiQLTab, ids: { readonly id?: string } = {}) => {
    const filled: unknown = JSON.parse(JSON.stringify(variables).replaceAll(idToPutIn, ids.id ?? idToPutIn));
    if (getOperationAST(parse(query))?.operation !== OperationTypeNode.SUBSCRIPTION) {
      return [await app.run<Record<string, unknown>, unknown>(query, filled, { headers })];
    }
    const payload = { query, variables: filled as Record<string, unknown>, extensions: { headers } };
    const events = app.wsClient({ connectionParams: {} }).iterate(payload);
    // The client's results differ from those of the server in the class of errors only.
    return collect(events as AsyncIterable<ExecutionResult<Record<string, unknown>>>);
  };
  return {
    play,
    /** Plays startChat. @returns the chat's id */
    async start(): Promise<string> {
      const [result] = await play(tabOf('startChat'));
      const generation = result?.data?.['startChat'] as { readonly id?: string } | undefined;
      if (generation?.id === undefined) throw new Error(`No chat was started: ${JSON.stringify(result)}`);
      return generation.id;
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

function tabOf(field: string): GraphiQLTab {
  const tab = tabs.find((candidate) => rootFieldOf(candidate) === field);
  if (!tab) throw new Error(`There is no tab for ${field}`);
  return tab;
}

function withVariables(tab: GraphiQLTab, edit: (text: string) => string): GraphiQLTab {
  return { ...tab, variables: JSON.parse(edit(JSON.stringify(tab.variables))) as GraphiQLTab['variables'] };
}

function operationOf(tab: GraphiQLTab | undefined): OperationDefinitionNode {
  const operation = getOperationAST(parse(tab?.query ?? ''));
  if (!operation) throw new Error(`${tab?.name} holds no operation, or several`);
  return operation;
}

function rootFieldOf(tab: GraphiQLTab | undefined): string {
  const [field] = operationOf(tab).selectionSet.selections;
  return field?.kind === Kind.FIELD ? field.name.value : '';
}
