import type { ServerResponse } from 'node:http';

const cutHere = new WeakSet<ServerResponse>();

/** Ends a connection in the middle of a reply, as a failing gateway does. */
export function cutConnection(outgoing: ServerResponse, options: { isReset: boolean }): void {
  cutHere.add(outgoing);
  if (options.isReset) outgoing.socket?.resetAndDestroy();
  else outgoing.socket?.destroy();
}

/** Whether the sandbox, not the client, ended the connection. */
export function wasCutHere(outgoing: ServerResponse): boolean {
  return cutHere.has(outgoing);
}
