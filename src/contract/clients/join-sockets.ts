import type { Socket } from 'node:net';

/** Ties two connections: the end of one ends the other. `open` holds both until they close. Passes no bytes. */
export function joinSockets(near: Socket, far: Socket, open: Set<Socket>): void {
  for (const [one, other] of [
    [near, far],
    [far, near],
  ] as const) {
    open.add(one);
    one.on('error', () => other.destroy());
    one.once('close', () => {
      open.delete(one);
      other.destroy();
    });
  }
}
