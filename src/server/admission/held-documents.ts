import type { DocumentNode } from 'graphql';
import { RateLimitError } from '../../errors.ts';
import { Tally } from '../../lib/fairness/tally.ts';

/** Memory of a parsed, validated and compiled document. Measured: 39 to 64 bytes per character. */
const bytesPerChar = 64;
/** The same for a document with as many tokens as allowed. Its text is not held. */
const bytesWithoutLocation = 2_000_000;
/** Of a variable's text. */
const bytesPerVariableChar = 2;
const maxBytesPerKey = 64_000_000;
const maxTotalBytes = 512_000_000;

const retryAfterSeconds = 10;

/** Limits the memory that open subscriptions hold: of their variables, and of each document of an account once. */
export function createHeldDocuments() {
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
    /**
     * Call when a subscription opens. `key`: its account, or the address of a caller that the gateway has not accepted.
     * `variableChars`: of the variables that it holds. Returns the function to call when it ends.
     * @throws RateLimitError
     */
    hold(key: string, document: DocumentNode, variableChars = 0): () => void {
      const documents = counts.get(key) ?? new Map<DocumentNode, number>();
      const count = documents.get(document) ?? 0;
      const variableBytes = bytesPerVariableChar * variableChars;
      const size = variableBytes + (count === 0 ? sizeOf(document) : 0);
      if (bytes.of(key) + size > maxBytesPerKey || bytes.total + size > maxTotalBytes)
        throw new RateLimitError(
          'The open subscriptions of this caller have too many different documents, or too large variables. Use small variables, so that subscriptions share one document.',
          { retryAfterSeconds },
        );
      bytes.add(key, size);
      documents.set(document, count + 1);
      counts.set(key, documents);
      return () => {
        bytes.add(key, -variableBytes);
        release(key, document);
      };
    },
  };
}

/** Only long documents have no location. */
function sizeOf({ loc }: DocumentNode): number {
  return loc ? bytesPerChar * loc.end : bytesWithoutLocation;
}
