import { readFileSync } from 'node:fs';
import { z } from 'zod';

const port = z.coerce.number().int().min(0).max(65_535);
const seconds = z.coerce.number().positive().max(86_400);
const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const origins = list.pipe(z.array(httpUrl.transform((url) => new URL(url).origin)));

/** Every setting, with its default. An empty value counts as unset. */
const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().default('127.0.0.1'),
  GATEWAY_URL: httpUrl.transform((url) => url.replace(/\/+$/, '')).optional(),
  SANDBOX_PORT: port.default(4010),
  SANDBOX_TOKENS_PER_SECOND: z.coerce.number().positive().max(100_000).default(50),
  GATEWAY_CONNECTIONS: z.coerce.number().int().min(1).max(100_000).default(4096),
  GATEWAY_TIMEOUT_SECONDS: seconds.default(600),
  GATEWAY_STALL_SECONDS: seconds.default(120),
  CHAT_ACCEPT_SECONDS: seconds.default(10),
  CHAT_DETACH_SECONDS: seconds.default(120),
  STREAM_LOG_SECONDS: seconds.default(600),
  SHUTDOWN_SECONDS: seconds.default(30),
  MAX_BODY_BYTES: z.coerce.number().int().min(1024).max(1_073_741_824).default(33_554_432),
  CORS_ORIGINS: z.union([z.literal('*').transform((): '*' => '*'), origins]).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Environment = z.output<typeof environment>;

export interface Config extends Readonly<Environment> {
  /** The program's version, from package.json. */
  readonly version: string;
}

/** A setting that cannot be used. The message names the variable and is meant for the operator. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Checks the environment once. @throws ConfigError naming every bad variable */
export function loadConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = environment.safeParse(set);
  if (!result.success) {
    const problems = result.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      return `${name}=${set[name] ?? ''}: ${issue.message}`;
    });
    throw new ConfigError(`Bad setting: ${problems.join('; ')}`);
  }
  return Object.freeze({ ...result.data, version: readVersion() });
}

function readVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const parsed: unknown = JSON.parse(text);
  return z.object({ version: z.string() }).parse(parsed).version;
}
