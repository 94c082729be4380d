import { useSyncExternalStore } from 'react';

/** What the page remembers until it is loaded again, or another user signs in. */
export const kept = new Map<string, unknown>();
const listeners = new Set<() => void>();

/** Components that subscribe read again. */
export const notify = (): void => listeners.forEach((listener) => listener());

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A state that stays when its view is left. Until it is set: `initial`, which must be the same object in each render. */
export function useKept<Value>(name: string, initial: Value) {
  const read = () => (kept.has(name) ? kept.get(name) : initial) as Value; // One name has one type.
  const set = (change: (old: Value) => Value): void => {
    kept.set(name, change(read()));
    notify();
  };
  return [useSyncExternalStore(subscribe, read), set] as const;
}
