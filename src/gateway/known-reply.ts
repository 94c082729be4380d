import type { Json } from '../lib/json.ts';

/** Earlier replies to a request. Long ones, and those that may be redacted, are neither kept nor found. */
export interface KnownReply {
  /** The body of a reply with this text. `parse` parses the part of it that is new. */
  find(text: string, parse: (part: string) => Json | undefined): Json | undefined;
  /** Called with an accepted reply that was not found. */
  keep(text: string, body: Json): void;
}

/** Keeps one reply, for the callers of a request whose reply rarely depends on the caller. An equal reply is the same object. */
export function createLastReply(): KnownReply {
  let last: { readonly text: string; readonly body: Json } | undefined;
  return {
    find: (text) => (last?.text === text ? last.body : undefined),
    keep(text, body) {
      last = { text, body };
    },
  };
}
