import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Network } from '../../lib/networks.ts';

/** Which proxies may set `X-Forwarded-For`: this many in a row, or those in these networks. */
export type TrustedProxies = { readonly hops: number } | { readonly networks: readonly Network[] };

/** Finds the network address that a client's limits apply to. For IPv6 that is its /64 network. */
export type AddressOf = (request: IncomingMessage) => string;

export function createAddressOf(trusted: TrustedProxies = { hops: 0 }): AddressOf {
  const isTrusted = 'hops' in trusted ? undefined : createNetworkCheck(trusted.networks);
  const maxHops = 'hops' in trusted ? trusted.hops : Infinity;
  const plainAddresses = new WeakMap<Socket, string>();
  const plainAddressOf = (socket: Socket): string => {
    const known = plainAddresses.get(socket);
    if (known !== undefined) return known;
    const address = toPlainAddress(socket.remoteAddress ?? '');
    plainAddresses.set(socket, address);
    return address;
  };
  return ({ socket, headers }) => {
    let address = plainAddressOf(socket);
    const forwarded = maxHops > 0 ? String(headers['x-forwarded-for'] ?? '').split(',') : [];
    for (const [hop, text] of forwarded.toReversed().entries()) {
      const next = toPlainAddress(withoutPort(text.trim()));
      if (hop >= maxHops || isIP(next) === 0 || isTrusted?.(address) === false) break;
      address = next;
    }
    return toNetwork(address);
  };
}

function createNetworkCheck(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, prefix } of networks)
    list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Some proxies, such as those of Azure, append the port of the client. */
function withoutPort(entry: string): string {
  return entry.replace(/^(\d+(?:\.\d+){3}):\d+$|^\[(.+)\](?::\d+)?$/, '$1$2');
}

/** Without the prefix of a mapped IPv4 address, and without a zone. */
function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
}

function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const { parts } = ipaddr.IPv6.parse(address);
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
