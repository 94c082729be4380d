import { isRecord } from '../../lib/json.ts';
import { abbreviate } from '../../lib/text.ts';

/** The program of the client, as it names itself. For the log. */
export interface ClientName {
  readonly clientName?: string;
  readonly clientVersion?: string;
}

const nameHeaders = ['graphql-client-name', 'apollographql-client-name'] as const;
const versionHeaders = ['graphql-client-version', 'apollographql-client-version'] as const;
export const clientHeaders: readonly string[] = [...nameHeaders, ...versionHeaders];

const maxLength = 100;

/**
 * Name and version from HTTP headers or `connectionParams`. Later sources override earlier ones.
 * @param headers of HTTP, with names in lowercase
 * @param params headers in any spelling
 */
export function findClient(
  headers: Readonly<Record<string, unknown>>,
  params: readonly unknown[] = [],
): ClientName {
  const sources = [headers, ...params.map((source) => withLowerCase(source))];
  const clientName = findText(sources, nameHeaders);
  const clientVersion = findText(sources, versionHeaders);
  return { ...(clientName && { clientName }), ...(clientVersion && { clientVersion }) };
}

function withLowerCase(source: unknown): Readonly<Record<string, unknown>> {
  const entries = Object.entries(isRecord(source) ? source : {});
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function findText(
  sources: readonly Readonly<Record<string, unknown>>[],
  names: readonly string[],
): string | undefined {
  for (const source of sources.toReversed())
    for (const name of names) {
      const value = source[name];
      if (typeof value !== 'string') continue;
      // Control and format characters, such as line breaks and changes of direction, could forge a line in a viewer.
      const text = value
        .slice(0, 1000)
        .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
        .trim();
      if (text !== '') return abbreviate(text, maxLength);
    }
  return undefined;
}
