import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';

/** A parsed document takes up to 170 bytes per character. */
const maxChars = 400_000;

/**
 * Clients that write ids into their documents use each document once or twice. Without an expiry, such documents would use the
 * whole cache, and a server would need hours to reach its final size.
 */
const unusedMs = 300_000;
const evictionIntervalMs = 30_000;

/** Parsed documents by their source. Compiled operations, costs and validation results live as long as their document. */
export function createDocumentCache(clock: Pick<Clock, 'elapsed'>) {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: maxChars,
    sizeCalculation: (_document, source) => source.length + 1,
    ttl: unusedMs,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: { now: () => clock.elapsed() },
  });
  let evictedAt = clock.elapsed();
  /** The cache itself deletes an expired document only when its source is requested again. */
  const evictUnused = (): void => {
    const now = clock.elapsed();
    if (now - evictedAt < evictionIntervalMs) return;
    evictedAt = now;
    documents.purgeStale();
  };
  return {
    find(source: string): DocumentNode | undefined {
      evictUnused();
      return documents.get(source);
    },
    add(source: string, document: DocumentNode): void {
      documents.set(source, document);
    },
  };
}
