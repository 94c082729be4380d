import { assertCount, type Bench, type ServerUnderTest } from './harness.ts';
import type { Received } from './processes/stream-load.ts';
import type { Written } from './processes/upstream.ts';

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
export function assertReceived({ subject }: ServerUnderTest, received: Received, expected: number): void {
  assertCount(`tokens received from ${subject}`, received.tokens, expected);
  assertCount(`tokens lost by ${subject}`, received.lost, 0);
  assertCount(`tokens doubled by ${subject}`, received.doubled, 0);
}

let lastGroup = 0;

/** Opens streams through a server. Resolves when the upstream has all of them and can write. */
export async function openStreams(
  { load, upstream }: Bench,
  { subject, url }: ServerUnderTest,
  count: number,
): Promise<Streams> {
  // Fixed length, because every line contains it and all servers must receive the same number of bytes.
  const group = `stream-${String((lastGroup += 1)).padStart(3, '0')}`;
  await load.call('openStreams', { group, url, count, protocol: subject === 'floor' ? 'raw' : 'graphql' });
  const held = await upstream.call('openStreams', group);
  if (held !== count) throw new Error(`${subject} opened ${held} upstream requests for ${count} streams`);
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
