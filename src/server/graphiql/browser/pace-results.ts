/**
 * GraphiQL renders each result of a subscription in full, at once. A fast stream of growing results occupies a slow computer, so
 * that clicks wait for its end. With this function, a socket's results arrive at most 20 times a second, the latest of each
 * operation: the page shows no other. The source text of this function is inlined in the page, so it must be self-contained.
 *
 * @param prototype of WebSocket, whose `onmessage` it changes: GraphiQL's client (graphql-ws) listens by it
 */
export function paceResults(prototype: WebSocket): void {
  const pauseMs = 50;
  type Listen = (event: MessageEvent) => void;
  /** The operation of a result that the next one replaces. */
  const replaceableId = ({ data }: MessageEvent): string | undefined => {
    const message = JSON.parse(String(data)) as {
      readonly type?: string;
      readonly id?: string;
      readonly payload?: { readonly hasNext?: unknown };
    };
    // The parts of an incremental delivery belong together.
    return message.type === 'next' && message.payload?.hasNext === undefined ? message.id : undefined;
  };
  const pace = (listen: Listen): Listen => {
    const latest = new Map<string, MessageEvent>();
    let timer: number | undefined;
    let pausedUntil = 0;
    const deliver = (): void => {
      window.clearTimeout(timer);
      timer = undefined;
      const events = [...latest.values()];
      latest.clear();
      for (const event of events) listen(event);
      pausedUntil = performance.now() + pauseMs;
    };
    return (event) => {
      const id = replaceableId(event);
      if (id === undefined) {
        deliver();
        listen(event);
      } else {
        latest.set(id, event);
        timer ??= window.setTimeout(deliver, Math.max(0, pausedUntil - performance.now()));
      }
    };
  };
  const property = Object.getOwnPropertyDescriptor(prototype, 'onmessage');
  Object.defineProperty(prototype, 'onmessage', {
    ...property,
    set(this: WebSocket, listen: Listen | null) {
      property?.set?.call(this, listen && pace((event) => listen.call(this, event)));
    },
  });
}
