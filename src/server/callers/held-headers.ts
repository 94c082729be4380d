import type { IncomingHttpHeaders } from 'node:http';
import { isRecord } from '../../lib/json.ts';
import { clientHeaders } from './client-name.ts';
import { identityHeaders, maxHeaderLength } from './identity.ts';

const names: ReadonlySet<string> = new Set([
  ...identityHeaders,
  ...clientHeaders,
  'traceparent',
  'tracestate',
]);

/** The headers of an upgrade request that the operations of its socket read. The socket holds them, not the request. */
export function pickUpgradeHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const picked: IncomingHttpHeaders = {};
  for (const name of [...names, 'host', 'x-request-id'])
    if (headers[name] !== undefined) picked[name] = headers[name];
  return picked;
}

/** The headers in `connectionParams` that operations read. The socket holds them, not the message. */
export function pickParams(params: Readonly<Record<string, unknown>> | undefined): readonly unknown[] {
  // Apollo Router nests them one level deeper.
  return [pick(params?.['connectionParams']), pick(params)];
}

function pick(params: unknown): Readonly<Record<string, unknown>> {
  const picked = new Map<string, Map<string, unknown>>();
  for (const [name, value] of Object.entries(isRecord(params) ? params : {})) {
    const key = name.toLowerCase();
    const spellings = picked.get(key) ?? new Map<string, unknown>();
    // Two different values of one header are refused already.
    if (!names.has(key) || spellings.size > 1) continue;
    if (![...spellings.values()].includes(value)) spellings.set(name, shorten(value));
    picked.set(key, spellings);
  }
  return Object.fromEntries([...picked.values()].flatMap((spellings) => [...spellings]));
}

/** Keeps no large value: one that is too long stays too long, and one that is not text stays so. */
function shorten(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return {};
  if (typeof value !== 'string' || value.length <= maxHeaderLength) return value;
  // A copy, because a slice would hold the whole text.
  return Buffer.from(value.slice(0, maxHeaderLength + 1)).toString();
}
