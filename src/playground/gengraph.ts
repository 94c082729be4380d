import { createGengraph, createStorage, type Outcome } from '@gengraph/client';
import { ViewerDocument } from '@gengraph/client/documents';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { useSyncExternalStore } from 'react';
import { parseJson } from './form/schema.ts';
import { kept, notify, subscribe } from './kept.ts';
import { base, settings } from './settings.ts';

/** What the visitor has signed in with. It stays in memory: a reload asks for it again. */
let credential: string | undefined = settings.apiKey;
let signedIn = Promise.withResolvers<void>();
let session = {
  isSignedIn: credential !== undefined,
  /** Undefined until the first sign-in. */
  owner: credential === undefined ? undefined : '',
  /** Whether the last credential was refused, or has expired. */
  isRefused: false,
};

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
export const readStored = (name: string): unknown => parseJson(storage.getItem(name) ?? 'null');

/** Runs a query or a mutation. The value is that of its only root field. */
export function run<Result, Variables extends Readonly<Record<string, unknown>>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
): Promise<Outcome<Result[keyof Result]>> {
  return gengraph.run({ query: print(document), variables });
}

/** Breaks the connection of this page, as a lost network does. */
export const cutConnection = (): void => gengraph.client.terminate();

export async function signIn(next: string): Promise<void> {
  credential = next;
  signedIn.resolve();
  const { problem, value } = await run(ViewerDocument, {});
  // A token that the server refuses is asked for again at once.
  if (problem?.retry === 'AUTHENTICATE') return signOut();
  const owner = value?.owner ?? session.owner ?? '';
  if (owner !== session.owner) kept.clear();
  setSession({ isSignedIn: true, owner, isRefused: false });
}

/** The page asks for another credential. */
export function signOut(): void {
  forgetCredential();
  cutConnection();
}

function forgetCredential(): void {
  credential = undefined;
  signedIn = Promise.withResolvers();
  setSession({ ...session, isSignedIn: false, isRefused: true });
}

function setSession(next: typeof session): void {
  session = next;
  notify();
}

export const readOwner = () => session.owner;
export const useSession = () => useSyncExternalStore(subscribe, () => session);
