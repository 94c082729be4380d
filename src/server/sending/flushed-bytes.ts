import type { Socket } from 'node:net';
import { isRecord } from '../../lib/json.ts';

/**
 * Bytes of the socket that were flushed to the kernel, also within a write. Node has no public counter for this: `bytesWritten`,
 * `writableLength`, the callback of a write and the `bufferedAmount` of ws change only when a whole write completes, which may
 * be a message of many megabytes, so a client that reads it slowly would look stalled. With public means, every message would
 * have to be split into writes that wait for each other, as would the messages and the end of the reply behind it. The
 * socket's handle has the counters, and Node's socket timeouts read `writeQueueSize` there too
 * (https://github.com/nodejs/node/pull/15791). Without them, only whole writes count.
 */
export function countFlushedBytes(socket: Socket): number {
  // Not `Reflect.get`, which is several times slower. Every ping calls this.
  const handle: unknown = '_handle' in socket ? socket._handle : undefined;
  const { bytesWritten, writeQueueSize } = isRecord(handle) ? handle : {};
  if (typeof bytesWritten === 'number' && typeof writeQueueSize === 'number')
    return bytesWritten - writeQueueSize;
  return socket.bytesWritten - socket.writableLength;
}
