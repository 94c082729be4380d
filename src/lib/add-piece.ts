/** Pieces are joined up to this size. */
const maxJoinedBytes = 16_384;

/**
 * Adds a piece to a list. Joins small pieces, because each takes hundreds of bytes beside its content, and the sender chooses
 * their number. A byte is copied 15 times at most, since the pieces that are joined have at least doubled in size.
 */
export function addPiece<Piece extends Uint8Array>(pieces: (Piece | Buffer)[], piece: Piece): void {
  let joined: Piece | Buffer = piece;
  for (let last = pieces.at(-1); last && last.length <= joined.length; last = pieces.at(-1)) {
    if (last.length + joined.length > maxJoinedBytes) break;
    pieces.pop();
    joined = Buffer.concat([last, joined]);
  }
  pieces.push(joined);
}
