import { ConfigError, loadConfig } from '../../src/config.ts';

export function problemWith(variables: Readonly<Record<string, string>>): string {
  try {
    loadConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('loadConfig accepted the value');
}
