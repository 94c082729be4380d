import { buffer } from 'node:stream/consumers';
import type { StoredFile } from '../store/file-records.ts';
import { fromStore } from './file-errors.ts';
import type { Files } from './files.ts';

/** @throws RangeError for fewer bytes, because the client would wait for the rest, or more: it would read them as the next reply */
export function withLength(expected: number) {
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > expected) break;
      yield chunk;
    }
    if (bytes !== expected)
      throw new RangeError(`received ${bytes} bytes from the store, expected ${expected}`);
  };
}

/**
 * Undefined if the store has lost the file.
 * @throws FilesUnavailableError if it is away, or has a file of another size
 */
export function readWhole(file: StoredFile, open: Files['open']): Promise<Buffer | undefined> {
  const read = async (): Promise<Buffer | undefined> => {
    const content = await open(file);
    return content && buffer(withLength(file.sizeBytes)(content));
  };
  return fromStore(read());
}
