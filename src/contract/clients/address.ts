/** Where a server listens. */
export interface Address {
  /** Of GraphQL over HTTP. */
  readonly url: string;
  /** Of GraphQL over WebSocket. */
  readonly socketUrl: string;
  /** What the server expects as the `Host` of its requests, if they pass a proxy of another name. */
  readonly host?: string | undefined;
}
