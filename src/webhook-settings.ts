import { z } from 'zod';

const splitList = (text: string) => text.split(',').map((item) => item.trim().toLowerCase());
/** A name, an IPv4 address, or an IPv6 address in brackets, each with or without a port. */
const hostPattern = /^([\w-]+(\.[\w-]+)*|\[[\da-f:.]+\])(:\d{1,5})?$/;
const wildcardPattern = /^\*\.[\w-]+(\.[\w-]+)*$/;

const hosts = z
  .string()
  .refine((text) => splitList(text).every((host) => hostPattern.test(host)), {
    error: 'expected hosts such as hooks.internal or 10.0.0.7:8080, separated by commas',
  })
  .transform(splitList);
const hostsOfOwners = z
  .string()
  .refine((text) => splitList(text).every((host) => hostPattern.test(host) || wildcardPattern.test(host)), {
    error: 'expected hosts such as hooks.example.com or *.example.com, separated by commas',
  })
  .transform(splitList);

/** The receivers of events about ended generations. */
export const webhookSettings = {
  /** JSON, or the path of a file with it. Validated with what it names, at the start. */
  WEBHOOKS: z.string().optional(),
  WEBHOOK_HOSTS: hosts.optional(),
  WEBHOOK_TIMEOUT_SECONDS: z
    .string()
    .refine((text) => /^\d+(\.\d+)?$/.test(text) && Number(text) >= 0.1 && Number(text) <= 60, {
      error: 'expected a number from 0.1 to 60',
    })
    .transform(Number)
    .default(15),
  OWNER_WEBHOOKS: z.enum(['on', 'off'], { error: 'expected on or off' }).default('off'),
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
