import type { createEditors, Monaco } from './editors.ts';
import type { CreateElement } from './element.ts';
import type { findMedia } from './find-media.ts';
import type { createLastIds, IdKind } from './last-ids.ts';
import type { createMediaPane } from './media-pane.ts';
import type { createOperationBar, MenuItem } from './operation-bar.ts';

/** An operation with the texts of its tab. */
export interface ExplorerOperation extends MenuItem {
  readonly query: string;
  readonly variables: string;
  readonly headers: string;
}

export interface ExplorerOptions {
  readonly monaco: Monaco;
  readonly operations: readonly ExplorerOperation[];
  readonly kinds: readonly IdKind[];
  /** The functions of the page. Each is self-contained. */
  readonly parts: {
    readonly createElement: CreateElement;
    readonly createEditors: typeof createEditors;
    readonly findMedia: typeof findMedia;
    readonly createLastIds: typeof createLastIds;
    readonly createMediaPane: typeof createMediaPane;
    readonly createOperationBar: typeof createOperationBar;
  };
}

/**
 * Adds to GraphiQL what its own interface lacks: the menu of operations, ids that are filled in, and the media of results. It
 * reads and writes the texts of the editors, as the user does. The source text of this function is inlined in the page, so it
 * must be self-contained.
 */
export function startExplorer({ monaco, operations, kinds, parts }: ExplorerOptions): void {
  const { createElement, createEditors, findMedia, createLastIds, createMediaPane, createOperationBar } =
    parts;
  // A result of a stream changes many times a second.
  const [readDelayMs, settleMs, maxResultChars] = [80, 50, 40_000_000];
  const byTitle = new Map(operations.map((operation) => [operation.title, operation]));
  const lastIds = createLastIds({ storage: localStorage, kinds });
  const debounce = (run: () => void, delayMs: number): (() => void) => {
    let timer: number | undefined;
    return () => {
      timer ??= window.setTimeout(() => {
        timer = undefined;
        run();
      }, delayMs);
    };
  };
  const editors = createEditors({
    monaco,
    // GraphiQL changes the query before the variables.
    onTab: debounce(() => fillIds(), settleMs),
    onResult: debounce(() => readResult(), readDelayMs),
  });
  const pane = createMediaPane(document.body, createElement);
  const bar = createOperationBar({
    parent: document.querySelector<HTMLElement>('#bar') ?? document.body,
    createElement,
    items: operations,
    open: (title) => open(title),
  });

  const operationOf = (query: string): string =>
    /^[^#\n]*\b(?:query|subscription|mutation)\s+(\w+)/m.exec(query)?.[1] ?? '';
  const fillIds = (): void => {
    const variables = editors.textOf('variables.json');
    const { text, missing } = lastIds.fill(operationOf(editors.textOf('operation.graphql')), variables);
    if (text !== variables) editors.setText('variables.json', text);
    bar.hint(missing?.hint, missing?.maker);
  };
  const readResult = (): void => {
    const text = editors.textOf('response.json');
    if (text.length > maxResultChars) return;
    let result: unknown;
    try {
      result = JSON.parse(text || 'null');
    } catch {
      // GraphiQL shows some errors as text.
      result = null;
    }
    const [next] = lastIds.note(result).flatMap(({ follow }) => follow ?? []);
    pane.show(findMedia(result), next && { label: next.label, run: () => follow(next.operation) });
    fillIds();
  };

  const open = (title: string): void => {
    const operation = byTitle.get(title);
    if (!operation) return;
    const tabs = [...document.querySelectorAll<HTMLElement>('.graphiql-tab-button')];
    const tab = tabs.find(({ textContent }) => textContent === title);
    if (tab) tab.click();
    else {
      // GraphiQL does so for other changes of the tab. A running subscription would write its results into the new one.
      document.querySelector<HTMLElement>('.graphiql-execute-button[aria-label^="Stop"]')?.click();
      document.querySelector<HTMLElement>('.graphiql-tab-add')?.click();
      editors.setText('operation.graphql', operation.query);
      editors.setText('variables.json', operation.variables);
      editors.setText('request-headers.json', operation.headers);
    }
    // There, Ctrl+Enter runs it. On a phone, the keyboard would cover it.
    if (matchMedia('(hover: hover)').matches) editors.focus('operation.graphql');
  };
  /** Opens the operation and runs it, when GraphiQL has its name. */
  const follow = (title: string): void => {
    open(title);
    const runWhenReady = (attempts: number): void => {
      const isReady =
        operationOf(localStorage.getItem('graphiql:query') ?? '') === title &&
        operationOf(editors.textOf('operation.graphql')) === title;
      if (isReady) document.querySelector<HTMLElement>('.graphiql-execute-button')?.click();
      else if (attempts > 0) setTimeout(() => runWhenReady(attempts - 1), settleMs);
    };
    setTimeout(() => runWhenReady(60), settleMs);
  };
}
