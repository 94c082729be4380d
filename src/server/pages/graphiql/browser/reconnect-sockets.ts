/**
 * Lets GraphiQL's WebSocket client, graphql-ws with its default options, connect again while the server restarts. The client tries
 * again after a `close` event and gives up after an `error` event, which a browser sends first if a connection is refused. A
 * `close` follows every `error`, so the client gets only that. GraphiQL prints the event as the result if the client gives up, so
 * it gets a message. The source text of this function is inlined in the page, so it must be self-contained.
 * @param prototype of all sockets of the page
 */
export function reconnectSockets(prototype: WebSocket): void {
  Object.defineProperty(prototype, 'onerror', { set() {} });
  const onclose = Object.getOwnPropertyDescriptor(prototype, 'onclose');
  Object.defineProperty(prototype, 'onclose', {
    set(this: WebSocket, listener: ((event: object) => void) | null) {
      onclose?.set?.call(
        this,
        listener &&
          (({ code, reason }: CloseEvent) =>
            listener({ code, reason, message: reason || 'The connection to the server is lost.' })),
      );
    },
  });
}
