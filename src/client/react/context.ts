import {
  createContext,
  createElement,
  type ReactNode,
  useContext,
  useMemo,
  useSyncExternalStore,
} from 'react';
import type { ConnectionState, Gengraph } from '../gengraph.ts';
import type { ViewStore } from './view-store.ts';

const GengraphContext = createContext<Gengraph | undefined>(undefined);

export interface GengraphProviderProps {
  /** Create it once, outside of components. */
  readonly client: Gengraph;
  readonly children?: ReactNode;
}

/** Gives the hooks below it their client. */
export function GengraphProvider({ client, children }: GengraphProviderProps): ReactNode {
  return createElement(GengraphContext.Provider, { value: client }, children);
}

/** The client of the provider. */
export function useGengraph(): Gengraph {
  const client = useContext(GengraphContext);
  if (!client) throw new Error('There is no <GengraphProvider client={…}> above this component.');
  return client;
}

/** What a server renders, and a page that is hydrated after its connection has opened. */
const initial: ConnectionState = { status: 'idle', since: 0, problem: null };

/** The state of the connection, for example to show that the page is offline. */
export function useConnection(): ConnectionState {
  const { connection } = useGengraph();
  return useSyncExternalStore(
    connection.subscribe,
    () => connection.current,
    () => initial,
  );
}

export function useStore<View>(store: ViewStore<View>): View {
  return useSyncExternalStore(store.subscribe, store.read, store.readInitial);
}

/** The view with actions. The same object until one of them changes. */
export function useWith<View extends object, Actions extends object>(
  view: View,
  actions: Actions,
): View & Actions {
  return useMemo(() => ({ ...view, ...actions }), [view, actions]);
}

/** Text that is the same for the same content. It is made again only for another object. */
export function useContentKey(content: unknown): string {
  return useMemo(() => JSON.stringify(content) ?? '', [content]);
}
