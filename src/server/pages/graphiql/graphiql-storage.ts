/** A tab in GraphiQL's storage format. `title` is the operation name. Null means empty. */
export interface EditorTab {
  readonly title: string;
  readonly query: string | null;
  readonly variables: string | null;
  readonly headers: string | null;
}

/** An operation that the page offers. */
export interface OfferedTab extends EditorTab {
  /** Its place among the tabs at the first visit. -1: it is none of them. */
  readonly initialAt: number;
}

export interface EditorStart {
  /** The browser's localStorage. */
  readonly storage: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
  };
  /** All operations of this version. */
  readonly tabs: readonly OfferedTab[];
  /** A shared operation from the page's URL (`?query=`). */
  readonly sharedQuery: string | null;
  /** Its variables as JSON (`?variables=`). */
  readonly sharedVariables?: string | null;
  /** Default of GraphiQL's "persist headers" setting. */
  readonly keepsHeaders: boolean;
}

/**
 * GraphiQL cannot start without localStorage, which a browser can forbid: then it gets one that ends with the page. The source
 * text of this function is inlined in the page, so it must be self-contained.
 */
export function provideStorage(page: { readonly localStorage: object }): void {
  try {
    if (page.localStorage) return;
  } catch {
    // Reading it throws if it is forbidden.
  }
  const kept = new Map<string, string>();
  const value = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
  Object.defineProperty(page, 'localStorage', { value });
}

/**
 * Prepares GraphiQL's localStorage. Runs in the browser before GraphiQL. By default GraphiQL 5 shows the first predefined tab
 * without its variables, opens an `<untitled>` tab at each reload, and ignores the predefined tabs once it has stored any.
 * This function updates unedited tabs to the current version, appends new initial ones, removes unedited ones that are no longer
 * initial, keeps edited and closed tabs as they are, and opens a shared operation in its own tab.
 *
 * The source text of this function is inlined in the page, so it must be self-contained.
 */
export function prepareEditor({
  storage,
  tabs,
  sharedQuery,
  sharedVariables = null,
  keepsHeaders,
}: EditorStart): void {
  type Kept = Record<'query' | 'variables' | 'headers', string | null> & { title: string };
  const create = ({ title, query, variables, headers }: EditorTab, number: number) => ({
    title,
    query,
    variables,
    headers,
    id: `ready-${Date.now()}-${number}`,
    hash: null,
    operationName: title === '<untitled>' ? null : title,
    response: null,
  });
  const read = (key: string): unknown => {
    try {
      return JSON.parse(storage.getItem(key) ?? 'null');
    } catch {
      return null;
    }
  };
  const toMap = (list: readonly OfferedTab[]) => new Map(list.map((tab) => [tab.title, tab]));
  const parts = ['query', 'variables', 'headers'] as const;
  const ready = toMap(tabs);
  const initial = tabs
    .filter(({ initialAt }) => initialAt >= 0)
    .sort((one, other) => one.initialAt - other.initialAt);
  // The operations at the last visit, written below. Earlier versions had no other tabs than initial ones.
  const stored = read('graphiql:readyTabs');
  const earlier = toMap(Array.isArray(stored) ? stored : []);
  // Like GraphiQL, discard a state that cannot be read.
  const state = read('graphiql:tabState');
  const { activeTabIndex, tabs: opened }: { readonly activeTabIndex?: unknown; readonly tabs?: unknown } =
    typeof state === 'object' && state ? state : {};
  const isInitial = (tab: OfferedTab | undefined): boolean => tab !== undefined && (tab.initialAt ?? 0) >= 0;
  const isStale = (tab: Kept): boolean => {
    const before = earlier.get(tab.title);
    const isEdited = parts.some((part) => tab[part] !== null && tab[part] !== before?.[part]);
    return isInitial(before) && !isEdited && !isInitial(ready.get(tab.title));
  };
  const all: Kept[] = Array.isArray(opened) ? opened : [];
  const activeTab = all[Math.min(Math.max(Number(activeTabIndex) || 0, 0), all.length - 1)];
  const kept = all.filter((tab) => !isStale(tab));

  for (const tab of kept) {
    const now = ready.get(tab.title);
    if (!now) continue;
    for (const part of parts) {
      if (tab[part] === null || tab[part] === earlier.get(tab.title)?.[part]) tab[part] = now[part];
    }
  }
  const isKnown = ({ title }: EditorTab): boolean =>
    kept.some((tab) => tab.title === title) || isInitial(earlier.get(title));
  kept.push(...initial.filter((tab) => kept.length === 0 || !isKnown(tab)).map(create));

  let active = activeTab ? Math.max(kept.indexOf(activeTab), 0) : 0;
  const isShared = (tab: Kept | undefined): boolean =>
    tab?.query === sharedQuery && (sharedVariables === null || tab.variables === sharedVariables);
  if (sharedQuery !== null && !isShared(kept[active])) {
    active = kept.findIndex(isShared);
    if (active === -1) {
      const name = /^(?!#).*(?:query|subscription|mutation)\s+(\w+)/m.exec(sharedQuery)?.[1];
      const shared = {
        title: name ?? '<untitled>',
        query: sharedQuery,
        variables: sharedVariables,
        headers: tabs[0]?.headers ?? null,
      };
      active = kept.push(create(shared, kept.length)) - 1;
    }
  }

  storage.setItem('graphiql:readyTabs', JSON.stringify(tabs));
  storage.setItem('graphiql:tabState', JSON.stringify({ tabs: kept, activeTabIndex: active }));
  // GraphiQL reads the active tab from these keys. If no stored tab equals them, it opens another.
  for (const part of parts) {
    storage.setItem(`graphiql:${part}`, kept[active]?.[part] ?? '');
  }
  if (!keepsHeaders && storage.getItem('graphiql:shouldPersistHeaders') === null) {
    storage.setItem('graphiql:shouldPersistHeaders', 'false');
  }
}
