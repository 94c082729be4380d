import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { statfs } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { StartChatDocument, StreamChatDocument } from '../../src/client/documents.generated.ts';
import { loadConfig } from '../../src/config.ts';
import { instruments } from '../../src/metrics/instruments.ts';
import { createAttributeLimits, otherValue } from '../../src/metrics/bounded-attributes.ts';
import { sandboxKey, startApp, subscribe } from '../support/app.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { postJson, sendRequest } from '../support/http.ts';
import { createDirectory } from '../support/durable-server.ts';
import { createInbox } from '../support/inbox.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { factsOf, startReceiver } from '../support/otlp-receiver.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

type TestServer = Awaited<ReturnType<typeof startApp>>;

/** The samples of the main port, by their text before the value. */
async function scrape({ url }: { readonly url: string }): Promise<ReadonlyMap<string, number>> {
  const { text, status } = await sendRequest(url.replace('/graphql', '/metrics'));
  expect(status).toBe(200);
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

const onMainPort = { env: { METRICS_ON_MAIN_PORT: 'true' } };

async function chat(app: TestServer, idempotencyKey: string): Promise<void> {
  const variables = { input: ask('Hello'), idempotencyKey };
  for await (const _event of subscribe(app.wsClient(), StreamChatDocument, variables)) {
    // Read to its end.
  }
}

describe('metrics', () => {
  test('count a chat once: duration, first chunk, chunks and tokens by model, and the requests of each side', async () => {
    await using app = await startApp(onMainPort);
    await chat(app, 'one');
    await chat(app, 'one');
    const samples = await scrape(app);
    const model = 'gen_ai_operation_name="chat",gen_ai_provider_name="gateway",gen_ai_request_model="gpt-4o"';
    expect(samples.get(`gen_ai_client_operation_duration_count{${model},gengraph_charged="yes"}`)).toBe(1);
    expect(samples.get(`gen_ai_client_operation_time_to_first_chunk_count{${model}}`)).toBe(1);
    expect(samples.get(`gen_ai_client_operation_time_per_output_chunk_count{${model}}`)).toBe(1);
    for (const type of ['input', 'output']) {
      const tokens = samples.get(`gen_ai_client_token_usage_sum{${model},gen_ai_token_type="${type}"}`);
      expect(tokens).toBeGreaterThan(0);
    }
    expect(samples.get('gengraph_creates_deduplicated_total')).toBe(1);
    expect(
      samples.get(
        'http_client_request_duration_count{http_request_method="POST",url_template="/v1/chat/completions",http_response_status_code="200"}',
      ),
    ).toBe(1);
    expect(
      samples.get(
        'gengraph_graphql_operation_duration_count{graphql_operation_type="subscription",graphql_operation_name="StreamChat",gengraph_transport="websocket"}',
      ),
    ).toBe(2);
    expect(
      samples.get('db_client_operation_duration_count{db_system_name="sqlite",db_operation_name="claim"}'),
    ).toBe(2);
  });

  test('have the mean time between two chunks of a chat, in seconds', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ ...onMainPort, overrides: { clock } });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    const exchange = await gateway.exchange(0);
    exchange.send(...words('a'));
    const { id } = made(await starting);
    const events = chatEvents(app.wsClient(), { id });
    while ((await nextEvent(events)).sequence < 1);
    clock.advance(600);
    exchange.send(...words('b', 'c'), '[DONE]');
    await toEnd(events);
    const name = 'gen_ai_client_operation_time_per_output_chunk_sum';
    const samples = await scrape(app);
    expect([...samples].filter(([sample]) => sample.startsWith(name))).toEqual([[expect.anything(), 0.3]]);
  });

  test.each([
    ['a limit', { MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=1' }, 'RateLimitError'],
    ['the number of records', { MAX_RECORDS_PER_OWNER: '1' }, 'Generation'],
  ])('a create for which %s leaves no room is no failure of the records', async (_limit, env, second) => {
    await using app = await startApp({ env: { ...onMainPort.env, ...env } });
    made(await createChatCompletion(app, { input: ask('Hello') }));
    expect(await createChatCompletion(app, { input: ask('Hello') })).toMatchObject({ __typename: second });
    const claims = [...(await scrape(app)).keys()].filter((name) =>
      /^db_client_operation_duration_count.*"claim"/.test(name),
    );
    expect(claims).toEqual([
      'db_client_operation_duration_count{db_system_name="sqlite",db_operation_name="claim"}',
    ]);
  });

  test('show what is open now, and the state of the process', async () => {
    await using app = await startApp({ ...onMainPort, sandbox: { tokensPerSecond: 1 } });
    const events = subscribe(app.wsClient(), StreamChatDocument, { input: ask('Tell me a long story') });
    await events.next();
    const samples = await scrape(app);
    expect(samples.get('gengraph_sockets')).toBe(1);
    expect(samples.get('gengraph_streams')).toBe(1);
    expect(samples.get('gengraph_watchers')).toBe(1);
    expect(samples.get('gengraph_ready')).toBe(1);
    expect(samples.get('process_memory_usage')).toBeGreaterThan(10_000_000);
    expect(samples.get('nodejs_eventloop_delay_p99')).toBeGreaterThanOrEqual(0);
    await events.return?.();
  });

  test('count lost replies, refusals of the gateway and errors of operations', async () => {
    const gateway = await startFakeGateway((_request, response) => void response.socket?.destroy());
    await using app = await startApp({ ...onMainPort, gatewayUrl: gateway.url });
    await app.run(StartChatDocument, { input: ask('Hello') });
    await postJson(
      app.url,
      { query: 'query Bad { voices(first: -1) { edges { node { id } } } }' },
      sandboxKey,
    );
    const samples = await scrape(app);
    expect(samples.get('gengraph_generations_unknown_total{gen_ai_operation_name="chat"}')).toBe(1);
    const charged = [...samples].filter(([name]) =>
      name.startsWith('gen_ai_client_operation_duration_count'),
    );
    expect(charged).toEqual([
      [expect.stringMatching(/error_type="OUTCOME_UNKNOWN",gengraph_charged="maybe"/), 1],
    ]);
    const lost = [...samples].find(([name]) =>
      /^http_client_request_duration_count.*error_type="no_reply"/.test(name),
    );
    expect(lost?.[1]).toBe(1);
    const bad = [...samples].find(([name]) =>
      /^gengraph_graphql_operation_duration_count.*"Bad".*error_type="BAD_REQUEST"/.test(name),
    );
    expect(bad?.[1]).toBe(1);
  });

  test('a stream that its client cancels is no failure of the gateway, in metrics, log and spans', async () => {
    const receiver = await startReceiver();
    const warnings: unknown[] = [];
    await using scripted = await startScripted({
      env: { ...onMainPort.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
      onLog: (line) => void (Number(line['level']) >= 40 && warnings.push(line)),
    });
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    (await gateway.exchange(0)).send(...words('a'));
    const { id } = made(await starting);
    const { errors } = await app.run(
      `mutation { cancelGeneration(by: { id: "${id}" }) { ... on Generation { status } } }`,
    );
    expect(errors).toBeUndefined();
    await toEnd(chatEvents(app.wsClient(), { id }));
    const requests = [...(await scrape(app))].filter(([name]) =>
      name.startsWith('http_client_request_duration_count'),
    );
    expect(requests).toEqual([[expect.stringContaining('error_type="aborted"'), 1]]);
    expect(warnings).toEqual([]);
    await app.app.close();
    const span = receiver.spans.find((sent) => 'url.full' in factsOf(sent));
    expect(span && factsOf(span)['error.type']).toBe('aborted');
  });

  test("tell a limit of this server from the gateway's", async () => {
    await using app = await startApp({
      env: { ...onMainPort.env, MAX_CREATES_PER_MINUTE_PER_OWNER: '1', MAX_OPEN_PER_SOCKET: '1' },
    });
    // The gateway refuses the first create, which counts.
    const refused = await startChat(app, { input: ask('Hello', { model: 'fault-rate-limit' }) });
    expect(refused).toMatchObject({ code: 'RATE_LIMITED' });
    const limited = await startChat(app, { input: ask('Hello') });
    expect(limited).toMatchObject({ code: 'RATE_LIMITED' });
    const client = app.wsClient();
    const open = () => client.iterate({ query: 'subscription Feed { generationChanged { __typename } }' });
    const feeds = [open(), open()];
    await Promise.race(feeds.map((events) => events.next().catch(() => {})));
    const samples = [...(await scrape(app))].filter(([name]) =>
      /^gengraph_graphql_operation_duration_count.*RATE_LIMITED/.test(name),
    );
    const limits = samples.map(([name, count]) => [/gengraph_limit="(\w+)"/.exec(name)?.[1], count]);
    expect(new Map(limits as [string | undefined, number][])).toEqual(
      new Map([
        [undefined, 1],
        ['CREATES_PER_MINUTE', 1],
        ['MAX_OPEN_PER_SOCKET', 1],
      ]),
    );
    const fromGateway = [...(await scrape(app))].filter(([name]) =>
      /^http_client_request_duration_count.*http_response_status_code="429"/.test(name),
    );
    expect(fromGateway.map(([, count]) => count)).toEqual([1]);
  });

  test('show the free space of the directory of the records, and nothing for records elsewhere', async () => {
    const directory = await createDirectory();
    await using app = await startApp({ env: { ...onMainPort.env, DATA_DIR: directory } });
    const samples = await scrape(app);
    const { bsize, blocks, bavail } = await statfs(directory);
    expect(samples.get('gengraph_data_size')).toBe(bsize * blocks);
    // Others write to this disk too.
    const free = samples.get('gengraph_data_free') ?? 0;
    expect(Math.abs(free - bsize * bavail)).toBeLessThan(bsize * blocks * 0.1);
    expect(free).toBeGreaterThan(0);
    await using inMemory = await startApp(onMainPort);
    const others = [...(await scrape(inMemory)).keys()].filter((name) => name.startsWith('gengraph_data'));
    expect(others).toEqual([]);
  });

  test('count the requests that a gateway leaves without a reply', async () => {
    const arrived = createInbox<ServerResponse>();
    const gateway = await startFakeGateway((_request, response) => arrived.push(response));
    await using app = await startApp({ ...onMainPort, gatewayUrl: gateway.url });
    const creates = [1, 2].map(() => createChatCompletion(app, { input: ask('Hello') }));
    await arrived.when(({ length }) => length === 2);
    const waiting = async () => (await scrape(app)).get('gengraph_gateway_waiting');
    expect(await waiting()).toBe(2);
    const [first, second] = arrived.all;
    // The reply has begun: whether it goes on is another question.
    first?.writeHead(200, { 'content-type': 'application/json' }).write('{');
    await expect.poll(waiting).toBe(1);
    first?.end('}');
    second?.destroy();
    await Promise.all(creates);
    expect(await waiting()).toBe(0);
  });

  test('have a port of their own, or the main one if the operator asks for it, and are off otherwise', async () => {
    await using own = await startApp({ env: { METRICS_PORT: '0' } });
    expect((await sendRequest(own.app.metricsUrl ?? '')).text).toContain('gengraph_ready 1');
    expect((await sendRequest((own.app.metricsUrl ?? '').replace('/metrics', '/'))).status).toBe(404);
    expect((await sendRequest(own.url.replace('/graphql', '/metrics'))).status).toBe(404);
    await using off = await startApp();
    expect(off.app.metricsUrl).toBeUndefined();
    expect((await sendRequest(off.url.replace('/graphql', '/metrics'))).status).toBe(404);
  });

  test('never contain prompts, credentials or ids', async () => {
    await using app = await startApp(onMainPort);
    const result = await app.run(StartChatDocument, { input: ask('my secret prompt') });
    const samples = [...(await scrape(app)).keys()].join('\n');
    expect(JSON.stringify(result)).toContain('generation_');
    expect(samples).not.toMatch(/secret prompt|sk-sandbox|generation_/);
  });
});

test('attributes that clients choose have a limited number of values', () => {
  const limit = createAttributeLimits();
  const name = 'gen_ai.request.model';
  for (let index = 0; index < 100; index += 1)
    expect(limit({ [name]: `m${index}` })).toEqual({ [name]: `m${index}` });
  expect(limit({ [name]: 'one more' })).toEqual({ [name]: otherValue });
  expect(limit({ [name]: 'm7', 'error.type': 'any' })).toEqual({ [name]: 'm7', 'error.type': 'any' });
  expect(createAttributeLimits()({ [name]: 'x'.repeat(101), absent: undefined })).toEqual({
    [name]: otherValue,
  });
});

function alertExpressions(): readonly string[] {
  const { groups } = parse(readFileSync('deploy/prometheus/alerts.yaml', 'utf8')) as {
    readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
  };
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
}

/** As the exporter writes them. */
function toPrometheusNames(): ReadonlySet<string> {
  return new Set(
    Object.entries(instruments).flatMap(([name, { kind }]) => {
      const base = name.replaceAll(/[^a-z0-9]/g, '_');
      if (kind === 'counter') return [`${base}_total`];
      return kind === 'gauge' ? [base] : ['count', 'sum', 'bucket'].map((suffix) => `${base}_${suffix}`);
    }),
  );
}

describe('the buckets of durations', () => {
  /** https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ and .../gen-ai/gen-ai-metrics/ */
  const recommended = {
    http: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
    generation: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  };
  const longestCreate = loadConfig({}).GATEWAY_TIMEOUT_SECONDS;

  test.each([
    ['http.client.request.duration', recommended.http],
    ['http.server.request.duration', recommended.http],
    ['gengraph.graphql.operation.duration', recommended.http],
    ['gen_ai.client.operation.duration', recommended.generation],
    ['gen_ai.client.operation.time_to_first_chunk', recommended.generation],
  ] as const)('of %s contain the recommended ones, and reach the longest create', (name, within) => {
    const buckets: readonly number[] = instruments[name].buckets;
    expect(buckets).toEqual(buckets.toSorted((one, other) => one - other));
    expect(buckets).toEqual(expect.arrayContaining([...within]));
    expect(buckets.at(-1)).toBeGreaterThanOrEqual(longestCreate);
    // Also between 10 seconds and the longest create, a percentile says something.
    const long = buckets.filter((bound) => bound > 10 && bound <= longestCreate);
    expect(long.length).toBeGreaterThanOrEqual(4);
  });
});

describe('names', () => {
  // Those of several processes are only on their page, whose test reads them there.
  const ofProcesses = [
    'gengraph_processes',
    'gengraph_processes_configured',
    'gengraph_process_crashes_total',
  ];
  const known = new Set([...toPrometheusNames(), ...ofProcesses]);
  const used = (expression: string): readonly string[] =>
    expression
      .match(/\b(gengraph|gen_ai_client|http_(client|server)|db_client|nodejs|process|v8js)_[a-z0-9_]+/g)
      ?.filter(
        (name) =>
          !/^gen_ai_(request|operation|token)_|^http_(route|request|response)_|^db_operation|^gengraph_(limit|file_outcome|webhook_(name|outcome)|callback_(action|outcome))$/.test(
            name,
          ),
      ) ?? [];

  test('of the dashboard and of the alerts exist', () => {
    const dashboard = JSON.parse(readFileSync('deploy/grafana/gengraph.json', 'utf8')) as {
      readonly panels: readonly {
        readonly title: string;
        readonly targets: readonly { readonly expr: string }[];
      }[];
    };
    const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    const alerts = alertExpressions();
    expect(alerts.length).toBeGreaterThan(8);
    const names = [...expressions, ...alerts].flatMap(used);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    // Every metric has a place in the dashboard.
    const shown = new Set(
      expressions.flatMap(used).map((name) => name.replace(/_(count|sum|bucket|total)$/, '')),
    );
    const all = Object.keys(instruments).map((name) => name.replaceAll(/[^a-z0-9]/g, '_'));
    expect(all.filter((name) => !shown.has(name))).toEqual([]);
  });

  test('are listed in the documentation with their units', () => {
    const page = readFileSync('docs/monitoring.md', 'utf8');
    for (const [name, { unit, description }] of Object.entries(instruments))
      expect(page).toContain(`| \`${name}\` | ${unit} | ${description}. |`);
  });
});
