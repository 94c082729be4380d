/** Every metric: one table for the program, its documentation and its tests. Names follow OpenTelemetry's conventions. */
export interface Instrument {
  readonly kind: 'histogram' | 'counter' | 'gauge';
  /** UCUM unit, as OpenTelemetry writes it. */
  readonly unit: string;
  readonly description: string;
  readonly attributes: readonly string[];
  /** Upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[];
}

/** Recommended by the conventions for the duration of requests to generative AI, up to 81.92 seconds. Tasks take longer. */
const generationSeconds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 163.84, 327.68,
  655.36,
];
/** Recommended by the conventions for HTTP requests. */
const shortSeconds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Also for requests and operations that wait for a create: up to the default GATEWAY_TIMEOUT_SECONDS. */
const requestSeconds = [...shortSeconds, 30, 60, 120, 300, 600];
const storeSeconds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 10];
const chunkSeconds = [0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304];

const generation = ['gen_ai.operation.name', 'gen_ai.provider.name', 'gen_ai.request.model'];

function histogram(description: string, attributes: readonly string[], buckets: readonly number[]) {
  return { kind: 'histogram', unit: 's', description, attributes, buckets } as const;
}

function counter(unit: string, description: string, attributes: readonly string[] = []) {
  return { kind: 'counter', unit, description, attributes } as const;
}

function gauge(unit: string, description: string, attributes: readonly string[] = []) {
  return { kind: 'gauge', unit, description, attributes } as const;
}

export const instruments = {
  'gen_ai.client.operation.duration': histogram(
    'Time from a create to the end of its generation',
    [...generation, 'error.type', 'gengraph.charged'],
    generationSeconds,
  ),
  'gen_ai.client.token.usage': {
    ...histogram(
      'Tokens that the gateway reported for a generation',
      [...generation, 'gen_ai.token.type'],
      tokens,
    ),
    unit: '{token}',
  },
  'gen_ai.client.operation.time_to_first_chunk': histogram(
    'Time from a create to the first chunk of its stream',
    generation,
    generationSeconds,
  ),
  'gen_ai.client.operation.time_per_output_chunk': histogram(
    'Mean time between two chunks of a stream',
    generation,
    chunkSeconds,
  ),
  'http.client.request.duration': histogram(
    'Time of a request to the gateway, to the end of its reply',
    ['http.request.method', 'url.template', 'http.response.status_code', 'error.type'],
    requestSeconds,
  ),
  'http.server.request.duration': histogram(
    'Time of an HTTP request to this server',
    ['http.request.method', 'http.route', 'http.response.status_code'],
    requestSeconds,
  ),
  'gengraph.graphql.operation.duration': histogram(
    'Time of a query or mutation, or until a subscription is open',
    [
      'graphql.operation.type',
      'graphql.operation.name',
      'gengraph.transport',
      'error.type',
      'gengraph.limit',
    ],
    requestSeconds,
  ),
  'gengraph.admission.wait': histogram(
    'Time that operations waited for others of their owner, socket or address. Those that start at once are not counted',
    [],
    shortSeconds,
  ),
  'gengraph.generations.unknown': counter(
    '{generation}',
    'Generations whose outcome is unknown: the gateway may have charged for them',
    ['gen_ai.operation.name'],
  ),
  'gengraph.creates.deduplicated': counter(
    '{create}',
    'Creates that were answered from the record of an earlier one with the same key: nothing was sent',
  ),
  'gengraph.streams.resumed': counter(
    '{watcher}',
    'Watchers that attached to a stream that was already running or had ended',
  ),
  'gengraph.gateway.waits': counter(
    's',
    'Time that requests waited before a retry, for example after status 429',
  ),
  'gengraph.gateway.waiting': gauge('{request}', 'Requests to the gateway whose reply has not begun'),
  'gengraph.server_key.refusals': counter(
    '{request}',
    "Requests that the gateway refused because of the server's own key, its permissions or its quota",
  ),
  'gengraph.task.polls': counter('{request}', 'Requests to the gateway that read tasks in the background'),
  'gengraph.webhook.deliveries': counter(
    '{delivery}',
    'Attempts to deliver the end of a generation to a webhook. The webhooks of owners have one name together',
    ['gengraph.webhook.name', 'gengraph.webhook.outcome'],
  ),
  'gengraph.file.copies': counter('{copy}', 'Attempts to copy a file of a generation', [
    'gengraph.file.outcome',
    'error.type',
  ]),
  'db.client.operation.duration': histogram(
    'Time of an operation on the records, waiting included. Each is one transaction',
    ['db.system.name', 'db.operation.name', 'error.type'],
    storeSeconds,
  ),
  'gengraph.sockets': gauge('{socket}', 'Open WebSockets'),
  'gengraph.streams': gauge('{stream}', 'Streams that run on this instance'),
  'gengraph.watchers': gauge('{watcher}', 'Open subscriptions to streams'),
  'gengraph.task.polled': gauge('{task}', 'Tasks that this instance polls'),
  'gengraph.task.watchers': gauge('{watcher}', 'Open subscriptions to tasks'),
  'gengraph.feeds': gauge('{watcher}', 'Open subscriptions to changes of generations'),
  'gengraph.callbacks': gauge(
    '{subscription}',
    'Open callback subscriptions whose events this instance posts to routers',
  ),
  'gengraph.callback.posts': counter('{request}', 'Posts to routers, repeated ones included', [
    'gengraph.callback.action',
    'gengraph.callback.outcome',
  ]),
  'gengraph.callback.takeovers': counter(
    '{subscription}',
    'Callback subscriptions that this instance took over from another one, or from the process before it',
  ),
  'gengraph.unsent': gauge('By', 'Bytes that are buffered for clients that are behind'),
  'gengraph.data.free': gauge(
    'By',
    'Free space of the file system of DATA_DIR. Absent for records elsewhere',
  ),
  'gengraph.data.size': gauge('By', 'Size of the file system of DATA_DIR. Absent for records elsewhere'),
  'gengraph.clock.offset': gauge(
    's',
    'Time by which the clock of this server is ahead of that of the database, below 0 if it is behind. 0 with SQLite',
  ),
  'gengraph.server_key.refused': gauge(
    '{key}',
    'Credentials of this server that the gateway refuses now: its key and its system token',
  ),
  'gengraph.webhook.pending': gauge(
    '{delivery}',
    'Ends of generations that wait for their delivery to a webhook, of all instances. Absent without webhooks',
  ),
  'gengraph.webhook.oldest': gauge(
    's',
    'Age of the oldest of them, 0 if there is none. Absent without webhooks',
  ),
  'gengraph.file.pending': gauge(
    '{file}',
    'Files of generations that wait for their copy, of all instances. A generation whose files could not be recorded for over a minute counts as one. Absent unless files are kept',
  ),
  'gengraph.file.oldest': gauge(
    's',
    'Age of the oldest of them, 0 if there is none. Absent unless files are kept',
  ),
  'gengraph.ready': gauge('1', '1 if the server accepts work, else 0'),
  'nodejs.eventloop.delay.p99': gauge(
    's',
    '99th percentile of the delay of the event loop since the last reading',
  ),
  'nodejs.eventloop.delay.max': gauge('s', 'Longest delay of the event loop since the last reading'),
  'nodejs.eventloop.utilization': gauge(
    '1',
    'Share of the time since the last reading in which the event loop was busy',
  ),
  'process.uptime': gauge('s', 'Time since the start of the process'),
  'process.memory.usage': gauge('By', 'Resident memory of the process'),
  'v8js.memory.heap.used': gauge('By', 'Used part of the JavaScript heap'),
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentName = keyof typeof instruments;

type NamesOf<Kind extends Instrument['kind']> = {
  [Name in InstrumentName]: (typeof instruments)[Name]['kind'] extends Kind ? Name : never;
}[InstrumentName];

export type HistogramName = NamesOf<'histogram'>;
export type CounterName = NamesOf<'counter'>;
export type GaugeName = NamesOf<'gauge'>;
