import { describe, expect, test } from 'vitest';
import {
  type EditorStart,
  type EditorTab,
  type OfferedTab,
  prepareEditor,
} from '../../../../src/server/pages/graphiql/graphiql-storage.ts';

const chat = tab('Chat', { variables: '{"input":1}' });
const voices = tab('Voices', { variables: '{"first":20}', initialAt: 1 });
const songs = tab('Songs', { initialAt: 2 });
/** In the menu only. */
const viewer = tab('Viewer', { initialAt: -1 });

describe("GraphiQL's storage", () => {
  test('shows the first predefined tab with its variables and headers at the first visit', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Chat', 'Voices']);
    expect(browser.shown()).toEqual({ query: chat.query, variables: '{"input":1}', headers: '{"key":1}' });
  });

  test('opens the initial tabs in their order, and no others', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [viewer, voices, chat] });
    expect(browser.titles()).toEqual(['Chat', 'Voices']);
    expect(browser.shown().query).toBe(chat.query);
  });

  test('keeps and updates a tab that the user opened from the menu', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices, viewer] });
    browser.open(viewer);
    const later = { ...viewer, query: 'query Viewer { later }' };
    browser.visit({ tabs: [chat, voices, later] });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Viewer']);
    expect(browser.shown().query).toBe(later.query);
  });

  test.each([
    ['this form', (each: OfferedTab): OfferedTab => each],
    [
      'the form of versions in which all operations were tabs',
      ({ title, query, variables, headers }: OfferedTab) => ({ title, query, variables, headers }),
    ],
  ])('closes unedited tabs that are no longer initial, from %s', (_form, toStored) => {
    const browser = createBrowser();
    const earlier = [chat, voices, songs, viewer].map((each, initialAt) => ({ ...each, initialAt }));
    browser.visit({ tabs: earlier });
    browser.edit('Songs', { variables: '{"mine":1}' });
    browser.edit('Viewer', {});
    browser.stored.set('graphiql:readyTabs', JSON.stringify(earlier.map(toStored)));
    browser.visit({ tabs: [chat, ...[voices, songs, viewer].map((each) => ({ ...each, initialAt: -1 }))] });
    expect(browser.titles()).toEqual(['Chat', 'Songs']);
    expect(browser.shown().query).toBe(chat.query);
  });

  test('keeps edited tabs and the active tab', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { variables: '{"first":3}' });
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Chat', 'Voices']);
    expect(browser.shown()).toEqual({ query: voices.query, variables: '{"first":3}', headers: '{"key":1}' });
  });

  test('appends the tabs of a later version and updates unedited ones', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { variables: '{"first":3}' });
    const later = { ...voices, query: 'query Voices { later }', variables: '{"first":50}' };
    browser.visit({ tabs: [chat, later, songs] });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Songs']);
    expect(browser.shown()).toEqual({ query: later.query, variables: '{"first":3}', headers: '{"key":1}' });
  });

  test('replaces the credential of an earlier gateway in unedited tabs', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { headers: '{"key":"mine"}' });
    browser.visit({ tabs: [chat, voices].map((each) => ({ ...each, headers: '{"key":2}' })) });
    expect(browser.tabs().map(({ headers }) => headers)).toEqual(['{"key":2}', '{"key":"mine"}']);
  });

  test('does not restore a closed tab', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.close('Chat');
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Voices']);
  });

  test('opens a shared operation in its own tab, once', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices], sharedQuery: 'query Shared { x }' });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Shared']);
    expect(browser.shown()).toEqual({ query: 'query Shared { x }', variables: '', headers: '{"key":1}' });
    browser.visit({ tabs: [chat, voices], sharedQuery: 'query Shared { x }' });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Shared']);
  });

  test('opens a shared operation with its variables, and the same one with others in another tab', () => {
    const browser = createBrowser();
    const shared = { tabs: [chat, voices], sharedQuery: 'query Shared { x }' };
    browser.visit({ ...shared, sharedVariables: '{"a":1}' });
    expect(browser.shown()).toMatchObject({ query: 'query Shared { x }', variables: '{"a":1}' });
    browser.visit({ ...shared, sharedVariables: '{"a":1}' });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Shared']);
    browser.visit({ ...shared, sharedVariables: '{"a":2}' });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Shared', 'Shared']);
    expect(browser.shown()).toMatchObject({ variables: '{"a":2}' });
  });

  test('does not persist typed credentials by default, but does if the user enables it', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat], keepsHeaders: false });
    expect(browser.stored.get('graphiql:shouldPersistHeaders')).toBe('false');
    browser.stored.set('graphiql:shouldPersistHeaders', 'true');
    browser.visit({ tabs: [chat], keepsHeaders: false });
    expect(browser.stored.get('graphiql:shouldPersistHeaders')).toBe('true');
  });

  test('restores the predefined headers if GraphiQL does not persist headers', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { headers: null });
    browser.visit({ tabs: [chat, voices] });
    expect(browser.shown().headers).toBe('{"key":1}');
  });

  test.each(['not JSON', '[]', '{"tabs":[]}', '{"tabs":7}', 'null'])(
    'discards the invalid state %s',
    (state) => {
      const browser = createBrowser();
      browser.stored.set('graphiql:tabState', state);
      browser.stored.set('graphiql:readyTabs', state);
      browser.visit({ tabs: [chat, voices] });
      expect(browser.titles()).toEqual(['Chat', 'Voices']);
      expect(browser.shown().query).toBe(chat.query);
    },
  );
});

function tab(title: string, { variables = '{}', initialAt = 0 }: Partial<OfferedTab> = {}): OfferedTab {
  return { title, query: `query ${title} { x }`, variables, headers: '{"key":1}', initialAt };
}

type State = { readonly tabs: readonly EditorTab[]; readonly activeTabIndex: number };

/** A fake localStorage that simulates the changes of GraphiQL between two visits. */
function createBrowser() {
  const stored = new Map<string, string>();
  const state = (): State => JSON.parse(stored.get('graphiql:tabState') ?? '') as State;
  const store = (next: State): void => void stored.set('graphiql:tabState', JSON.stringify(next));
  return {
    stored,
    visit(start: Pick<EditorStart, 'tabs'> & Partial<EditorStart>): void {
      const storage: EditorStart['storage'] = {
        getItem: (key) => stored.get(key) ?? null,
        setItem: (key, value) => void stored.set(key, value),
      };
      prepareEditor({ storage, sharedQuery: null, keepsHeaders: true, ...start });
    },
    edit(title: string, changes: Partial<EditorTab>): void {
      const { tabs } = state();
      const activeTabIndex = tabs.findIndex((each) => each.title === title);
      store({
        tabs: tabs.map((each, at) => (at === activeTabIndex ? { ...each, ...changes } : each)),
        activeTabIndex,
      });
    },
    open({ title, query, variables, headers }: EditorTab): void {
      const tabs = [...state().tabs, { title, query, variables, headers }];
      store({ tabs, activeTabIndex: tabs.length - 1 });
    },
    close(title: string): void {
      store({ tabs: state().tabs.filter((each) => each.title !== title), activeTabIndex: 0 });
    },
    tabs: () => state().tabs,
    titles: () => state().tabs.map(({ title }) => title),
    /** The active tab. GraphiQL opens another if no stored tab is equal. */
    shown() {
      const read = (part: string): string | undefined => stored.get(`graphiql:${part}`);
      const active = state().tabs[state().activeTabIndex];
      expect(active).toMatchObject({ query: read('query') });
      return { query: read('query'), variables: read('variables'), headers: read('headers') };
    },
  };
}
