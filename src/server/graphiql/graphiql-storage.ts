/** A tab in GraphiQL's storage format. `title` is the operation name. Null means empty. */
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
  /** Predefined tabs of this version. */
  readonly tabs: readonly EditorTab[];
  /** A shared operation from the page's URL (`?query=`). */
  readonly sharedQuery: string | null;
  /** Default of GraphiQL's "persist headers" setting. */
  readonly keepsHeaders: boolean;
}

/**
 * Prepares GraphiQL's localStorage. Runs in the browser before GraphiQL. By default GraphiQL 5 shows the first predefined tab
 * without its variables, opens an `<untitled>` tab at each reload, and ignores the predefined tabs once it has stored any.
 * This function updates unedited tabs to the current version, appends new ones, keeps edited and closed tabs as they are,
 * and opens a shared operation in its own tab.
 *
 * The source text of this function is inlined in the page, so it must be self-contained.
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
  // The predefined tabs at the last visit, written below.
  const stored = read('graphiql:readyTabs');
  const earlier = toMap(Array.isArray(stored) ? stored : []);
  // Like GraphiQL, discard a state that cannot be read.
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
  // GraphiQL reads the active tab from these keys. If no stored tab equals them, it opens another.
  for (const part of ['query', 'variables', 'headers'] as const) {
    storage.setItem(`graphiql:${part}`, kept[active]?.[part] ?? '');
  }
  if (!keepsHeaders && storage.getItem('graphiql:shouldPersistHeaders') === null) {
    storage.setItem('graphiql:shouldPersistHeaders', 'false');
  }
}
