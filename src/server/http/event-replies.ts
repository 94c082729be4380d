import { type ExecutionResult, GraphQLError } from 'graphql';
import { type FetchAPI, type Plugin, processRegularResult } from 'graphql-yoga';
import type { Transport } from '../../graphql/context.ts';
import type { Clock } from '../../lib/clock.ts';
import { acceptsAny } from '../../lib/media-ranges.ts';
import { textOf } from '../operation/subscription.ts';
import type { TrackedResponse } from '../sending/tracked-response.ts';

/** How results are written as text. */
interface Framing {
  /** As in the media ranges of a request. */
  readonly mediaType: string;
  readonly contentType: string;
  readonly transport: Transport;
  readonly opening: string;
  readonly heartbeat: string;
  readonly heartbeatMs: number;
  readonly result: (json: string) => string;
  /** An error that ends the results. */
  readonly failure: (error: GraphQLError) => string;
  readonly ending: string;
}

const toEvent = (json: string): string => `event: next\ndata: ${json}\n\n`;

const serverSentEvents: Framing = {
  mediaType: 'text/event-stream',
  contentType: 'text/event-stream',
  transport: 'sse',
  opening: ':\n\n',
  heartbeat: ':\n\n',
  heartbeatMs: 12_000,
  result: toEvent,
  failure: (error) => toEvent(JSON.stringify({ errors: [error] })),
  ending: 'event: complete\ndata:\n\n',
};

/** A client reads a part when it has the next boundary. */
const toPart = (json: string): string => `\r\ncontent-type: application/json\r\n\r\n${json}\r\n--graphql`;

/** https://www.apollographql.com/docs/graphos/routing/operations/subscriptions/multipart-protocol */
const parts: Framing = {
  mediaType: 'multipart/mixed;subscriptionspec=1.0',
  contentType: 'multipart/mixed;boundary="graphql";subscriptionSpec=1.0',
  transport: 'multipart',
  opening: '\r\n--graphql',
  heartbeat: toPart('{}'),
  // Clients can see these, and give up a connection that misses them.
  heartbeatMs: 5000,
  result: (json) => toPart(`{"payload":${json}}`),
  failure: (error) => toPart(JSON.stringify({ payload: null, errors: [error] })),
  ending: '--\r\n',
};

const framings = [serverSentEvents, parts];
export const eventTypes = framings.map(({ mediaType }) => mediaType);

/** The first one that a client names, else the first one that its wildcards allow. */
export function findFraming(acceptedRanges: readonly string[]): Framing | undefined {
  for (const range of [...acceptedRanges.filter(isExact), ...acceptedRanges]) {
    const framing = framings.find(({ mediaType }) => acceptsAny([range], [mediaType]));
    if (framing) return framing;
  }
  return undefined;
}

/** The transport that a request names. */
export function transportOf(acceptedRanges: readonly string[]): Transport {
  return findFraming(acceptedRanges.filter(isExact))?.transport ?? 'http';
}

function isExact(range: string): boolean {
  return !range.includes('*');
}

type ResultProcessor = Parameters<
  Parameters<NonNullable<Plugin['onResultProcess']>>[0]['setResultProcessor']
>[0];

interface ReplyOptions {
  readonly framing: Framing;
  readonly res: TrackedResponse;
  readonly clock: Clock;
}

/** Writes the results of a subscription, or one result. Breaks the connection if they end with another error than GraphQL's. */
export function eventReplies(options: ReplyOptions): ResultProcessor {
  const { framing } = options;
  const headers = {
    'content-type': framing.contentType,
    'cache-control': 'no-cache',
    'content-encoding': 'none',
  };
  return async (result, fetchAPI) => {
    if (Symbol.asyncIterator in result)
      return new fetchAPI.Response(toBody(result, fetchAPI, options), { headers });
    const single = processRegularResult(result, fetchAPI, 'application/json');
    const text = framing.opening + framing.result(await single.text()) + framing.ending;
    single.headers.delete('content-length');
    return new fetchAPI.Response(text, {
      status: single.status,
      headers: { ...Object.fromEntries(single.headers), ...headers },
    });
  };
}

function toBody(
  events: AsyncIterable<ExecutionResult>,
  { ReadableStream, TextEncoder }: FetchAPI,
  { framing, res, clock }: ReplyOptions,
): ReadableStream {
  const results = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let stopHeartbeat = (): void => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const beat = (text: string): void => {
        if (!res.writableNeedDrain) controller.enqueue(encoder.encode(text));
        stopHeartbeat = clock.after(framing.heartbeatMs, () => beat(framing.heartbeat));
      };
      // Some browsers hold back the headers until the first bytes.
      beat(framing.opening);
    },
    async pull(controller) {
      const send = (text: string): void => controller.enqueue(encoder.encode(text));
      try {
        const { done, value } = await results.next();
        if (!done) return send(framing.result(textOf(value)));
      } catch (error) {
        // The client has missed changes, and must come back to read them.
        if (!(error instanceof GraphQLError)) return void res.destroy();
        send(framing.failure(error));
      }
      stopHeartbeat();
      send(framing.ending);
      controller.close();
    },
    async cancel() {
      stopHeartbeat();
      await results.return?.();
    },
  });
}
