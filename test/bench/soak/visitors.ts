import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Intent, promptOf } from './intent.ts';
import { chatInput, checkOutcome, openClient, post, type Site } from './site.ts';

/** One use of the server. Throws when a promise of the server is broken. */
export type Visitor = (site: Site, intent: Intent) => Promise<void>;

interface ChatEvent {
  readonly __typename: string;
  readonly sequence: number;
  readonly fromSequence?: number;
  readonly soFar?: { readonly choices: readonly { readonly message: { readonly content: string | null } }[] };
  readonly choices?: readonly { readonly content: string | null }[];
  readonly error?: { readonly code: string };
}

const deltas = `__typename sequence ... on ChatSnapshot { soFar { choices { message { content } } } }
  ... on ChatDelta { fromSequence choices { content } } ... on ChatFailed { error { code } }`;
const soFar = `__typename sequence soFar { choices { message { content } } } ... on ChatFailed { error { code } }`;
const streamDeltas = `subscription ($input: ChatInput!) { streamChat(input: $input) { ${deltas} } }`;

function contentOf({ soFar: whole }: ChatEvent): string {
  return whole?.choices[0]?.message.content ?? '';
}

interface ChatVisit {
  /** Breaks the connection after every so many events, so that each connection makes progress on a slow machine. */
  readonly dropEvery?: number;
  readonly leaveAfter?: number;
}

/** Starts a chat and follows it to the end, or leaves early. */
function chat({ dropEvery, leaveAfter }: ChatVisit): Visitor {
  return async (site, intent) => {
    const startedAt = Date.now();
    const { client, drop } = openClient(site);
    let text = '';
    let sequence = 0;
    let count = 0;
    let last: ChatEvent | undefined;
    try {
      const variables = { input: chatInput(intent) };
      const events = client.iterate<{ streamChat: ChatEvent }>({ query: streamDeltas, variables });
      for await (const { data, errors } of events) {
        if (errors || !data) throw new Error(`${intent.key}: ${JSON.stringify(errors)}`);
        last = data.streamChat;
        if (last.__typename === 'ChatSnapshot') text = contentOf(last);
        if (last.fromSequence !== undefined) {
          if (last.fromSequence !== sequence + 1)
            throw new Error(`${intent.key}: delta ${last.fromSequence} follows ${sequence}`);
          text += last.choices?.[0]?.content ?? '';
        }
        ({ sequence } = last);
        count += 1;
        if (count === leaveAfter) return;
        if (dropEvery !== undefined && count % dropEvery === 0) drop();
      }
      checkOutcome(site, intent, startedAt, { text, end: last?.__typename, code: last?.error?.code });
    } finally {
      if (leaveAfter !== undefined) drop();
      await client.dispose();
    }
  };
}

/** Follows a chat over server-sent events, leaves, and comes back with the same key. */
const eventStream: Visitor = async (site, intent) => {
  const startedAt = Date.now();
  const query = `subscription ($input: ChatInput!, $key: ID) {
    streamChat(input: $input, idempotencyKey: $key, minIntervalMs: 200) { ${soFar} }
  }`;
  const body = JSON.stringify({ query, variables: { input: chatInput(intent), key: intent.key } });
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...site.headers };
  const leaving = new AbortController();
  const first = await fetch(site.url, { method: 'POST', headers, body, signal: leaving.signal });
  await wait(600);
  leaving.abort();
  await first.body?.cancel().catch(() => {});
  const whole = await (await fetch(site.url, { method: 'POST', headers, body })).text();
  const lines = whole.split('\n').filter((line) => line.startsWith('data: {'));
  const event = (JSON.parse(lines.at(-1)?.slice(6) ?? '') as { data: { streamChat: ChatEvent } }).data
    .streamChat;
  checkOutcome(site, intent, startedAt, {
    text: contentOf(event),
    end: event.__typename,
    code: event.error?.code,
  });
};

interface Started {
  readonly made: {
    readonly id?: string;
    readonly code?: string;
    readonly task?: { readonly id: string } | null;
  };
}

async function start(site: Site, field: string, variables: object): Promise<Started['made']> {
  const type = field === 'createSong' ? 'CreateSongInput' : 'ChatInput';
  const query = `mutation ($input: ${type}!, $key: ID) { made: ${field}(input: $input, idempotencyKey: $key) {
    ... on Generation { id task { id } } ... on GengraphError { code }
  } }`;
  return (await post<Started>(site, query, variables)).made;
}

/** Starts a chat with a big reply, follows it without reading, and deletes it. */
function slowReader(transport: 'websocket' | 'http'): Visitor {
  return async (site, intent) => {
    const startedAt = Date.now();
    const { id, code } = await start(site, 'startChat', { input: chatInput(intent), key: intent.key });
    if (id === undefined) return checkOutcome(site, intent, startedAt, { text: '', code });
    const query = `subscription { chatEvents(id: "${id}") { ${soFar} } }`;
    if (transport === 'http') {
      const leaving = new AbortController();
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream', ...site.headers };
      const body = JSON.stringify({ query });
      const response = await fetch(site.url, { method: 'POST', headers, body, signal: leaving.signal });
      await wait(4000);
      leaving.abort();
      await response.body?.cancel().catch(() => {});
      return forget(site, [id]);
    }
    const socket = new WebSocket(site.url.replace('http', 'ws'), 'graphql-transport-ws');
    socket.on('error', () => {});
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: site.headers }));
    // On a busy machine the message can be late. The server then closes the socket instead.
    await Promise.race([once(socket, 'message'), once(socket, 'close')]);
    socket.pause();
    socket.send(JSON.stringify({ id: 'slow', type: 'subscribe', payload: { query } }));
    await wait(4000);
    socket.terminate();
    await forget(site, [id]);
  };
}

async function forget(site: Site, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await post(site, 'mutation ($ids: [ID!]!) { deleteGenerations(ids: $ids) { deletedIds } }', { ids });
}

/** A refused create, whose connection breaks at a random moment. */
const refusal: Visitor = async (site, intent) => {
  const startedAt = Date.now();
  const { client, drop } = openClient(site);
  setTimeout(drop, Math.random() * 40);
  let code: string | undefined;
  try {
    const variables = { input: chatInput(intent) };
    for await (const { data } of client.iterate<{ streamChat: ChatEvent }>({
      query: streamDeltas,
      variables,
    }))
      code = data?.streamChat.error?.code;
    if (code !== 'RATE_LIMITED') checkOutcome(site, intent, startedAt, { text: '', code });
  } finally {
    await client.dispose();
  }
};

/** Creates a song and follows its task to the end. */
const song: Visitor = async (site, intent) => {
  const startedAt = Date.now();
  const input = { description: promptOf(intent), model: 'SONG_V5' };
  const { task, code } = await start(site, 'createSong', { input, key: intent.key });
  if (!task) return checkOutcome(site, intent, startedAt, { text: '', code });
  const { client, drop } = openClient(site);
  setTimeout(drop, 1000);
  try {
    let status = '';
    const query = `subscription { taskProgress(id: "${task.id}") { status } }`;
    for await (const { data } of client.iterate<{ taskProgress: { status: string } }>({ query }))
      status = data?.taskProgress.status ?? '';
    if (status !== 'SUCCEEDED') throw new Error(`${intent.key}: the task ended as ${status}`);
  } finally {
    await client.dispose();
  }
};

/** Watches the feed of all generations for a while. */
const feed: Visitor = async (site) => {
  const { client, drop } = openClient(site);
  const query = 'subscription { generationChanged { cursor } }';
  const stop = client.subscribe({ query }, { next() {}, error() {}, complete() {} });
  await wait(1000);
  drop();
  await wait(1000);
  stop();
  await client.dispose();
};

/** Connects and leaves at once, before or after the handshake. */
const churn: Visitor = async (site, { key }) => {
  const socket = new WebSocket(site.url.replace('http', 'ws'), 'graphql-transport-ws');
  socket.on('error', () => {});
  if (Number(key.slice(1)) % 2 === 0) await once(socket, 'open');
  socket.terminate();
};

interface Page {
  readonly generations: { readonly edges: readonly { readonly node: { readonly id: string } }[] };
}

/** Longer than any visit: a visitor that comes back to a deleted generation would create another. */
const forgetAfterMs = 75_000;

/** Lists, counts and deletes old generations, so that the records do not grow. */
const janitor: Visitor = async (site) => {
  const filter = { createdBefore: new Date(Date.now() - forgetAfterMs).toISOString() };
  const query = `query ($filter: GenerationFilter) {
    generations(first: 100, filter: $filter) { totalCount edges { node { id } } }
  }`;
  const { generations } = await post<Page>(site, query, { filter });
  const ids = generations.edges.map(({ node }) => node.id);
  await forget(site, ids);
};

/** The mix of visits, in order, over and over. */
export const visits: readonly {
  readonly visitor: Visitor;
  readonly kind: Intent['kind'];
  readonly words: number;
}[] = [
  { visitor: chat({}), kind: 'chat', words: 80 },
  { visitor: chat({ dropEvery: 20 }), kind: 'chat', words: 120 },
  { visitor: churn, kind: 'chat', words: 0 },
  { visitor: eventStream, kind: 'chat', words: 60 },
  { visitor: song, kind: 'song', words: 0 },
  { visitor: chat({ leaveAfter: 5 }), kind: 'chat', words: 100 },
  { visitor: refusal, kind: 'refused', words: 0 },
  { visitor: janitor, kind: 'chat', words: 0 },
  { visitor: slowReader('websocket'), kind: 'big', words: 20 },
  { visitor: chat({ dropEvery: 7 }), kind: 'chat', words: 100 },
  { visitor: feed, kind: 'chat', words: 0 },
  { visitor: janitor, kind: 'chat', words: 0 },
  { visitor: slowReader('http'), kind: 'big', words: 20 },
];
