import type { DocumentNode } from 'graphql';
import { RateLimitError } from '../../errors.ts';

/** Limits the memory of the documents of open subscriptions. A document that a party uses several times counts once. */
export interface HeldDocuments {
  /**
   * `party` opens a subscription with this document. Returns the function to call when that ends.
   * @throws RateLimitError
   */
  hold(party: string, document: DocumentNode): () => void;
}

/** Memory of a parsed, validated and compiled document. Measured: 39 to 64 bytes per character. */
const bytesPerChar = 64;
/** The same for a document with as many tokens as allowed. Its text is not held. */
const bytesWithoutLocation = 2_000_000;
/** Documents of one account, or of one address of callers that the gateway has not accepted. */
const maxPartyBytes = 64_000_000;
const maxTotalBytes = 512_000_000;

const retryAfterSeconds = 10;

interface Held {
  bytes: number;
  /** With the number of subscriptions. */
  readonly documents: Map<DocumentNode, number>;
}

export function createHeldDocuments(): HeldDocuments {
  const parties = new Map<string, Held>();
  let total = 0;
  const release = (party: string, document: DocumentNode): void => {
    const held = parties.get(party);
    const count = held?.documents.get(document) ?? 0;
    if (!held || count === 0) return;
    if (count > 1) {
      held.documents.set(document, count - 1);
      return;
    }
    held.documents.delete(document);
    held.bytes -= sizeOf(document);
    total -= sizeOf(document);
    if (held.documents.size === 0) parties.delete(party);
  };
  return {
    hold(party, document) {
      const held = parties.get(party) ?? { bytes: 0, documents: new Map<DocumentNode, number>() };
      const count = held.documents.get(document) ?? 0;
      if (count === 0) {
        const bytes = sizeOf(document);
        if (held.bytes + bytes > maxPartyBytes || total + bytes > maxTotalBytes)
          throw new RateLimitError(
            'The open subscriptions of this caller have too many different documents. Use variables, so that subscriptions share one document.',
            { retryAfterSeconds },
          );
        held.bytes += bytes;
        total += bytes;
      }
      held.documents.set(document, count + 1);
      parties.set(party, held);
      return () => release(party, document);
    },
  };
}

/** Only long documents have no location. */
function sizeOf({ loc }: DocumentNode): number {
  return loc ? bytesPerChar * loc.end : bytesWithoutLocation;
}
