/** A tab as GraphiQL keeps it; `title` is its operation's name, and null means empty. */
export interface EditorTab {
  readonly title: string;
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
}

export interface EditorStart {
  /** The browser's localStorage. */
  readonly storage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  /** The ready tabs of this version. */
  readonly tabs: readonly EditorTab[];
  /** Of the page's address (`?query=`): an operation that somebody shared. */
  readonly sharedQuery: string | null;
  /** Whether typed credentials outlive the page, unless the user has chosen. */
  readonly keepsHeaders: boolean;
}

/**
 * Runs in the browser before GraphiQL, and lays out its storage. Left alone, GraphiQL 5 shows the first ready tab
 * without its variables, opens an `<untitled>` tab at each reload, and takes no ready tab once it has stored any, so that
 * whoever came once never sees a later version's. Here what the user has not touched follows the version, what the
 * version adds is appended, what the user has edited or closed stays so, and a shared operation has a tab of its own.
 *
 * Its source text goes into the page: it may use nothing from outside itself.
 */
export function prepareEditor({ storage, tabs, sharedQuery, keepsHeaders }: EditorStart): void {
  type Kept = Record<'query' | 'variables' | 'headers', string | null> & { title: string };
  const create = (tab: EditorTab, number: number) => ({
    ...tab,
    id: `ready-${Date.now()}-${number}`,
    hash: null,
    operationName: tab.title === '<untitled>' ? null : tab.title,
    response: null,
  });
  const read = (key: string): unknown => {
    try {
      return JSON.parse(storage.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  };
  const toMap = (list: readonly EditorTab[]) => new Map(list.map((tab) => [tab.title, tab]));
  const ready = toMap(tabs);
  // Written below: the ready tabs as of the last visit.
  const stored = read('graphiql:readyTabs');
  const earlier = toMap(Array.isArray(stored) ? stored : []);
  // GraphiQL starts afresh from a state that it does not understand, and so do we.
  const state = read('graphiql:tabState') as { activeTabIndex?: number; tabs?: Kept[] } | null;
  const kept: Kept[] = Array.isArray(state?.tabs) && state.tabs.length > 0 ? state.tabs : tabs.map(create);

  for (const tab of kept) {
    const now = ready.get(tab.title);
    if (!now) continue;
    for (const part of ['query', 'variables', 'headers'] as const) {
      if (tab[part] === null || tab[part] === earlier.get(tab.title)?.[part]) tab[part] = now[part];
    }
  }
  const titles = new Set([...kept.map(({ title }) => title), ...earlier.keys()]);
  kept.push(...tabs.filter(({ title }) => !titles.has(title)).map(create));

  let active = Math.min(Math.max(Number(state?.activeTabIndex) || 0, 0), kept.length - 1);
  if (sharedQuery !== null && kept[active]?.query !== sharedQuery) {
    active = kept.findIndex(({ query }) => query === sharedQuery);
    if (active === -1) {
      const name = /^(?!#).*(?:query|subscription|mutation)\s+(\w+)/m.exec(sharedQuery)?.[1];
      const shared = {
        title: name ?? '<untitled>',
        query: sharedQuery,
        variables: null,
        headers: tabs[0]?.headers ?? null,
      };
      active = kept.push(create(shared, kept.length)) - 1;
    }
  }

  storage.setItem('graphiql:readyTabs', JSON.stringify(tabs));
  storage.setItem('graphiql:tabState', JSON.stringify({ tabs: kept, activeTabIndex: active }));
  // GraphiQL takes the tab to show from here; where it finds none that is equal it opens another.
  for (const part of ['query', 'variables', 'headers'] as const) {
    storage.setItem(`graphiql:${part}`, kept[active]?.[part] ?? '');
  }
  if (!keepsHeaders && storage.getItem('graphiql:shouldPersistHeaders') === null) {
    storage.setItem('graphiql:shouldPersistHeaders', 'false');
  }
}
