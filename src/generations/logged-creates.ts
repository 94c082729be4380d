import { LRUCache } from 'lru-cache';
import { limitEntries } from '../lib/cache-limits.ts';

/** What this process knows about a create that it sent, beyond the record. For the log. */
export interface LoggedCreate {
  /** Of the operation. */
  readonly requestId: string;
  readonly rootField?: string | undefined;
  readonly transport?: string | undefined;
  /** Network address of the client. */
  readonly address?: string | undefined;
  /** Status of the reply. Absent without one. */
  upstreamStatus?: number | undefined;
  /** Chunks of its stream that arrived. */
  chunks?: number | undefined;
}

/** The creates of this process whose generations have not ended, by the generation's id. */
export interface LoggedCreates {
  add(generationId: string, sent: LoggedCreate): void;
  /** Records how many chunks of its stream arrived. Without effect for a create of another process. */
  noteChunks(generationId: string, chunks: number): void;
  /** Removes the create. Undefined if another process sent it, or if it is not among the last 10,000. */
  take(generationId: string): LoggedCreate | undefined;
}

const maxRemembered = 10_000;

export function createLoggedCreates(): LoggedCreates {
  const creates = new LRUCache<string, LoggedCreate>(limitEntries(maxRemembered));
  return {
    add(generationId, sent) {
      creates.set(generationId, sent);
    },
    noteChunks(generationId, chunks) {
      const sent = creates.get(generationId);
      if (sent) sent.chunks = chunks;
    },
    take(generationId) {
      const sent = creates.get(generationId);
      creates.delete(generationId);
      return sent;
    },
  };
}
