import type { Bench, ServerUnderTest } from './harness.ts';
import type { Received } from './processes/stream-load.ts';

/** How the upstream writes to each stream. */
export interface TokenPace {
  readonly writesPerStream: number;
  readonly tokensPerWrite: number;
  readonly intervalMs: number;
}

export interface Streams {
  /** Lets the upstream write, and waits until every token has arrived at its client. */
  send(pace: TokenPace): Promise<Received>;
  /** Ends them upstream, and waits until every client has heard of it. */
  end(): Promise<void>;
}

let lastGroup = 0;

/** Opens streams of a server, up to the point where the upstream holds each and may begin to write. */
export async function openStreams(
  { load, upstream }: Bench,
  { subject, url }: ServerUnderTest,
  count: number,
): Promise<Streams> {
  // Of one length: every token's line has it, and each server is to be sent the same bytes.
  const group = `stream-${String((lastGroup += 1)).padStart(3, '0')}`;
  await load.call('openStreams', { group, url, count, protocol: subject === 'floor' ? 'raw' : 'graphql' });
  const held = await upstream.call('openStreams', group);
  if (held !== count) throw new Error(`${subject} opened ${held} upstream requests for ${count} streams`);
  return {
    async send(pace) {
      const tokens = count * pace.writesPerStream * pace.tokensPerWrite;
      const [received] = await Promise.all([
        load.call('awaitTokens', { group, tokens }),
        upstream.call('writePaced', { group, ...pace }),
      ]);
      return received;
    },
    async end() {
      await upstream.call('endStreams', group);
      await load.call('closeStreams', group);
    },
  };
}
