/** Copies nothing if there is only one. */
export function joinBuffers(buffers: readonly Buffer[]): Buffer {
  const [only] = buffers;
  return only && buffers.length === 1 ? only : Buffer.concat(buffers);
}
