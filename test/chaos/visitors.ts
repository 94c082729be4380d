import { setTimeout as wait } from 'node:timers/promises';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { IntentKind, Intent } from './ledger.ts';
import { promptOf } from './ledger.ts';

export interface Site {
  readonly origin: string;
  readonly random: () => number;
  /** Aborts when the run gives up on what has not settled. */
  readonly signal: AbortSignal;
}

type Visitor = (site: Site, intent: Intent) => Promise<void>;

export class Surprise extends Error {}

const chatSelection = `__typename sequence generationId
  ... on ChatSnapshot { soFar { choices { message { content } } } }
  ... on ChatDelta { fromSequence choices { content } }
  ... on ChatFailed { error { code message retry } }`;

const streamQuery = `subscription ($input: ChatInput!, $key: ID) {
  streamChat(input: $input, idempotencyKey: $key) { ${chatSelection} }
}`;

interface ChatEvent {
  readonly __typename: string;
  readonly generationId: string | null;
  readonly sequence: number;
  readonly fromSequence?: number;
  readonly soFar?: { readonly choices: readonly { readonly message: { readonly content: string | null } }[] };
  readonly choices?: readonly { readonly content: string | null }[];
  readonly error?: { readonly code: string; readonly message: string; readonly retry: string };
}

interface CreateForm {
  readonly field: string;
  readonly type: string;
  readonly input: (prompt: string) => object;
}

const createForms: Readonly<Record<IntentKind, CreateForm>> = {
  chat: { field: 'startChat', type: 'ChatInput', input: chatInput },
  completion: { field: 'createChatCompletion', type: 'ChatInput', input: chatInput },
  image: {
    field: 'createImage',
    type: 'CreateImageInput',
    input: (prompt) => ({ byResolution: { model: 'seedream-4', prompt } }),
  },
  'queued-image': { field: 'queueImage', type: 'QueueImageInput', input: (prompt) => ({ prompt }) },
  song: {
    field: 'createSong',
    type: 'CreateSongInput',
    input: (description) => ({ description, model: 'SONG_V5' }),
  },
  speech: {
    field: 'createSpeech',
    type: 'CreateSpeechInput',
    input: (text) => ({ text, voice: { id: 'voice-1' } }),
  },
  content: {
    field: 'generateContent',
    type: 'GenerateContentInput',
    input: (text) => ({ model: 'm', contents: [{ role: 'user', parts: [{ text }] }] }),
  },
  video: {
    field: 'createReferenceVideo',
    type: 'CreateReferenceVideoInput',
    input: (prompt) => ({
      model: 'm',
      prompt,
      resolution: 'RESOLUTION_720P',
      aspectRatio: 'ASPECT_RATIO_16_9',
      durationSeconds: 5,
      reference: { image: 'https://example.com/a.png' },
    }),
  },
  animation: {
    field: 'createAnimation',
    type: 'CreateAnimationInput',
    input: (promptStart) => ({ modelVersion: 'm/animation', promptStart, promptEnd: 'night' }),
  },
};

function chatInput(text: string): object {
  return { model: 'm', messages: [{ role: 'USER', content: { text } }] };
}

/** Creates over HTTP with a key, again and again as the advice says, until it has an id or a final answer. */
async function create(site: Site, intent: Intent): Promise<void> {
  intent.hasKey = true;
  for (;;) {
    const outcome = await sendCreate(site, intent);
    if (outcome?.id !== undefined) {
      acknowledge(intent, outcome.id, outcome.status);
      return;
    }
    if (outcome && isFinal(intent, outcome)) return;
    await pauseBriefly(site);
  }
}

/** Repeats a create whose generation exists, with its key. Returns the id that it gets. */
export async function repeatCreate(site: Site, intent: Intent): Promise<string> {
  for (;;) {
    const outcome = await sendCreate(site, intent);
    const id = outcome?.id ?? outcome?.generation?.id;
    if (id !== undefined) return id;
    if (outcome && outcome.retry !== 'LATER') return `${outcome.code} ${outcome.retry}`;
    await pauseBriefly(site);
  }
}

/** Returns nothing if no answer came. */
async function sendCreate(site: Site, intent: Intent): Promise<Made | undefined> {
  const { field, type, input } = createForms[intent.kind];
  const query = `mutation ($input: ${type}!, $key: ID!) { made: ${field}(input: $input, idempotencyKey: $key) {
    __typename ... on Generation { id status } ... on GengraphError { code message retry generation { id } }
  } }`;
  const body = { query, variables: { input: input(promptOf(intent)), key: intent.name } };
  const made = await post(site, intent, body);
  return made?.data?.made ?? toMade(made?.errors);
}

interface Made {
  readonly id?: string;
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
  readonly retry?: string;
  readonly generation?: { readonly id: string } | null;
}

interface TopLevelError {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly retry?: string };
}

function toMade(errors: readonly TopLevelError[] | undefined): Made | undefined {
  const [error] = errors ?? [];
  return error && { message: error.message, ...error.extensions };
}

function acknowledge(intent: Intent, id: string, status?: string): void {
  if (intent.id !== undefined && intent.id !== id)
    throw new Surprise(`two generations: ${intent.id} and ${id}`);
  intent.id = id;
  intent.acknowledgedAt ??= performance.now();
  if (status !== undefined) intent.told.add(status);
}

/** Notes an error. Returns whether the client gives up. */
function isFinal(intent: Intent, { code = 'none', message, retry, generation }: Made): boolean {
  intent.answers.push({ at: performance.now(), code, retry, message });
  if (generation) acknowledge(intent, generation.id);
  switch (retry) {
    case 'SAFE':
    case 'LATER':
    case 'SAME_KEY':
      return false;
    case 'MAY_CHARGE_AGAIN':
      return true;
    default:
      throw new Surprise(`unexpected error ${code} ${retry}: ${message}`);
  }
}

interface Reply {
  readonly data?: { readonly made: Made | null };
  readonly errors?: readonly TopLevelError[];
}

async function post(site: Site, { owner }: Intent, body: object): Promise<Reply | undefined> {
  site.signal.throwIfAborted();
  try {
    const response = await fetch(`${site.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}` },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(25_000),
    });
    return (await response.json()) as Reply;
  } catch {
    // The connection broke, or the server ended.
    return undefined;
  }
}

async function pauseBriefly({ random, signal }: Site): Promise<void> {
  await wait(100 + 400 * random(), undefined, { signal });
}

type ChatResults = AsyncIterable<{
  readonly data?: Readonly<Record<string, ChatEvent>> | null;
  readonly errors?: unknown;
}>;

interface Watch {
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

/**
 * Reads a chat by the documented rules: a snapshot replaces the state, a delta is appended, a known delta is dropped. Returns the
 * last event. @throws the errors of a result
 */
async function readEvents(intent: Intent, results: ChatResults): Promise<ChatEvent | undefined> {
  let text = '';
  let sequence = 0;
  for await (const { data, errors } of results) {
    const [event] = Object.values(data ?? {});
    if (errors || !event) throw errors ?? new Surprise('an event without data');
    if (event.generationId !== null) acknowledge(intent, event.generationId);
    if (event.soFar) {
      text = event.soFar.choices[0]?.message.content ?? '';
      ({ sequence } = event);
    } else if (event.fromSequence !== undefined && event.sequence > sequence) {
      if (event.fromSequence !== sequence + 1)
        throw new Surprise(`delta ${event.fromSequence} follows ${sequence}`);
      text += event.choices?.[0]?.content ?? '';
      ({ sequence } = event);
    } else if (/Completed|Failed|Canceled/.test(event.__typename)) {
      intent.ends.push({ at: performance.now(), type: event.__typename, code: event.error?.code, text });
      return event;
    }
  }
  return undefined;
}

/** Follows a chat to its end over a WebSocket that reconnects. */
async function follow(site: Site, intent: Intent, { query, variables }: Watch): Promise<'ended' | 'again'> {
  const client = createClient({
    url: `${site.origin.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { authorization: `Bearer ${intent.owner}` },
    retryAttempts: 10_000,
    shouldRetry: () => true,
    retryWait: () => wait(50 + 200 * site.random()),
  });
  const stop = (): void => void client.dispose();
  site.signal.addEventListener('abort', stop, { once: true });
  try {
    const end = await readEvents(intent, client.iterate({ query, variables }) as ChatResults);
    site.signal.throwIfAborted();
    if (!end) throw new Surprise('a stream completed without its end event');
    return !end.error || isFinal(intent, end.error) ? 'ended' : 'again';
  } catch (error) {
    site.signal.throwIfAborted();
    const made = Array.isArray(error) ? toMade(error as TopLevelError[]) : undefined;
    if (made) return isFinal(intent, made) ? 'ended' : 'again';
    throw error instanceof Surprise ? error : new Surprise(`the client gave up: ${describe(error)}`);
  } finally {
    site.signal.removeEventListener('abort', stop);
    await client.dispose();
  }
}

function describe(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'code' in error && 'reason' in error)
    return `close ${String(error.code)} ${String(error.reason)}`;
  return String(error);
}

/** Follows a chat over server-sent events, and asks again with its key after each cut. */
const eventSource: Visitor = (site, intent) =>
  untilEnded(site, async () => {
    const client = createSseClient({
      url: `${site.origin}/graphql`,
      headers: { authorization: `Bearer ${intent.owner}` },
      retryAttempts: 0,
    });
    try {
      const variables = { input: chatInput(promptOf(intent)), key: intent.name };
      const end = await readEvents(intent, client.iterate({ query: streamQuery, variables }) as ChatResults);
      // A response that ends without the end event is a gap.
      if (!end) return 'again';
      return !end.error || isFinal(intent, end.error) ? 'ended' : 'again';
    } catch (error) {
      site.signal.throwIfAborted();
      if (error instanceof Surprise) throw error;
      const made = Array.isArray(error) ? toMade(error as TopLevelError[]) : undefined;
      return made && isFinal(intent, made) ? 'ended' : 'again';
    } finally {
      client.dispose();
    }
  });

async function untilEnded(site: Site, run: () => Promise<'ended' | 'again'>): Promise<void> {
  while ((await run()) === 'again') await pauseBriefly(site);
}

/** `streamChat`, without a key: the operation's id is the key. Or with one. */
function stream(isKeyed: boolean): Visitor {
  return (site, intent) =>
    untilEnded(site, () =>
      follow(site, intent, {
        query: streamQuery,
        variables: { input: chatInput(promptOf(intent)), ...(isKeyed && { key: intent.name }) },
      }),
    );
}

const startAndFollow: Visitor = async (site, intent) => {
  await create(site, intent);
  if (intent.id === undefined) return;
  const { id } = intent;
  await untilEnded(site, () =>
    follow(site, intent, {
      query: `subscription ($id: ID!) { chatEvents(id: $id) { ${chatSelection} } }`,
      variables: { id },
    }),
  );
};

const startAndCancel: Visitor = async (site, intent) => {
  await create(site, intent);
  if (intent.id === undefined) return;
  await wait(2000 * site.random());
  const query = `mutation ($id: ID!) { made: cancelGeneration(by: { id: $id }) {
    __typename ... on Generation { id status } ... on GengraphError { code message retry }
  } }`;
  intent.canceledAt = performance.now();
  for (;;) {
    const made = await post(site, intent, { query, variables: { id: intent.id } });
    const outcome = made?.data?.made ?? toMade(made?.errors);
    if (outcome?.id !== undefined) {
      acknowledge(intent, outcome.id, outcome.status);
      return;
    }
    if (outcome && !['LATER', 'SAFE', 'SAME_KEY'].includes(outcome.retry ?? ''))
      throw new Surprise(`cancel: ${outcome.code} ${outcome.message}`);
    await pauseBriefly(site);
  }
};

type Visit = readonly [kind: IntentKind, visitor: Visitor];

/** The mix of visits. */
export const visits: readonly [Visit, ...Visit[]] = [
  ['chat', stream(false)],
  ['chat', startAndFollow],
  ['completion', create],
  ['chat', stream(true)],
  ['image', create],
  ['chat', startAndCancel],
  ['queued-image', create],
  ['chat', stream(false)],
  ['song', create],
  ['chat', create],
  ['speech', create],
  ['chat', startAndFollow],
  ['content', create],
  ['chat', eventSource],
  ['video', create],
  ['animation', create],
];
