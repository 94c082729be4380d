import { parseArgs } from 'node:util';
import { findChangedSettings } from './changed-settings.ts';
import { type Config, ConfigError, loadConfig, settingNames } from './config.ts';
import type { OwnerQuery } from './find-owner.ts';
import { abbreviate } from './lib/text.ts';
import { messageOf } from './lib/thrown.ts';

/** What the command line asks for. */
export type Command =
  | {
      readonly name: 'start' | 'check';
      readonly envFiles: readonly string[];
      /** Undefined if this process serves alone. */
      readonly processes: number | undefined;
    }
  | {
      readonly name: 'owner';
      readonly envFiles: readonly string[];
      readonly query: Omit<OwnerQuery, 'key'>;
      /** Whether standard input has a key. An argument would show in the list of processes. */
      readonly readsKey: boolean;
    }
  | { readonly name: 'retry-files'; readonly envFiles: readonly string[] }
  | { readonly name: 'print'; readonly text: string };

/** @throws ConfigError for an unknown option or command */
export function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  if (values.help) return { name: 'print', text: printHelp() };
  if (values.version) return { name: 'print', text: `${loadConfig({}).version}\n` };
  const [command] = positionals;
  const envFiles = values['env-file'] ?? [];
  const processes = readProcesses(values.processes);
  if (command === 'owner') {
    if (processes !== undefined) throw new ConfigError('gengraph owner takes no --processes. See --help');
    // Not repeated in the message: it may be a key.
    if (positionals.length > 1) throw new ConfigError('gengraph owner takes only options. See --help');
    return {
      name: 'owner',
      envFiles,
      query: { subject: values.sub, userId: values.user, endUser: values['end-user'] },
      readsKey: values['key-stdin'] ?? false,
    };
  }
  const stray = ownerOptions.find((name) => values[name] !== undefined);
  if (stray !== undefined) throw new ConfigError(`--${stray} belongs to gengraph owner. See --help`);
  if (command === 'retry-files') {
    if (positionals.length > 1 || processes !== undefined || values['check-config'])
      throw new ConfigError('gengraph retry-files takes only --env-file. See --help');
    return { name: 'retry-files', envFiles };
  }
  if (command === 'sandbox')
    throw new ConfigError('gengraph sandbox takes no options: its settings are environment variables');
  if (command !== undefined)
    throw new ConfigError(`Unknown command "${abbreviate(command, 50)}". See --help`);
  return { name: values['check-config'] ? 'check' : 'start', envFiles, processes };
}

const maxProcesses = 256;

function readProcesses(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= maxProcesses) return Number(text);
  throw new ConfigError(
    `--processes ${abbreviate(text, 50)}: expected a whole number from 1 to ${maxProcesses}`,
  );
}

const ownerOptions = ['sub', 'key-stdin', 'user', 'end-user'] as const;

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
        processes: { type: 'string' },
        'env-file': { type: 'string', multiple: true },
        sub: { type: 'string' },
        'key-stdin': flag,
        user: { type: 'string' },
        'end-user': { type: 'string' },
      },
    });
  } catch (cause) {
    const [reason = ''] = messageOf(cause).split(/\.\s/);
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
  gengraph contract          Tests the stream contract of a running installation. See gengraph contract --help
  gengraph owner             Prints the owner of a caller, as the log has it, from the records of these settings
  gengraph retry-files       Lets the servers of these settings copy again the files that are FAILED for a cause that you have removed
  gengraph --check-config    Checks the settings, prints those that are not the defaults, and exits

Options
  --env-file <file>          Adds settings from a file with lines such as PORT=8080; repeatable, the last file takes precedence
  --processes <number>       Serves with several processes on one port; needs DATABASE_URL and GATEWAY_URL
  --sub <user>               Of owner: a user who signs in, by the claim AUTH_OWNER_CLAIM
  --key-stdin                Of owner: a caller with the gateway's key that standard input has
  --user <id>                With --key-stdin: the caller's new-api-user
  --end-user <name>          With --key-stdin, or alone with GATEWAY_API_KEY_FOR_ALL: the caller's X-End-User
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
