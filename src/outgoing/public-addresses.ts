import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The address is not one that a request may be sent to. Nothing was sent. The message does not name the address it resolved to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Whether an IP address belongs to the public internet: not private, loopback, link-local, translated, multicast or reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  // Global unicast is 2000::/3 (RFC 4291). The rest is reserved, or of local meaning.
  return parsed.kind() === 'ipv4' || parsed.match(ipaddr.parseCIDR('2000::/3'));
}

/** Whether a host is an IP address that is not public. Names are checked when they are looked up. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) !== 0 && !isPublicAddress(address);
}

/**
 * A look-up of names that fails unless all addresses of a name are public. A socket connects to the addresses that it returns,
 * so there is no second look-up that could have another result.
 */
export function onlyPublic(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, options, (error, result, family) => {
      if (error) return callback(error, result, family);
      const addresses: readonly LookupAddress[] =
        typeof result === 'string' ? [{ address: result, family: family ?? 0 }] : result;
      if (addresses.every(({ address }) => isPublicAddress(address))) return callback(null, result, family);
      return callback(new RefusedAddressError(`${hostname} is not a public address`), [], 0);
    });
  };
}
