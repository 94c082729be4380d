import { type AddressInfo, connect, createServer } from 'node:net';
import { serveCalls } from '../child-process.ts';

/** Counts what a PostgreSQL client sends and receives on the wire. */

export interface WireCounts {
  /** The server has answered everything that was sent: the client waited once. */
  readonly roundTrips: number;
  readonly statements: number;
  /** In both directions. */
  readonly bytes: number;
}

let counts: WireCounts = { roundTrips: 0, statements: 0, bytes: 0 };
const target = new URL(process.argv[2] ?? '');

/** https://www.postgresql.org/docs/current/protocol-message-formats.html */
const names = { readyForQuery: 0x5a, commandComplete: 0x43, emptyQuery: 0x49 };
const headLength = 5;

/** Counts messages of the server: a type of one byte, a length with itself, and a body. */
function createCounter(): (piece: Buffer) => void {
  let head = Buffer.alloc(0);
  let bodyLeft = 0;
  return (piece) => {
    let { roundTrips, statements } = counts;
    let rest = piece;
    while (rest.length > 0) {
      const skipped = Math.min(bodyLeft, rest.length);
      bodyLeft -= skipped;
      rest = rest.subarray(skipped);
      const missing = headLength - head.length;
      head = Buffer.concat([head, rest.subarray(0, missing)]);
      rest = rest.subarray(missing);
      if (head.length < headLength) continue;
      if (head[0] === names.readyForQuery) roundTrips += 1;
      if (head[0] === names.commandComplete || head[0] === names.emptyQuery) statements += 1;
      bodyLeft = head.readUInt32BE(1) - 4;
      head = Buffer.alloc(0);
    }
    counts = { roundTrips, statements, bytes: counts.bytes + piece.length };
  };
}

const server = createServer((near) => {
  const far = connect(Number(target.port), target.hostname);
  far.on('data', createCounter());
  near.on('data', (piece: Buffer) => {
    counts = { ...counts, bytes: counts.bytes + piece.length };
  });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.pipe(far).pipe(near);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

const calls = {
  url() {
    const url = new URL(target);
    url.port = String((server.address() as AddressInfo).port); // A listening TCP server has one.
    return url.href;
  },
  counts: () => counts,
};
export type DatabaseProxyCalls = typeof calls;
serveCalls(calls);
