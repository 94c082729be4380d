import { secretSettings } from './auth-settings.ts';
import { type Config, loadConfig } from './config.ts';
import { withoutQuery } from './lib/addresses.ts';

/** The settings that differ from their defaults, as the environment has them. Values that may hold secrets are masked. */
export function findChangedSettings(config: Config): Readonly<Record<string, string>> {
  const defaults = new Map(printAll(loadConfig({})));
  return Object.fromEntries(
    printAll(config)
      .filter(([name, text]) => text !== defaults.get(name))
      .map(([name, text]) => [name, mask(name, text)]),
  );
}

function mask(name: string, text: string): string {
  if (secretSettings.has(name) || /^DATABASE_.*URL$|_HEADERS$/.test(name)) return '…';
  return /_(URL|ENDPOINT)$/.test(name) ? withoutQuery(text) : text;
}

function printAll({ TRUST_PROXY: proxies, ...others }: Config): readonly (readonly [string, string])[] {
  const values = Object.entries(others).map(([name, value]) => [name, printValue(value)] as const);
  if (!proxies) return values;
  const networks = proxies.networks?.map(({ address, prefix }) => `${address}/${prefix}`);
  return [...values, ['TRUST_PROXY', networks?.join(',') ?? String(proxies.hops)]];
}

function printValue(value: Exclude<Config[keyof Config], NonNullable<Config['TRUST_PROXY']>>): string {
  if (typeof value !== 'object') return String(value);
  return Object.entries(value)
    .map(([name, item]) => (Array.isArray(value) ? item : `${name}=${item}`))
    .join(',');
}
