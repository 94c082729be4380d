import { describe, expect, test } from 'vitest';
import { type EditorStart, type EditorTab, prepareEditor } from '../../src/server/graphiql-storage.ts';

const chat = tab('Chat', '{"input":1}');
const voices = tab('Voices', '{"first":20}');

describe("GraphiQL's storage", () => {
  test('shows the first ready tab with its variables and headers at the first visit', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Chat', 'Voices']);
    expect(browser.shown()).toEqual({ query: chat.query, variables: '{"input":1}', headers: '{"key":1}' });
  });

  test('keeps what the user edited, and the tab in view', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { variables: '{"first":3}' });
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Chat', 'Voices']);
    expect(browser.shown()).toEqual({ query: voices.query, variables: '{"first":3}', headers: '{"key":1}' });
  });

  test('appends the tabs of a later version and renews what the user has not touched', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { variables: '{"first":3}' });
    const later = { ...voices, query: 'query Voices { later }', variables: '{"first":50}' };
    browser.visit({ tabs: [chat, later, tab('Songs')] });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Songs']);
    expect(browser.shown()).toEqual({ query: later.query, variables: '{"first":3}', headers: '{"key":1}' });
  });

  test('fills in the credential of another gateway where the earlier one was left alone', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { headers: '{"key":"mine"}' });
    browser.visit({ tabs: [chat, voices].map((each) => ({ ...each, headers: '{"key":2}' })) });
    expect(browser.tabs().map(({ headers }) => headers)).toEqual(['{"key":2}', '{"key":"mine"}']);
  });

  test('does not bring back a tab that the user closed', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.close('Chat');
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Voices']);
  });

  test('opens a shared operation in a tab of its own, once', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices], sharedQuery: 'query Shared { x }' });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Shared']);
    expect(browser.shown()).toEqual({ query: 'query Shared { x }', variables: '', headers: '{"key":1}' });
    browser.visit({ tabs: [chat, voices], sharedQuery: 'query Shared { x }' });
    expect(browser.titles()).toEqual(['Chat', 'Voices', 'Shared']);
  });

  test('forgets typed credentials unless told otherwise, and keeps them once the user says so', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat], keepsHeaders: false });
    expect(browser.stored.get('graphiql:shouldPersistHeaders')).toBe('false');
    browser.stored.set('graphiql:shouldPersistHeaders', 'true');
    browser.visit({ tabs: [chat], keepsHeaders: false });
    expect(browser.stored.get('graphiql:shouldPersistHeaders')).toBe('true');
  });

  test('fills in the ready headers where GraphiQL was told to forget them', () => {
    const browser = createBrowser();
    browser.visit({ tabs: [chat, voices] });
    browser.edit('Voices', { headers: null });
    browser.visit({ tabs: [chat, voices] });
    expect(browser.shown().headers).toBe('{"key":1}');
  });

  test.each(['not JSON', '[]', '{"tabs":[]}', '{"tabs":7}', 'null'])('starts afresh from %s', (state) => {
    const browser = createBrowser();
    browser.stored.set('graphiql:tabState', state);
    browser.stored.set('graphiql:readyTabs', state);
    browser.visit({ tabs: [chat, voices] });
    expect(browser.titles()).toEqual(['Chat', 'Voices']);
    expect(browser.shown().query).toBe(chat.query);
  });
});

function tab(title: string, variables = '{}'): EditorTab {
  return { title, query: `query ${title} { x }`, variables, headers: '{"key":1}' };
}

type State = { readonly tabs: readonly EditorTab[]; readonly activeTabIndex: number };

/** A browser's storage, with what GraphiQL does to it between two visits. */
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
    close(title: string): void {
      store({ tabs: state().tabs.filter((each) => each.title !== title), activeTabIndex: 0 });
    },
    tabs: () => state().tabs,
    titles: () => state().tabs.map(({ title }) => title),
    /** What GraphiQL takes for the tab to show; it opens another where no stored tab is equal. */
    shown() {
      const read = (part: string): string | undefined => stored.get(`graphiql:${part}`);
      const active = state().tabs[state().activeTabIndex];
      expect(active).toMatchObject({ query: read('query') });
      return { query: read('query'), variables: read('variables'), headers: read('headers') };
    },
  };
}
