import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { createAddressOf, type TrustedProxies } from '../../../src/server/admission/client-address.ts';

function addressOf(trusted: TrustedProxies | undefined, remoteAddress: string, forwarded?: string): string {
  const request = { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } };
  return createAddressOf(trusted)(request as unknown as IncomingMessage); // It reads only these members.
}

const networks = {
  networks: [
    { address: '10.0.0.0', prefix: 8 },
    { address: 'fd00::', prefix: 8 },
  ],
};

test.each([
  ['an IPv4 address', undefined, '192.0.2.1', undefined, '192.0.2.1'],
  ['a mapped IPv4 address', undefined, '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['an IPv6 address', undefined, '2001:db8:0:1:2:3:4:5', undefined, '2001:db8:0:1::/64'],
  ['a short IPv6 address', undefined, '2001:db8::5', undefined, '2001:db8:0:0::/64'],
  ['the IPv6 loopback', undefined, '::1', undefined, '0:0:0:0::/64'],
  ['an IPv6 address with a zone', undefined, 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['an IPv6 address that ends like IPv4', undefined, 'a:b::c:d:e:1.2.3.4', undefined, 'a:b:0:c::/64'],
  ['a header that nobody may set', undefined, '192.0.2.1', '198.51.100.1', '192.0.2.1'],
  ['one trusted proxy', { hops: 1 }, '10.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
  ['two trusted proxies', { hops: 2 }, '10.0.0.1', '203.0.113.9, 198.51.100.1', '203.0.113.9'],
  ['more hops than entries', { hops: 5 }, '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['an entry with a port', { hops: 1 }, '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['an IPv6 entry with a port', { hops: 1 }, '10.0.0.1', '[2001:db8::5]:4711', '2001:db8:0:0::/64'],
  ['an IPv6 entry in brackets', { hops: 1 }, '10.0.0.1', '[2001:db8::5]', '2001:db8:0:0::/64'],
  ['no header', { hops: 1 }, '10.0.0.1', undefined, '10.0.0.1'],
  ['an entry that is not an address', { hops: 2 }, '10.0.0.1', 'unknown, 198.51.100.1', '198.51.100.1'],
  ['a trusted network', networks, '10.0.0.1', '203.0.113.9, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
  ['a trusted IPv6 network', networks, 'fd00::7', '198.51.100.1', '198.51.100.1'],
  ['a network that is not trusted', networks, '192.0.2.1', '198.51.100.1', '192.0.2.1'],
] as const)('%s', (_what, trusted, remoteAddress, forwarded, expected) => {
  expect(addressOf(trusted, remoteAddress, forwarded)).toBe(expected);
});
