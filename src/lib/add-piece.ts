/** Pieces are joined up to this size. */
const maxJoinedSize = 16_384;

/**
 * Adds a piece to a list. Joins small pieces, because each takes hundreds of bytes beside its content, and the sender chooses
 * their number. A byte is copied 15 times at most, since the pieces that are joined have at least doubled in size.
 */
export function addPiece<Piece extends Uint8Array>(pieces: (Piece | Buffer)[], piece: Piece): void {
  add<Piece | Buffer>(pieces, piece, Buffer.concat);
}

/** Like `addPiece`, for text. */
export function addText(pieces: string[], text: string): void {
  add(pieces, text, (joined) => joined.join(''));
}

/** The whole of a list. Copies nothing if there is only one. */
export function joinBuffers(buffers: readonly Buffer[]): Buffer {
  const [only] = buffers;
  return only && buffers.length === 1 ? only : Buffer.concat(buffers);
}

function add<Piece extends { readonly length: number }>(
  pieces: Piece[],
  piece: Piece,
  join: (joined: readonly Piece[]) => Piece,
): void {
  let joined = piece;
  for (let last = pieces.at(-1); last && last.length <= joined.length; last = pieces.at(-1)) {
    if (last.length + joined.length > maxJoinedSize) break;
    pieces.pop();
    joined = join([last, joined]);
  }
  pieces.push(joined);
}
