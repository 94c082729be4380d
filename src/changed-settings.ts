import { secretSettings } from './auth-settings.ts';
import { type Config, loadConfig } from './config.ts';
import { withoutQuery } from './lib/addresses.ts';

/** The settings that differ from their defaults, as text. Values that may hold secrets are masked. */
export function findChangedSettings(config: Config): Readonly<Record<string, string>> {
  const defaults = new Map(Object.entries(loadConfig({})).map(([name, value]) => [name, printValue(value)]));
  return Object.fromEntries(
    Object.entries(config)
      .map(([name, value]) => [name, printValue(value)] as const)
      .filter(([name, text]) => text !== defaults.get(name))
      .map(([name, text]) => [name, mask(name, text)]),
  );
}

function mask(name: string, text: string): string {
  if (secretSettings.has(name) || /^DATABASE_.*URL$|_HEADERS$/.test(name)) return '…';
  return /_(URL|ENDPOINT)$/.test(name) ? withoutQuery(text) : text;
}

function printValue(value: Config[keyof Config]): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
