import { type MouseEvent, useSyncExternalStore } from 'react';
import { base } from './settings.ts';

const listeners = new Set<() => void>();
const notify = (): void => listeners.forEach((listener) => listener());
window.addEventListener('popstate', notify);

/** The segments of the address below the page's base, such as `['g', '{id}']`. */
export function usePlace(): readonly string[] {
  const path = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => location.pathname,
  );
  return path.slice(base.pathname.length).split('/').filter(Boolean).map(decodeURIComponent);
}

export function toHref(...segments: readonly string[]): string {
  return base.pathname + segments.map(encodeURIComponent).join('/');
}

/** Shows another place without loading the page again. */
export function go(href: string, how: 'push' | 'replace' = 'push'): void {
  if (href === location.pathname) return;
  if (how === 'push') history.pushState(null, '', href);
  else history.replaceState(null, '', href);
  notify();
}

/** For links: a plain click stays in the page, any other opens as links do. */
export function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(event.currentTarget.pathname);
  scrollTo(0, 0);
}
