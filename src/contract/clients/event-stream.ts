import type { IncomingMessage } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { Address } from './address.ts';
import { NotApplicable } from '../not-applicable.ts';
import { type Headers, post } from './http.ts';
import type { Payload } from './socket.ts';
import type { Opened } from './watch.ts';

export type HttpTransport = 'server-sent events' | 'multipart';

type Message = { readonly data?: unknown; readonly errors?: unknown };

const formats = {
  'server-sent events': { accept: 'text/event-stream', type: /^text\/event-stream/ },
  multipart: {
    accept: 'multipart/mixed;boundary=graphql;subscriptionSpec=1.0',
    type: /^multipart\/mixed.*subscriptionSpec/i,
  },
} as const;

export interface OpenHttpOptions {
  readonly transport: HttpTransport;
  readonly headers: Headers;
  /**
   * Subscribes again after a lost connection, and after a completion without an end event. Returns the variables of the next
   * attempt, or undefined if the subscription has ended.
   */
  readonly again?: ((variables: Payload['variables']) => Payload['variables'] | undefined) | undefined;
}

/** Opens a subscription over HTTP. */
export function openHttp(address: Address, payload: Payload, options: OpenHttpOptions): Opened {
  let current: IncomingMessage | undefined;
  let isLeft = false;
  const readOnce = async function* (variables: Payload['variables']): AsyncGenerator<Message> {
    const { accept, type } = formats[options.transport];
    const { headers } = options;
    const reply = await post(address, { body: { ...payload, variables }, headers, accept });
    current = reply;
    if (isLeft) reply.destroy();
    const given = reply.headers['content-type'] ?? '';
    if (type.test(given)) yield* messagesOf[options.transport](reply);
    else yield* readWhole(reply, options.transport);
  };
  const read = async function* (): AsyncGenerator<Message> {
    for (let variables: Payload['variables'] | undefined = payload.variables; variables;) {
      try {
        yield* readOnce(variables);
        if (!options.again) return;
      } catch (error) {
        if (!options.again || isLeft || error instanceof NotApplicable) throw error;
      }
      if (isLeft) return;
      variables = options.again(variables);
      await setTimeout(10);
    }
  };
  const disconnect = (): void => {
    isLeft = true;
    current?.destroy();
  };
  const results = read();
  return {
    results: {
      [Symbol.asyncIterator]: () => results,
      next: () => results.next(),
      async return() {
        disconnect();
        return { done: true, value: undefined };
      },
    },
    disconnect,
    setReading() {
      throw new Error('only a WebSocket can stop reading');
    },
  };
}

const messagesOf = { 'server-sent events': readEvents, multipart: readParts };

/** A refusal comes as one document. */
async function* readWhole(reply: IncomingMessage, transport: HttpTransport): AsyncGenerator<Message> {
  let text = '';
  for await (const piece of reply.setEncoding('utf8')) text += String(piece);
  const message = parseObject(text);
  if (!message?.errors || reply.statusCode === 406 || reply.statusCode === 415)
    throw new NotApplicable(`this address does not offer subscriptions over ${transport}`);
  yield message;
}

async function* readEvents(reply: IncomingMessage): AsyncGenerator<Message> {
  const waiting: Message[] = [];
  let isComplete = false;
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'complete') isComplete = true;
      const message = event === 'complete' ? undefined : parseObject(data);
      if (message) waiting.push(message);
    },
  });
  for await (const piece of reply.setEncoding('utf8')) {
    parser.feed(String(piece));
    yield* waiting.splice(0);
    if (isComplete) return;
  }
}

/** https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol */
async function* readParts(reply: IncomingMessage): AsyncGenerator<Message> {
  const [, boundary = 'graphql'] = /boundary="?([^";]+)"?/.exec(reply.headers['content-type'] ?? '') ?? [];
  let rest = '';
  for await (const piece of reply.setEncoding('utf8')) {
    const parts = (rest + String(piece)).split(`--${boundary}`);
    rest = parts.pop() ?? '';
    for (const part of parts) yield* toMessages(part);
    // The last part before its boundary: an event is not held back until the next one.
    const whole = toMessages(rest);
    if (whole.length > 0) rest = '';
    yield* whole;
    if (rest.startsWith('--')) return;
  }
}

/** The message of a part. None for a heartbeat, and for a part that has not arrived whole. */
function toMessages(part: string): readonly Message[] {
  const start = part.indexOf('\r\n\r\n');
  const value = start === -1 ? undefined : parseObject(part.slice(start));
  if (!value) return [];
  const { payload, errors } = value as { readonly payload?: Message | null; readonly errors?: unknown };
  if (errors) return [{ errors }];
  return payload ? [payload] : [];
}

function parseObject(text: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
