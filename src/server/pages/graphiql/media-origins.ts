export interface MediaOriginsOptions {
  /** The sandbox's address, if the gateway is the program's own sandbox. */
  readonly gatewayUrl: string;
  readonly trustedOrigins: readonly string[];
  /** The address of this server for clients, if it keeps files. Undefined before it listens. */
  readonly filesUrl?: () => string | undefined;
  /** Whether the gateway is a sandbox that puts the host of its caller into the addresses of its files. */
  readonly forwardsHost: boolean;
}

/** Origins without TLS that have files of results. @param host the Host header of the page's request, if it is valid */
export function createMediaOrigins({
  gatewayUrl,
  trustedOrigins,
  filesUrl = () => undefined,
  forwardsHost,
}: MediaOriginsOptions) {
  const { origin, port } = new URL(gatewayUrl);
  return (host: string | undefined): readonly string[] => {
    const url = filesUrl();
    const all = [origin, ...trustedOrigins, ...(url === undefined ? [] : [new URL(url).origin])];
    const fixed = all.filter((each) => each.startsWith('http:'));
    if (!forwardsHost || host === undefined || !URL.canParse(`http://${host}`)) return fixed;
    return [...fixed, `http://${new URL(`http://${host}`).hostname}:${port}`];
  };
}
