import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { onTestFinished } from 'vitest';
import { sandboxKey, startApp, type TestApp, type TestAppOptions } from './app.ts';
import type { ChatEvent } from './chats.ts';
import { type Reply, sendRequest } from './http.ts';
import { createInbox, type Inbox } from './inbox.ts';
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts';
import { serve } from './serve.ts';

/** A post of the server. */
export interface RouterPost {
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: {
    readonly kind: string;
    readonly action: 'check' | 'next' | 'complete';
    readonly id: string;
    readonly verifier: string;
    readonly payload?: { readonly data: Readonly<Record<string, RouterEvent>> | null };
    readonly errors?: readonly {
      readonly message: string;
      readonly extensions: Readonly<Record<string, unknown>>;
    }[];
  };
  /** On the clock of `performance.now`. */
  readonly at: number;
}

/** The value of the root field. */
export type RouterEvent = Readonly<Record<string, unknown>>;

/** What the router answers: a status, `hang` for no answer, or the address of a redirect. */
export type RouterAnswer = number | 'hang' | { readonly redirectTo: string };

export interface CallbackRouter {
  readonly url: string;
  readonly posts: Inbox<RouterPost>;
  /** Decides the answers. @default 204 */
  answer: (post: RouterPost) => RouterAnswer | Promise<RouterAnswer>;
  /** The payloads of `next`, up to now. */
  events(): readonly RouterEvent[];
  /** The posts of this action, once there are as many. */
  when(action: RouterPost['body']['action'], count?: number): Promise<readonly RouterPost[]>;
  /** Closes its connections and listens no more. */
  close(): Promise<void>;
}

/** A router that records what a subgraph posts to it. Closed when the test ends. */
export async function startCallbackRouter(): Promise<CallbackRouter> {
  const posts = createInbox<RouterPost>();
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    const answer = async (): Promise<void> => {
      const { url: path = '', headers } = request;
      const body = JSON.parse(text) as RouterPost['body'];
      const post: RouterPost = { path, headers, body, at: performance.now() };
      posts.push(post);
      const chosen = await router.answer(post);
      if (chosen === 'hang') return;
      if (typeof chosen === 'number') response.writeHead(chosen).end();
      else response.writeHead(307, { location: chosen.redirectTo }).end();
    };
    request.once('end', () => void answer());
  });
  const { url, close } = await serve(server);
  const router: CallbackRouter = {
    url,
    posts,
    answer: () => 204,
    events: () =>
      posts.all.flatMap(({ body }) =>
        body.action === 'next' ? Object.values(body.payload?.data ?? {}) : [],
      ),
    async when(action, count = 1) {
      const isWanted = ({ body }: RouterPost): boolean => body.action === action;
      return (await posts.when((all) => all.filter(isWanted).length >= count)).filter(isWanted);
    },
    close,
  };
  return router;
}

export interface CallbackApp {
  readonly app: TestApp;
  readonly gateway: ScriptedGateway;
  readonly router: CallbackRouter;
}

/** Starts the program with a scripted gateway and a router. Only addresses below its `/callback` are listed. */
export async function startCallbackApp(options: TestAppOptions = {}): Promise<CallbackApp> {
  const [router, gateway] = [await startCallbackRouter(), await startScriptedGateway()];
  const app = await startApp({
    gatewayUrl: gateway.url,
    ...options,
    env: { CALLBACK_URLS: `${router.url}/callback`, SHUTDOWN_SECONDS: '0.05', ...options.env },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, gateway, router };
}

export interface CallbackSubscribe {
  readonly query: string;
  readonly variables?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default a path of the router */
  readonly callbackUrl?: string;
  readonly subscriptionId?: string;
  readonly verifier?: string;
  readonly heartbeatIntervalMs?: unknown;
  readonly accept?: string;
}

/** Subscribes as a router does. */
export function subscribeByCallback(
  api: { readonly url: string },
  router: Pick<CallbackRouter, 'url'>,
  { query, variables, headers = sandboxKey, accept, ...given }: CallbackSubscribe,
): Promise<Reply> {
  const subscriptionId = given.subscriptionId ?? randomUUID();
  const subscription = {
    callbackUrl: `${router.url}/callback/${subscriptionId}`,
    verifier: 'the-verifier',
    heartbeatIntervalMs: 5000,
    ...given,
    subscriptionId,
  };
  return sendRequest(api.url, {
    headers: {
      'content-type': 'application/json',
      accept: accept ?? 'application/json;callbackSpec=1.0; charset=utf-8',
      ...headers,
    },
    body: JSON.stringify({ query, variables, extensions: { subscription } }),
  });
}

/** The text of a chat that a client has after these events, by the rules for deltas. */
export function textOf(events: readonly RouterEvent[]): string {
  let text = '';
  let sequence = -1;
  // As selected: of a chat with one choice.
  for (const event of events as readonly unknown[] as readonly ChatEvent[]) {
    if (event.__typename === 'ChatSnapshot') text = event.soFar.choices[0]?.message.content ?? '';
    if (event.__typename === 'ChatDelta' && event.sequence > sequence) {
      const isNext = event.fromSequence === sequence + 1;
      text += isNext ? '' : `<after ${sequence} came ${event.fromSequence}>`;
      text += event.choices[0]?.content ?? '';
    }
    sequence = Math.max(sequence, event.sequence);
  }
  return text;
}
