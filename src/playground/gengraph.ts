import { createGengraph } from '@gengraph/client';
import { base, settings } from './settings.ts';

/** A token of the user's sign-in. It stays in memory: a reload asks for it again. */
let token: string | null = null;

/** Sockets of this page, so that a visitor can cut them. */
const sockets = new Set<WebSocket>();

class Socket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    sockets.add(this);
    this.addEventListener('close', () => sockets.delete(this));
  }
}

export const gengraph = createGengraph({
  url: new URL('graphql', base).href,
  credential: () => token ?? settings.apiKey ?? null,
  webSocketImpl: Socket,
});

/** Breaks every connection of this page, as a lost network does. */
export function cutConnections(): void {
  for (const socket of sockets) socket.close();
}

export function signIn(next: string): void {
  token = next;
  // The next connection has the new token.
  cutConnections();
}

/** Whether the page has a credential to send. */
export function isSignedIn(): boolean {
  return token !== null || settings.apiKey !== undefined;
}
