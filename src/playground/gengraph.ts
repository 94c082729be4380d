import { createGengraph, createStorage, type Outcome } from '@gengraph/client';
import { ViewerDocument } from '@gengraph/client/documents';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { useSyncExternalStore } from 'react';
import { base, settings } from './settings.ts';

/** What the visitor has signed in with. It stays in memory: a reload asks for it again. */
let credential: string | undefined = settings.apiKey;
let signedIn = Promise.withResolvers<void>();
const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());

export const gengraph = createGengraph({
  url: new URL('graphql', base).href,
  // Every connection asks for it, and waits until there is one. What the page shows goes on then.
  async credential() {
    while (credential === undefined) await signedIn.promise;
    return credential;
  },
});
gengraph.client.on('closed', (event) => {
  // The token has expired, or the server does not accept it: a new connection needs another one.
  if (event instanceof CloseEvent && event.code === 4403) forgetCredential();
});

/** What a reload of this tab keeps, where the browser allows it. */
export const storage = createStorage();

/** Runs a query or a mutation. The value is that of its only root field. */
export function run<Result, Variables extends Readonly<Record<string, unknown>>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Outcome<Result[keyof Result]>> {
  return gengraph.run({ query: print(document), variables });
}

/** Breaks the connection of this page, as a lost network does. */
export const cutConnection = (): void => gengraph.client.terminate();

export function signIn(next: string): void {
  credential = next;
  signedIn.resolve();
  notify();
  // A token that the server refuses is asked for again at once.
  void run(ViewerDocument, {}).then(({ problem }) => problem?.retry === 'AUTHENTICATE' && signOut());
}

/** The page asks for another credential. */
export function signOut(): void {
  forgetCredential();
  cutConnection();
}

function forgetCredential(): void {
  credential = undefined;
  signedIn = Promise.withResolvers();
  notify();
}

/** Whether the page has a credential to send. */
export function useIsSignedIn(): boolean {
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return useSyncExternalStore(subscribe, () => credential !== undefined);
}
