import { setTimeout as wait } from 'node:timers/promises';
import { type Client, createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { chatText, type Intent, promptOf } from './intent.ts';

/** The server as a visitor sees it. */
export interface Site {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the upstream was killed at or after this time, or is being restarted. */
  wasUpstreamKilledSince(time: number): boolean;
}

export interface Outcome {
  readonly text: string;
  /** The type of the last event. */
  readonly end?: string | undefined;
  /** Undefined unless the chat failed. */
  readonly code?: string | undefined;
}

/** Codes of a create or chat whose upstream was killed. */
const killCodes: ReadonlySet<string> = new Set([
  'GATEWAY_ERROR',
  'OUTCOME_UNKNOWN',
  'STREAM_CUT',
  'STREAM_UNFINISHED',
]);

/** @throws if the text is incomplete, unless the upstream was killed meanwhile: then the text must be its beginning */
export function checkOutcome(
  site: Site,
  intent: Intent,
  startedAt: number,
  { text, end, code }: Outcome,
): void {
  const whole = chatText(intent);
  if (end === 'ChatCompleted' && text === whole) return;
  const isExcused = killCodes.has(code ?? '') && site.wasUpstreamKilledSince(startedAt);
  if (isExcused && whole.startsWith(text)) return;
  throw new Error(
    `${intent.key}: ${end ?? 'refused'} ${code ?? ''} with ${text.length} characters, expected ${whole.length}`,
  );
}

export function chatInput(intent: Intent): object {
  return { model: 'm', messages: [{ role: 'USER', content: { text: promptOf(intent) } }] };
}

export interface StockClient {
  readonly client: Client;
  /** Breaks the connection without a close frame. */
  drop(): void;
}

/** The stock client with the retry options of the documentation, but shorter waits. */
export function openClient({ url, headers }: Site): StockClient {
  let socket: WebSocket | undefined;
  const client = createClient({
    url: url.replace('http', 'ws'),
    webSocketImpl: WebSocket,
    connectionParams: headers,
    shouldRetry: () => true,
    retryAttempts: 100,
    retryWait: () => wait(50 + Math.random() * 100),
    on: {
      opened: (opened) => {
        socket = opened as WebSocket; // Of `webSocketImpl`.
      },
    },
  });
  return { client, drop: () => socket?.terminate() };
}

/** Runs an operation over HTTP. @throws for a top-level error */
export async function post<Data>({ url, headers }: Site, query: string, variables: object): Promise<Data> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data?: Data; errors?: unknown };
  if (errors !== undefined || data === undefined) throw new Error(JSON.stringify(errors));
  return data;
}
