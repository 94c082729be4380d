import { readFileSync } from 'node:fs';
import { isGatewayCredential } from './auth-settings.ts';
import { type Config, ConfigError } from './config.ts';
import type { HeldKey } from './gateway/caller.ts';
import { codeOf } from './lib/thrown.ts';
import { toPrintable } from './printable-setting.ts';

/** The credentials that the server holds for its callers. */
export interface ServerKeys {
  /** Has the current credentials. Undefined if every caller brings their own. */
  readonly heldKey: HeldKey | undefined;
  /** Whether they come from files, which can be read again. */
  readonly canReload: boolean;
  /** Reads the files again. Returns the settings that changed. @throws ConfigError, and nothing changes */
  reload(): readonly string[];
}

type KeySettings = Pick<
  Config,
  | 'AUTH'
  | 'GATEWAY_API_KEY'
  | 'GATEWAY_API_KEY_FILE'
  | 'GATEWAY_SYSTEM_TOKEN'
  | 'GATEWAY_SYSTEM_TOKEN_FILE'
  | 'GATEWAY_SYSTEM_USER'
>;

/** The credentials that a sandbox accepts. */
interface SandboxKeys {
  readonly apiKey: string;
  readonly systemToken: string;
  readonly userId: string;
}

interface Credentials {
  readonly apiKey: string | undefined;
  readonly systemToken: string | undefined;
}

/** Callers who sign in to a server with a sandbox use the sandbox's key. @throws ConfigError if a file has no credential */
export function createServerKeys(settings: KeySettings, sandbox?: SandboxKeys): ServerKeys {
  const { AUTH, GATEWAY_SYSTEM_USER: userId } = settings;
  let current = readCredentials(settings);
  const isHeld = current.apiKey !== undefined || (AUTH !== 'passthrough' && sandbox !== undefined);
  const sandboxSystem = current.apiKey === undefined && sandbox;
  const heldKey: HeldKey = {
    get apiKey() {
      return current.apiKey ?? sandbox?.apiKey ?? '';
    },
    get system() {
      const { systemToken: token } = current;
      if (token !== undefined && userId !== undefined) return { token, userId };
      return sandboxSystem ? { token: sandboxSystem.systemToken, userId: sandboxSystem.userId } : undefined;
    },
  };
  return {
    heldKey: isHeld ? heldKey : undefined,
    canReload: (settings.GATEWAY_API_KEY_FILE ?? settings.GATEWAY_SYSTEM_TOKEN_FILE) !== undefined,
    reload() {
      const before = current;
      current = readCredentials(settings);
      return [
        ...(current.apiKey === before.apiKey ? [] : ['GATEWAY_API_KEY_FILE']),
        ...(current.systemToken === before.systemToken ? [] : ['GATEWAY_SYSTEM_TOKEN_FILE']),
      ];
    },
  };
}

function readCredentials(settings: KeySettings): Credentials {
  const read = (name: 'GATEWAY_API_KEY' | 'GATEWAY_SYSTEM_TOKEN'): string | undefined => {
    const file = settings[`${name}_FILE`];
    return file === undefined ? settings[name] : readCredential(`${name}_FILE`, file);
  };
  return { apiKey: read('GATEWAY_API_KEY'), systemToken: read('GATEWAY_SYSTEM_TOKEN') };
}

function readCredential(setting: string, file: string): string {
  const refuse = (expected: string, cause?: unknown): ConfigError =>
    new ConfigError(`Invalid setting: ${setting}=${toPrintable(setting, file)}: expected ${expected}`, {
      cause,
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (cause) {
    // The message of the error has the value.
    throw refuse(`the path of a file with the credential: ${codeOf(cause) || 'it cannot be read'}`, cause);
  }
  if (isGatewayCredential(text)) return text;
  throw refuse(
    'a file with nothing but the credential, at least 8 visible ASCII characters without spaces, and without "Bearer"',
  );
}
