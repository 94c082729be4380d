/** Decodes UTF-8 whose characters may be split between two chunks. */
export interface StreamDecoder {
  decode(chunk: Buffer): string;
  /** The rest: a replacement character if the last character is incomplete. */
  end(): string;
}

/**
 * Decodes like one `TextDecoder` for all chunks. Chunks that begin and end between characters need none: it takes a kilobyte,
 * and more time than the decoding itself.
 */
export function createStreamDecoder(): StreamDecoder {
  let decoder: TextDecoder | undefined;
  let hasBegun = false;
  /** Whether the decoder may hold a part of a character. */
  let isSplit = false;

  return {
    decode(chunk) {
      const last = chunk.at(-1);
      if (last === undefined) return '';
      const wasSplit = isSplit;
      isSplit = last >= 0x80;
      // A byte order mark begins with the highest bit too.
      const mayHaveMark = !hasBegun && (chunk[0] ?? 0) >= 0x80;
      if (!wasSplit && !isSplit && !mayHaveMark) {
        hasBegun = true;
        return chunk.toString('utf8');
      }
      // Only the beginning of a stream may have a byte order mark.
      decoder ??= new TextDecoder('utf-8', { ignoreBOM: hasBegun });
      hasBegun = true;
      return decoder.decode(chunk, { stream: true });
    },
    end: () => decoder?.decode() ?? '',
  };
}
