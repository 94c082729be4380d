import { z } from 'zod';
import { decimal, listOf, onOrOff } from './setting-types.ts';

/** A name, an IPv4 address, or an IPv6 address in brackets, each with or without a port. */
const hostPattern = /^([\w-]+(\.[\w-]+)*|\[[\da-f:.]+\])(:\d{1,5})?$/;
const wildcardPattern = /^\*\.[\w-]+(\.[\w-]+)*$/;

const toHost = (text: string): string => text.toLowerCase();
const isHost = (text: string): boolean => hostPattern.test(toHost(text));
const hosts = listOf('hosts such as hooks.internal or 10.0.0.7:8080', isHost, toHost);
const hostsOfOwners = listOf(
  'hosts such as hooks.example.com or *.example.com',
  (text) => isHost(text) || wildcardPattern.test(toHost(text)),
  toHost,
);

/** The receivers of events about ended generations. */
export const webhookSettings = {
  /** JSON, or the path of a file with it. Validated with what it names, at the start. */
  WEBHOOKS: z.string().optional(),
  WEBHOOK_HOSTS: hosts.optional(),
  WEBHOOK_TIMEOUT_SECONDS: decimal(0.1, 60).default(15),
  OWNER_WEBHOOKS: onOrOff.default('off'),
  OWNER_WEBHOOK_HOSTS: hostsOfOwners.optional(),
};

/** Whether a list of hosts has the host of an address. A host without a port stands for every port. */
export function listsHost(list: readonly string[], { hostname, host, port, protocol }: URL): boolean {
  const withPort = port === '' ? `${hostname}:${protocol === 'http:' ? 80 : 443}` : host;
  return list.some(
    (item) =>
      item === hostname || item === withPort || (item.startsWith('*.') && hostname.endsWith(item.slice(1))),
  );
}
