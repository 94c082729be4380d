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
  /** Why the page asks again. */
  refusal: '',
};

const url = new URL('graphql', base).href;
/** Of one user: what waits for a credential is never sent with that of another. */
export let gengraph = connect();

function connect() {
  const client = createGengraph({
    url,
    // Every connection asks for it, and waits until there is one. What the page shows goes on then.
    async credential() {
      while (credential === undefined) await signedIn.promise;
      return credential;
    },
  });
  client.client.on('closed', (event) => {
    // The token has expired, or the server does not accept it: a new connection needs another one.
    if (event instanceof CloseEvent && event.code === 4403) forgetCredential();
  });
  return client;
}

/** What a reload of this tab keeps, where the browser allows it. */
export const storage = createStorage();
export const readStored = (name: string): unknown => parseJson(storage.getItem(name) ?? 'null');

/** Runs a query or a mutation. The value is that of its only root field. */
export function run<Result, Variables extends Readonly<Record<string, unknown>>>(
  document: TypedDocumentNode<Result, Variables>,
  variables: Variables,
  client = gengraph,
): Promise<Outcome<Result[keyof Result]>> {
  return client.run({ query: print(document), variables });
}

/** Breaks the connection of this page, as a lost network does. */
export const cutConnection = (): void => gengraph.client.terminate();

export async function signIn(next: string): Promise<void> {
  // With a connection of its own: nothing is sent before its user is known.
  const visitor = createGengraph({ url, credential: next });
  const { connection } = visitor;
  // While the server is down, it tries for minutes.
  connection.subscribe(() => {
    if (connection.current.status === 'reconnecting') ask(`${unreachable} The page tries again by itself.`);
  });
  const { problem, value } = await run(ViewerDocument, {}, visitor);
  void visitor.dispose();
  if (!value) return ask(problem?.retry === 'AUTHENTICATE' ? undefined : problem?.message);
  credential = next;
  if (value.owner === session.owner) signedIn.resolve();
  else {
    kept.clear();
    void gengraph.dispose();
    gengraph = connect();
  }
  setSession({ isSignedIn: true, owner: value.owner, refusal: '' });
}

/** The page asks for another credential. */
export function signOut(): void {
  forgetCredential();
  cutConnection();
}

function forgetCredential(): void {
  // What waits already goes on waiting for the same sign-in.
  if (credential !== undefined) signedIn = Promise.withResolvers();
  credential = undefined;
  ask();
}

const unreachable = 'The server cannot be reached.';
const refused = 'The server does not accept this credential, or it has expired.';
const ask = (refusal = `${refused} With another one, the page goes on.`): void =>
  setSession({ ...session, isSignedIn: false, refusal });

function setSession(next: typeof session): void {
  session = next;
  notify();
}

export const readOwner = () => session.owner;
export const useSession = () => useSyncExternalStore(subscribe, () => session);
