import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** Addresses that may use a token. */
export interface IpList {
  includes(address: string): boolean;
}

/**
 * Parses an allow-list of addresses and CIDR blocks, IPv4 or IPv6, one per line.
 * For an empty text, `list` is undefined: every address may use the token. `wrongLine` is the first invalid line.
 */
export function parseIpList(lines: string): { list: IpList | undefined } | { wrongLine: string } {
  const list = new BlockList();
  let isEmpty = true;
  for (const line of lines.split('\n')) {
    const entry = line.trim();
    if (entry === '') continue;
    isEmpty = false;
    if (!addEntry(list, entry)) return { wrongLine: entry };
  }
  if (isEmpty) return { list: undefined };
  return {
    list: {
      includes(address) {
        const plain = normalizeAddress(address);
        return isIP(plain) !== 0 && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6');
      },
    },
  };
}

function addEntry(list: BlockList, entry: string): boolean {
  const [address = '', prefix, ...rest] = entry.split('/');
  const plain = prefix === undefined ? normalizeAddress(address) : address;
  const [family, bits] = isIPv4(plain) ? (['ipv4', 32] as const) : (['ipv6', 128] as const);
  const length = Number(prefix ?? bits);
  if (isIP(plain) === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0') || length > bits) return false;
  list.addSubnet(plain, length, family);
  return true;
}

/** A dual-stack socket reports an IPv4 client as `::ffff:127.0.0.1`. */
function normalizeAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  const [bare = address] = address.split('%');
  return isIPv6(bare) ? bare : address;
}
