import { randomFillSync } from 'node:crypto';
import { randomId } from '../lib/ids.ts';

/** The client's request id if it is safe for logs and gateway headers, else a new one. */
export function requestIdFrom(header: string | string[] | undefined): string {
  return isSafe(header) ? header : randomId('request');
}

const idBytes = 15;
const idsPerDraw = 256;

/** `requestIdFrom` for many requests. It draws random bytes for many ids together, which is several times faster. */
export function createRequestIds(): typeof requestIdFrom {
  const drawn = Buffer.alloc(idBytes * idsPerDraw);
  let used = drawn.length;
  return (header) => {
    if (isSafe(header)) return header;
    if (used === drawn.length) {
      randomFillSync(drawn);
      used = 0;
    }
    used += idBytes;
    return `request_${drawn.toString('base64url', used - idBytes, used)}`;
  };
}

function isSafe(header: string | string[] | undefined): header is string {
  return typeof header === 'string' && /^[\w.:-]{1,100}$/.test(header);
}
