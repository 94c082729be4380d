import { readFileSync } from 'node:fs';
import type { PoolConfig } from 'pg';
import { messageOf } from '../../lib/thrown.ts';

export type ConnectionSettings = Pick<
  PoolConfig,
  'host' | 'port' | 'user' | 'password' | 'database' | 'ssl' | 'application_name'
>;

/**
 * Connection settings from a URL. `sslmode` means what it means in libpq: `require` encrypts without a check of the
 * certificate, `verify-full` checks it against `sslrootcert` or the system's authorities. A `host` parameter that is a path
 * is the directory of a Unix socket.
 * @throws if the file of `sslrootcert` cannot be read
 */
export function readConnectionUrl(text: string): ConnectionSettings {
  const url = new URL(text);
  const parameters = url.searchParams;
  const user = decodeURIComponent(url.username);
  const database = decodeURIComponent(url.pathname.slice(1)) || user;
  const host = parameters.get('host') ?? url.hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    host: host || 'localhost',
    port: Number(url.port || '5432'),
    ...(user && { user }),
    ...(url.password && { password: decodeURIComponent(url.password) }),
    ...(database && { database }),
    ssl: toTls(parameters.get('sslmode') ?? 'disable', parameters.get('sslrootcert')),
    application_name: parameters.get('application_name') ?? 'gengraph',
  };
}

function toTls(mode: string, authorityPath: string | null): ConnectionSettings['ssl'] {
  if (mode === 'disable') return false;
  if (mode === 'require') return { rejectUnauthorized: false };
  return { rejectUnauthorized: true, ...(authorityPath && { ca: readAuthority(authorityPath) }) };
}

/** Its error has no code: that of a missing file is also one of a database that is away. */
function readAuthority(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`cannot read sslrootcert=${path}: ${messageOf(cause)}`, { cause });
  }
}

/** The database of a URL without its credentials, for messages. */
export function describeDatabase(text: string): string {
  const { host = '', port, database = '' } = readConnectionUrl(withoutParameters(text));
  return `${host}:${port}/${database}`;
}

function withoutParameters(text: string): string {
  return text.replace(/\?.*$/s, '');
}
