import type { Bus } from './bus.ts';

/** Bus within one process. */
export function createInProcessBus(): Bus {
  const topics = new Map<string, Set<(subject: string) => void>>();
  return {
    get subscriptions() {
      return [...topics.values()].reduce((count, { size }) => count + size, 0);
    },
    publish(topic, subject) {
      for (const onMessage of topics.get(topic) ?? []) onMessage(subject);
    },
    subscribe(topic, onMessage) {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners);
      // Wrapped, so that one function can subscribe twice.
      const listener = (subject: string): void => onMessage(subject);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
  };
}
