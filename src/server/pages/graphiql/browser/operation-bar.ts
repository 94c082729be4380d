import type { CreateElement } from './element.ts';

/** An operation that the menu offers. */
export interface MenuItem {
  /** The name of the operation. */
  readonly title: string;
  /** The heading of its group. */
  readonly group: string;
  /** One sentence. */
  readonly summary: string;
}

export interface OperationBarOptions {
  readonly parent: HTMLElement;
  readonly createElement: CreateElement;
  readonly items: readonly MenuItem[];
  open(title: string): void;
}

export interface OperationBar {
  /** Says what to do first, with a button that opens that operation. Undefined clears it. */
  hint(text: string | undefined, maker?: string): void;
}

/**
 * The bar above GraphiQL: a menu of all operations, and a line that says what a tab needs. The source text of this function is
 * inlined in the page, so it must be self-contained.
 */
export function createOperationBar({
  parent,
  createElement,
  items,
  open,
}: OperationBarOptions): OperationBar {
  const filter = createElement('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter operations',
    autofocus: '',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const groups = createElement('div', { class: 'gengraph-groups' });
  const none = createElement('p', { hidden: '' }, ['No operation matches.']);
  const menu = createElement('div', { id: 'operations', popover: '', 'aria-label': 'All operations' }, [
    filter,
    groups,
    none,
  ]);
  const toggle = createElement('button', { type: 'button', popovertarget: menu.id }, ['All operations']);
  const text = createElement('span');
  const action = createElement('button', { type: 'button', hidden: '' });
  const hint = createElement('p', { role: 'status' }, [text, ' ', action]);
  parent.append(toggle, hint, menu);

  const choose = (title: string): void => {
    menu.hidePopover();
    open(title);
  };
  const buttons = items.map((item) => {
    const button = createElement('button', { type: 'button', 'data-group': item.group }, [
      createElement('b', {}, [item.title]),
      createElement('span', {}, [item.summary]),
    ]);
    button.addEventListener('click', () => choose(item.title));
    return { item, button };
  });
  for (const group of new Set(items.map((item) => item.group))) {
    const members = buttons.filter(({ item }) => item.group === group).map(({ button }) => button);
    groups.append(createElement('section', {}, [createElement('h2', {}, [group]), ...members]));
  }
  const applyFilter = (): void => {
    const words = filter.value.toLowerCase().split(/\s+/);
    for (const { item, button } of buttons) {
      const described = `${item.title} ${item.group} ${item.summary}`.toLowerCase();
      button.hidden = !words.every((word) => described.includes(word));
    }
    for (const section of groups.children)
      section.toggleAttribute('hidden', !section.querySelector('button:not([hidden])'));
    none.hidden = buttons.some(({ button }) => !button.hidden);
  };
  filter.addEventListener('input', applyFilter);
  // Before it is shown: a user may type at once.
  menu.addEventListener('beforetoggle', () => {
    filter.value = '';
    applyFilter();
  });
  menu.addEventListener('keydown', (event) => {
    const offered = buttons.filter(({ button }) => !button.hidden).map(({ button }) => button);
    const at = offered.findIndex((button) => button === document.activeElement);
    if (event.key === 'Enter' && at < 0) offered[0]?.click();
    else if (event.key === 'ArrowDown') offered[at + 1]?.focus();
    else if (event.key === 'ArrowUp') (offered[at - 1] ?? filter).focus();
    else return;
    event.preventDefault();
  });
  let maker: string | undefined;
  action.addEventListener('click', () => maker !== undefined && open(maker));
  return {
    hint(message, operation) {
      maker = operation;
      if (text.textContent !== (message ?? '')) text.textContent = message ?? '';
      action.hidden = operation === undefined;
      action.textContent = operation === undefined ? '' : `Open ${operation}`;
    },
  };
}
