/** What graphql-ws needs of a WebSocket class. Notes when each socket was made. */
class StubSocket extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = StubSocket.CONNECTING;
  constructor(openedAt: number[]) {
    super();
    openedAt.push(Date.now());
  }
  close(): void {}
}

/** A WebSocket whose handshake never ends. */
export class HangingSocket extends StubSocket {
  static readonly openedAt: number[] = [];
  constructor() {
    super(HangingSocket.openedAt);
  }
}

/** A WebSocket whose server acknowledges the connection, and then says nothing more, as when its host has gone. */
export class SilentSocket extends StubSocket {
  static readonly openedAt: number[] = [];
  static readonly pingedAt: number[] = [];
  override readyState = StubSocket.OPEN;
  onopen?: () => void;
  onmessage?: (event: { readonly data: string }) => void;
  constructor() {
    super(SilentSocket.openedAt);
    setTimeout(() => this.onopen?.());
  }
  send(text: string): void {
    if (text.includes('connection_init'))
      setTimeout(() => this.onmessage?.({ data: '{"type":"connection_ack"}' }));
    if (text.includes('"ping"')) SilentSocket.pingedAt.push(Date.now());
  }
  override close(): void {
    this.readyState = StubSocket.CLOSED;
  }
}
