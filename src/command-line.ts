import { parseArgs } from 'node:util';
import { findChangedSettings } from './changed-settings.ts';
import { type Config, ConfigError, loadConfig, settingNames } from './config.ts';
import { abbreviate } from './lib/text.ts';

/** What the command line asks for. */
export type Command =
  | { readonly name: 'start' | 'check'; readonly envFiles: readonly string[] }
  | { readonly name: 'print'; readonly text: string };

/** @throws ConfigError for an unknown option or command */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { name: 'print', text: printHelp() };
  if (values.version) return { name: 'print', text: `${loadConfig({}).version}\n` };
  const [unknown] = positionals;
  if (unknown === 'sandbox')
    throw new ConfigError('gengraph sandbox takes no options: its settings are environment variables');
  if (unknown !== undefined)
    throw new ConfigError(`Unknown command "${abbreviate(unknown, 50)}". See --help`);
  return { name: values['check-config'] ? 'check' : 'start', envFiles: values['env-file'] ?? [] };
}

function parse(args: readonly string[]) {
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { ...flag, short: 'h' },
        version: { ...flag, short: 'v' },
        'check-config': flag,
        'env-file': { type: 'string', multiple: true },
      },
    });
  } catch (cause) {
    const [reason = ''] = (cause instanceof Error ? cause.message : String(cause)).split('. ');
    throw new ConfigError(`${reason}. See --help`, { cause });
  }
}

function printHelp(): string {
  const config = loadConfig({});
  const defaults = new Map(Object.entries(config).map(([name, value]) => [name, String(value)]));
  const settings = settingNames().map((name) => `  ${name.padEnd(36)}${defaults.get(name) ?? 'unset'}`);
  return `Gengraph ${config.version}: one GraphQL API over a generative-AI gateway

Usage
  gengraph                   Starts the server, with its own sandbox gateway if GATEWAY_URL is unset
  gengraph sandbox           Starts the sandbox gateway alone
  gengraph --check-config    Checks the settings, prints those that are not the defaults, and exits

Options
  --env-file <file>          Adds settings from a file with lines such as PORT=8080; repeatable
  -v, --version              Prints the version
  -h, --help                 Prints this text

Settings are environment variables, here with their defaults. docs/settings.md in the package describes them.

${settings.join('\n')}
`;
}

/** Lists the settings that differ from their defaults. */
export function printSettings(config: Config): string {
  const lines = Object.entries(findChangedSettings(config)).map(([name, text]) => `  ${name}=${text}\n`);
  return `The settings are valid.${lines.length === 0 ? ' All have their defaults.\n' : `\n${lines.join('')}`}`;
}
