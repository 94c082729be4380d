import type { DocumentNode } from 'graphql';
import { RateLimitError } from '../../errors.ts';
import { Tally } from '../../lib/fairness/tally.ts';

/** Limits the memory of the documents of open subscriptions. A document that several subscriptions of an account use counts once. */
export interface HeldDocuments {
  /**
   * Call when a subscription opens. `key`: its account, or the address of a caller that the gateway has not accepted. Returns
   * the function to call when it ends.
   * @throws RateLimitError
   */
  hold(key: string, document: DocumentNode): () => void;
}

/** Memory of a parsed, validated and compiled document. Measured: 39 to 64 bytes per character. */
const bytesPerChar = 64;
/** The same for a document with as many tokens as allowed. Its text is not held. */
const bytesWithoutLocation = 2_000_000;
const maxBytesPerKey = 64_000_000;
const maxTotalBytes = 512_000_000;

const retryAfterSeconds = 10;

export function createHeldDocuments(): HeldDocuments {
  /** The number of subscriptions with each document. */
  const counts = new Map<string, Map<DocumentNode, number>>();
  const bytes = new Tally();
  const release = (key: string, document: DocumentNode): void => {
    const documents = counts.get(key);
    const count = documents?.get(document) ?? 0;
    if (!documents || count === 0) return;
    if (count > 1) {
      documents.set(document, count - 1);
      return;
    }
    documents.delete(document);
    bytes.add(key, -sizeOf(document));
    if (documents.size === 0) counts.delete(key);
  };
  return {
    hold(key, document) {
      const documents = counts.get(key) ?? new Map<DocumentNode, number>();
      const count = documents.get(document) ?? 0;
      if (count === 0) {
        const size = sizeOf(document);
        if (bytes.of(key) + size > maxBytesPerKey || bytes.total + size > maxTotalBytes)
          throw new RateLimitError(
            'The open subscriptions of this caller have too many different documents. Use variables, so that subscriptions share one document.',
            { retryAfterSeconds },
          );
        bytes.add(key, size);
      }
      documents.set(document, count + 1);
      counts.set(key, documents);
      return () => release(key, document);
    },
  };
}

/** Only long documents have no location. */
function sizeOf({ loc }: DocumentNode): number {
  return loc ? bytesPerChar * loc.end : bytesWithoutLocation;
}
