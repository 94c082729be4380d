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
  const counts = new Map<string, number>();
  let total = 0;
  const change = (address: string, difference: 1 | -1): void => {
    const count = (counts.get(address) ?? 0) + difference;
    if (count > 0) counts.set(address, count);
    else counts.delete(address);
    total += difference;
  };
  return {
    findExceeded(address) {
      if ((counts.get(address) ?? 0) >= maxPerAddress) return 'MAX_SOCKETS_PER_ADDRESS';
      return total >= maxSockets ? 'MAX_SOCKETS' : undefined;
    },
    add(address) {
      change(address, 1);
      return () => change(address, -1);
    },
  };
}
