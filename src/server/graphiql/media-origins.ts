export interface MediaOriginsOptions {
  /** The sandbox's address, if the gateway is the program's own sandbox. */
  readonly gatewayUrl: string;
  readonly trustedOrigins: readonly string[];
  /** Whether the gateway is a sandbox that puts the host of its caller into the addresses of its files. */
  readonly forwardsHost: boolean;
}

/** Origins without TLS that have files of results. @param host the Host header of the page's request, if it is valid */
export function createMediaOrigins({ gatewayUrl, trustedOrigins, forwardsHost }: MediaOriginsOptions) {
  const { origin, port } = new URL(gatewayUrl);
  const fixed = [origin, ...trustedOrigins].filter((each) => each.startsWith('http:'));
  return (host: string | undefined): readonly string[] => {
    if (!forwardsHost || host === undefined || !URL.canParse(`http://${host}`)) return fixed;
    return [...fixed, `http://${new URL(`http://${host}`).hostname}:${port}`];
  };
}
