import { listTexts } from '../all-texts.ts';
import { generateFields } from '../creates.generated.ts';
import { documentTexts } from './texts.generated.ts';
import { readLimited } from './read-limited.ts';
import { refuse } from './refuse.ts';

export interface RouteOptions {
  /** The user who sends the request, by your own session. Undefined or null: nobody is signed in. It may throw. */
  readonly userOf: (request: Request) => User | Promise<User>;
}

type User = string | null | undefined;

export interface ChatRouteOptions extends RouteOptions {
  /** The GraphQL endpoint of the Gengraph server, as this server reaches it. */
  readonly url: string;
  /**
   * A key of the gateway, which all users share: `X-End-User` keeps their records apart. Or a function that returns a credential of
   * this user alone, such as a token for a server with `AUTH=jwt`.
   */
  readonly key: string | ((user: string, request: Request) => string | Promise<string>);
  /** `shipped`: only the documents of this package. Clients may add `__typename` and format them. @default 'any' */
  readonly documents?: 'any' | 'shipped' | undefined;
  /** Longest request. @default 4 MB, for pictures in messages */
  readonly maxBodyBytes?: number | undefined;
  /** @default the global fetch */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const defaultMaxBodyBytes = 4 * 2 ** 20;
/** What the page may know of the answer. Others, such as cookies, stay here. */
const answerHeaders = ['content-type', 'retry-after'];

/**
 * A route of your own server that forwards GraphQL over HTTP, with subscriptions as server-sent events, to Gengraph. The page never
 * has the key, and each user sees only what belongs to them. It answers 401 where `userOf` names nobody.
 */
export function chatRoute(options: ChatRouteOptions): (request: Request) => Promise<Response> {
  const { url, userOf, documents = 'any', maxBodyBytes = defaultMaxBodyBytes } = options;
  const shipped =
    documents === 'shipped'
      ? new Set([...listTexts(generateFields), ...Object.values(documentTexts)].map(toComparable))
      : undefined;
  return async (request) => {
    if (request.method !== 'POST') return refuse(405, 'BAD_REQUEST', 'Send a POST request.');
    // Pages of other origins cannot send JSON without a preflight request, which this route does not answer.
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
      return refuse(415, 'BAD_REQUEST', 'Send application/json.');
    const user = await userOf(request);
    if (!isUser(user)) return refuse(401, 'UNAUTHENTICATED', 'Sign in first.');
    const text = await readLimited(request.body, maxBodyBytes);
    if (text === undefined) return refuse(413, 'LIMIT_EXCEEDED', `Send at most ${maxBodyBytes} bytes.`);
    const operation = decodeOperation(text);
    if (!operation) return refuse(400, 'BAD_REQUEST', 'Send one GraphQL operation as a JSON object.');
    if (shipped && !shipped.has(toComparable(String(operation.query))))
      return refuse(403, 'FORBIDDEN', 'This server runs only the documents of @gengraph/client.');
    return forward({ url, request, operation, headers: await toIdentity(options, user, request), options });
  };
}

/** Caches of clients select `__typename` everywhere, which tells nothing new, and print documents in their own way. */
function toComparable(text: string): string {
  return text
    .replaceAll(/\b__typename\b/g, ' ')
    .replaceAll(/[\s,]+/g, ' ')
    .trim();
}

/** Headers lose spaces at both ends, which would make two users one. */
function isUser(user: User): user is string {
  return (
    typeof user === 'string' && /^.{1,500}$/u.test(user) && !/\p{Cc}/u.test(user) && user === user.trim()
  );
}

async function toIdentity({ key }: ChatRouteOptions, user: string, request: Request) {
  const credential = typeof key === 'string' ? key : await key(user, request);
  const authorization = `Bearer ${credential.replace(/^Bearer\s+/i, '')}`;
  // A token names its user alone. Headers hold bytes: other characters than those of Latin-1 are sent as UTF-8.
  return typeof key === 'string'
    ? { authorization, 'x-end-user': String.fromCharCode(...new TextEncoder().encode(user)) }
    : { authorization };
}

interface Operation {
  readonly query?: unknown;
  readonly documentId?: unknown;
  readonly operationName?: unknown;
  readonly variables?: unknown;
}

/** Only members that name an operation: `extensions` can hold headers. */
function decodeOperation(text: string): Operation | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const { query, documentId, operationName, variables }: Operation = value; // Checked by the Gengraph server.
    return { query, documentId, operationName, variables };
  } catch {
    return undefined;
  }
}

interface Forwarded {
  readonly url: string;
  readonly request: Request;
  readonly operation: Operation;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: ChatRouteOptions;
}

async function forward({ url, request, operation, headers, options }: Forwarded): Promise<Response> {
  const { fetch = globalThis.fetch } = options;
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: request.headers.get('accept') ?? 'application/graphql-response+json, application/json',
      },
      body: JSON.stringify(operation),
      // A page that leaves stops watching. What it has started goes on.
      signal: request.signal,
      redirect: 'error',
    });
    const kept = answerHeaders.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return new Response(answer.body, {
      status: answer.status,
      // `no-transform`: compression on the way would hold events back.
      headers: {
        ...Object.fromEntries(kept),
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  } catch (cause) {
    if (request.signal.aborted) throw cause;
    return refuse(502, 'CONNECTION_FAILED', 'The Gengraph server cannot be reached.', 'SAME_KEY');
  }
}
