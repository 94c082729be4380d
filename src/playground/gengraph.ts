import { createGengraph, type Outcome } from '@gengraph/client';
import { useSyncExternalStore } from 'react';
import { queryOf, type TypedQuery } from './show-me/query-of.ts';
import { base, settings } from './settings.ts';

/** What the visitor has signed in with. It stays in memory: a reload asks for it again. */
let credential: string | undefined = settings.apiKey;
let signedIn = Promise.withResolvers<void>();
const listeners = new Set<() => void>();

/** Sockets of this page, so that a visitor can cut them. */
const sockets = new Set<WebSocket>();
const forbidden = 4403;

class Socket extends WebSocket {
  constructor(url: string | URL, protocols?: string | string[]) {
    super(url, protocols);
    sockets.add(this);
    this.addEventListener('close', ({ code }) => {
      sockets.delete(this);
      // The token has expired, or the server does not accept it: a new connection needs another one.
      if (code === forbidden) signOut();
    });
  }
}

export const gengraph = createGengraph({
  url: new URL('graphql', base).href,
  // Every connection asks for it, and waits until there is one. What the page shows goes on then.
  async credential() {
    while (credential === undefined) await signedIn.promise;
    return credential;
  },
  webSocketImpl: Socket,
});

/** Runs a typed query or mutation. The value is that of its only root field. */
export function run<Result, Variables extends Readonly<Record<string, unknown>>>(
  query: TypedQuery<Result, Variables>,
  variables: Variables,
): Promise<Outcome<Result[keyof Result]>> {
  return gengraph.run({ query: queryOf(query), variables });
}

/** Breaks every connection of this page, as a lost network does. */
export function cutConnections(): void {
  for (const socket of sockets) socket.close();
}

export function signIn(next: string): void {
  credential = next;
  signedIn.resolve();
  notify();
}

/** The page asks for another credential. */
export function signOut(): void {
  credential = undefined;
  signedIn = Promise.withResolvers();
  cutConnections();
  notify();
}

/** Whether the page has a credential to send. */
export function useIsSignedIn(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => credential !== undefined,
  );
}

function notify(): void {
  for (const listener of listeners) listener();
}
