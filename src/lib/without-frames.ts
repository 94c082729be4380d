/**
 * Prepares an error to be kept. Until its stack is read, an error holds the frames in which it was created, with everything
 * that they refer to, for example the socket of a client.
 */
export function withoutFrames<Kept extends Error>(error: Kept): Kept {
  void error.stack;
  return error;
}
