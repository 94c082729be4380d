import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';
import { notify, subscribe } from './kept.ts';
import { base } from './settings.ts';

addEventListener('popstate', notify);

/** The parts of the address, such as `g` and an id. */
export function usePlace() {
  const { pathname, search, searchParams } = new URL(useSyncExternalStore(subscribe, () => location.href));
  const [view, id] = pathname.slice(base.pathname.length).split('/').filter(Boolean);
  return { here: pathname + search, view, id, search: searchParams };
}

/** Shows another place below the page's base, such as `g/{id}`, without loading the page again. */
export function go(to: string, how: 'push' | 'replace' = 'push'): void {
  const href = base.pathname + to;
  if (href === location.pathname + location.search) return;
  // Where the visitor leaves a list, `back` shows it again.
  if (how === 'push') history.replaceState(scrollY, '');
  history[`${how}State`](null, '', href);
  notify();
}

/** A link inside of the page: a plain click stays in it, any other opens as links do. */
export function Link({ to, ...others }: { readonly to: string } & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
    scrollTo(0, 0);
  };
  return <a {...others} href={base.pathname + to} onClick={follow} />;
}
