import type { Bus } from './bus.ts';
import type { Exchange } from './exchange.ts';
import { createInProcessBus } from './in-process-bus.ts';

export interface SharedBusOptions {
  /** Other instances, which receive every message too. @default there are none */
  readonly exchange?: Exchange | undefined;
  /** Called with each message of another instance, after the subscribers. */
  readonly onRemote?: (topic: string, subject: string) => void;
}

/** Bus of all instances. Subscribers in this process are called directly and never wait for the database. */
export function createSharedBus({ exchange, onRemote }: SharedBusOptions): Bus {
  const local = createInProcessBus();
  if (!exchange) return local;
  exchange.listen(changedTopic, (body) => {
    if (!Array.isArray(body)) return;
    const [topic, subject]: readonly unknown[] = body;
    if (typeof topic !== 'string' || typeof subject !== 'string') return;
    local.publish(topic, subject);
    onRemote?.(topic, subject);
  });
  return {
    get subscriptions() {
      return local.subscriptions;
    },
    publish(topic, subject) {
      local.publish(topic, subject);
      exchange.send(changedTopic, JSON.stringify([topic, subject]));
    },
    subscribe(topic, onMessage, onGap) {
      const unsubscribe = local.subscribe(topic, onMessage);
      const forgetGap = onGap && exchange.onGap(onGap);
      return () => {
        unsubscribe();
        forgetGap?.();
      };
    },
  };
}

const changedTopic = 'changed';
