import { assertCount, type Bench, type ServerUnderTest } from './harness.ts';
import type { Received } from './processes/stream-load.ts';
import type { Written } from './processes/upstream.ts';

/** Where streams are opened. */
export type StreamTarget = Pick<ServerUnderTest, 'subject' | 'url'>;

/** Write rate of the upstream, per stream. */
export interface TokenPace {
  readonly writesPerStream: number;
  readonly tokensPerWrite: number;
  readonly intervalMs: number;
}

export interface Streams {
  /** Makes the upstream write. Resolves when every token has reached its client. */
  send(pace: TokenPace): Promise<Received & Written>;
  /** Ends the streams upstream. Resolves when every client has received the end. */
  end(): Promise<void>;
}

/** @throws Error if a token was lost or doubled */
export function assertReceived({ subject }: StreamTarget, received: Received, expected: number): void {
  assertCount(`tokens received from ${subject}`, received.tokens, expected);
  assertCount(`tokens lost by ${subject}`, received.lost, 0);
  assertCount(`tokens doubled by ${subject}`, received.doubled, 0);
}

let lastGroup = 0;

/** Fixed length, because every line contains it and all servers must receive the same number of bytes. */
function nextGroup(): string {
  return `stream-${String((lastGroup += 1)).padStart(3, '0')}`;
}

/** Opens streams through servers in turn. Resolves when the upstream has all of them and can write. */
export async function openStreams(
  bench: Bench,
  servers: StreamTarget | readonly StreamTarget[],
  count: number,
): Promise<Streams> {
  const group = nextGroup();
  const all = [servers].flat();
  const protocol = all[0]?.subject === 'floor' ? 'raw' : 'graphql';
  await bench.load.call('openStreams', { group, urls: all.map(({ url }) => url), count, protocol });
  return streamsOf(bench, group, count);
}

/**
 * Opens and ends chats through a server until this path is compiled, as on a server that has run for hours. The cost of an opening
 * falls by a third from the 500th to the 6,000th.
 */
export async function warmUpOpenings(bench: Bench, server: StreamTarget): Promise<void> {
  const openedTogether = 100;
  const total = bench.isQuick ? 2000 : 10_000;
  for (let opened = 0; opened < total; opened += openedTogether) {
    const streams = await openStreams(bench, server, openedTogether);
    await streams.end();
  }
}

/** Starts chats through one server, and follows them through another, or the same. */
export async function openWatchedStreams(
  bench: Bench,
  { producer, reader }: { readonly producer: StreamTarget; readonly reader: StreamTarget },
  count: number,
): Promise<Streams> {
  const { load } = bench;
  const group = nextGroup();
  const chatIds = await load.call('startChats', { group, url: producer.url, count, concurrency: 16 });
  await load.call('openStreams', { group, urls: [reader.url], count, protocol: 'graphql', chatIds });
  return streamsOf(bench, group, count);
}

async function streamsOf({ load, upstream }: Bench, group: string, count: number): Promise<Streams> {
  const held = await upstream.call('openStreams', group);
  assertCount('upstream requests for the streams', held, count);
  return {
    async send(pace) {
      const tokens = count * pace.writesPerStream * pace.tokensPerWrite;
      const [received, written] = await Promise.all([
        load.call('awaitTokens', { group, tokens }),
        upstream.call('writePaced', { group, ...pace }),
      ]);
      return { ...received, ...written };
    },
    async end() {
      await upstream.call('endStreams', group);
      await load.call('closeStreams', group);
    },
  };
}
