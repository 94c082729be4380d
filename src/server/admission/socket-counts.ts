import { Tally } from '../../lib/fairness/tally.ts';

/** Counts the open WebSockets of each network address. */
export interface SocketCounts {
  /** The setting of the limit that another WebSocket of the address would exceed. */
  findExceeded(address: string): string | undefined;
  /** Returns the function that ends the count. */
  add(address: string): () => void;
}

export interface SocketCountsOptions {
  readonly maxSockets: number;
  readonly maxPerAddress: number;
}

export function createSocketCounts({ maxSockets, maxPerAddress }: SocketCountsOptions): SocketCounts {
  const counts = new Tally();
  return {
    findExceeded(address) {
      if (counts.of(address) >= maxPerAddress) return 'MAX_SOCKETS_PER_ADDRESS';
      return counts.total >= maxSockets ? 'MAX_SOCKETS' : undefined;
    },
    add(address) {
      counts.add(address, 1);
      return () => counts.add(address, -1);
    },
  };
}
