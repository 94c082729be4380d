import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { findProblems } from './check-settings.ts';
import { authSettings, findAuthProblems, secretSettings } from './auth-settings.ts';
import { limitSettings } from './caller-limits.ts';
import { fileSettings } from './file-settings.ts';
import { ownMember } from './lib/members.ts';
import { readNetwork } from './lib/networks.ts';
import { toPrintable } from './printable-setting.ts';
import {
  decimal,
  flag,
  httpUrl,
  isOrigin,
  listOf,
  onOrOff,
  plainUrl,
  splitList,
  toOrigin,
  whole,
} from './setting-types.ts';
import { webhookSettings } from './webhook-settings.ts';

const packageFile = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = z.object({ version: z.string() }).parse(JSON.parse(packageFile));

const tokenRate = z
  .string()
  .refine((text) => text === 'Infinity' || decimal(0.001, 100_000).safeParse(text).success, {
    error: 'expected a number from 0.001 to 100000, or Infinity',
  })
  .transform(Number);
const port = whole(0, 65_535);
const seconds = decimal(0.001, 86_400);

const gatewayUrl = plainUrl(
  'expected a URL without user, password, query and fragment: callers send the credentials',
);
const receiverUrl = httpUrl.refine((url) => !url.includes('@'), {
  error: 'expected a URL without user and password: set credentials in OTEL_EXPORTER_OTLP_HEADERS',
});
/** The path of a signal follows. */
const receiverBase = receiverUrl
  .refine((url) => !/[?#]/.test(url), {
    error: 'expected a URL without query and fragment: set OTEL_EXPORTER_OTLP_TRACES_ENDPOINT to such a one',
  })
  .transform((url) => url.replace(/\/+$/, ''));
const databaseParameters: Readonly<Record<string, RegExp>> = {
  sslmode: /^(disable|require|verify-full)$/,
  sslrootcert: /./,
  host: /./,
  application_name: /./,
};
function isDecodable(url: string): boolean {
  const { username, password, pathname } = new URL(url);
  try {
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
}

const databaseUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: 'expected a postgres:// URL', abort: true })
  .refine(isDecodable, {
    error: 'expected % only before two hexadecimal digits: write % as %25, # as %23, / as %2F and @ as %40',
  })
  .refine(
    (url) => {
      const { searchParams: parameters } = new URL(url);
      return (
        [...parameters].every(([name, value]) => ownMember(databaseParameters, name)?.test(value) === true) &&
        new Set(parameters.keys()).size === parameters.size
      );
    },
    {
      error:
        'expected no parameters but sslmode (disable, require or verify-full), sslrootcert, host and application_name, each once',
    },
  )
  .refine(
    (url) => {
      const { searchParams: parameters } = new URL(url);
      return !parameters.has('sslrootcert') || parameters.get('sslmode') === 'verify-full';
    },
    { error: 'expected sslmode=verify-full with sslrootcert: no other mode checks the certificate' },
  );
const originList = listOf('origins such as https://queue.example.com', isOrigin, toOrigin);
const origins = z
  .string()
  .refine((text) => text === '*' || splitList(text).every(isOrigin), {
    error: 'expected * or origins such as https://app.example.com, separated by commas',
  })
  .transform((text): '*' | readonly string[] => (text === '*' ? text : splitList(text).map(toOrigin)));
/** Origins with paths. */
const isPlainUrl = (text: string) =>
  /^https?:\/\/[^/@?#*\s]+(\/[^?#\s]*)?$/i.test(text) && URL.canParse(text);
const urlList = listOf(
  'addresses such as https://router.example.com/callback, without user, query and fragment',
  isPlainUrl,
  String,
);
const fileList = listOf('paths of files', (file) => file !== '', String);
const isPath = (item: string) => /^[A-Z_]+=\/\S+$/.test(item);
const taskPaths = listOf('KIND=/path/{id} pairs', isPath, toEntry)
  .refine((pairs) => new Set(pairs.map(([kind]) => kind)).size === pairs.length, {
    error: 'expected each kind once',
  })
  .transform((pairs) => Object.fromEntries(pairs));
const trustProxy = z
  .string()
  .refine((text) => /^\d{1,2}$/.test(text) || splitList(text).every((item) => readNetwork(item)), {
    error: 'expected a number of proxies up to 99, or networks such as 10.0.0.0/8, separated by commas',
  })
  .transform((text) =>
    /^\d+$/.test(text)
      ? { hops: Number(text) }
      : { networks: splitList(text).flatMap((item) => readNetwork(item) ?? []) },
  );
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

function toEntry(item: string): readonly [string, string] {
  const sign = item.indexOf('=');
  return [item.slice(0, sign), item.slice(sign + 1)];
}

/** All settings with their defaults. An empty value counts as unset. */
const environment = z.object({
  PORT: port.default(4000),
  HOST: z.string().default('127.0.0.1'),
  GATEWAY_URL: gatewayUrl.optional(),
  SANDBOX: onOrOff.optional(),
  SANDBOX_PORT: port.default(4010),
  SANDBOX_TOKENS_PER_SECOND: tokenRate.default(50),
  SANDBOX_TASK_SECONDS: decimal(0, 3600).default(4),
  GATEWAY_CONNECTIONS: whole(1, 100_000).default(4096),
  GATEWAY_TIMEOUT_SECONDS: seconds.default(600),
  GATEWAY_STALL_SECONDS: seconds.default(120),
  GATEWAY_READ_SECONDS: seconds.default(15),
  GATEWAY_TRUSTED_ORIGINS: originList.optional(),
  GATEWAY_TASK_PATHS: taskPaths.optional(),
  CHAT_ACCEPT_SECONDS: seconds.default(10),
  CHAT_DETACH_SECONDS: seconds.default(120),
  STREAM_LOG_SECONDS: seconds.default(60),
  TASK_POLL_SECONDS: seconds.default(1),
  TASK_POLL_MAX_SECONDS: seconds.default(15),
  TASK_FOLLOW_HOURS: decimal(0, 8760).default(24),
  SHUTDOWN_SECONDS: seconds.default(30),
  KEEP_ALIVE_SECONDS: seconds.default(75),
  WEBSOCKET_PING_SECONDS: seconds.default(25),
  DATA_DIR: z.string().default('.data'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_LISTEN_URL: databaseUrl.optional(),
  DATABASE_POOL_SIZE: whole(2, 1000).default(10),
  DATABASE_TIMEOUT_SECONDS: seconds.default(10),
  IDEMPOTENCY_HOURS: decimal(1, 87_600).default(168),
  GENERATION_DAYS: decimal(0.001, 36_500).optional(),
  MAX_BODY_BYTES: whole(1024, 1_073_741_824).default(33_554_432),
  MAX_RECORDS_PER_OWNER: whole(1, 1_000_000_000).default(100_000),
  MAX_RECORD_BYTES_PER_OWNER: whole(1_048_576, 1_099_511_627_776).default(4_294_967_296),
  MAX_RECORDED_INPUT_BYTES: whole(1024, 67_108_864).default(4_194_304),
  MAX_RECORDED_REPLY_BYTES: whole(1024, 67_108_864).default(4_194_304),
  MAX_THREAD_BYTES: whole(1024, 67_108_864).default(8_388_608),
  RECORD_INLINE_IMAGES: flag.default(false),
  MAX_INLINE_IMAGE_BYTES_PER_OWNER: whole(1024, 1_099_511_627_776).default(268_435_456),
  // JSON takes at most six characters for one, and V8's longest string has 536,870,888.
  MAX_ANSWER_BYTES: whole(65_536, 67_108_864).default(33_554_432),
  MAX_ANONYMOUS_BODY_BYTES: whole(1024, 1_073_741_824).default(1_048_576),
  MAX_RECEIVED_BYTES: whole(1_048_576, 1_099_511_627_776).default(268_435_456),
  MAX_UNSENT_BYTES: whole(1_048_576, 1_099_511_627_776).default(268_435_456),
  MAX_UNSENT_BYTES_PER_OWNER: whole(1_048_576, 1_099_511_627_776).default(67_108_864),
  MAX_OPERATIONS_PER_OWNER: whole(1, 1_000_000).default(256),
  MAX_OPERATIONS_PER_SOCKET: whole(1, 1_000_000).default(128),
  MAX_OPERATIONS_PER_ADDRESS: whole(1, 1_000_000).default(256),
  MAX_OPEN_PER_OWNER: whole(1, 1_000_000).default(20_000),
  MAX_OPEN_PER_SOCKET: whole(1, 1_000_000).default(1000),
  MAX_OPEN_PER_ADDRESS: whole(1, 1_000_000).default(5000),
  MAX_SOCKETS: whole(1, 1_000_000).default(50_000),
  MAX_SOCKETS_PER_ADDRESS: whole(1, 1_000_000).default(20_000),
  ANONYMOUS_OPERATIONS_PER_SECOND: whole(1, 1_000_000).default(100),
  ANONYMOUS_BYTES_PER_SECOND: whole(65_536, 1_073_741_824).default(4_194_304),
  ANONYMOUS_ANSWER_BYTES_PER_SECOND: whole(65_536, 1_073_741_824).default(1_048_576),
  ...limitSettings,
  CORS_ORIGINS: origins.optional(),
  CALLBACK_URLS: urlList.optional(),
  TRUST_PROXY: trustProxy.optional(),
  GRAPHIQL: onOrOff.optional(),
  INTROSPECTION: onOrOff.optional(),
  PLAYGROUND: onOrOff.optional(),
  TRUSTED_DOCUMENTS: z
    .enum(['off', 'allow', 'only'], { error: 'expected off, allow or only' })
    .default('off'),
  TRUSTED_DOCUMENTS_FILES: fileList.optional(),
  TRUST_CONNECTION_PARAMS: flag.default(false),
  ...fileSettings,
  ...authSettings,
  ...webhookSettings,
  METRICS_PORT: port.optional(),
  METRICS_HOST: z.string().optional(),
  METRICS_ON_MAIN_PORT: flag.default(false),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: receiverUrl.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: receiverBase.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiverUrl.optional(),
  OTEL_SERVICE_NAME: z.string().default('gengraph'),
  LOG_LEVEL: z.enum(levels, { error: `expected one of ${levels.join(', ')}` }).default('info'),
  LOG_STREAM_ENDS: decimal(0, 1).default(1),
});

const count = whole(0, 1_000_000_000);
const positive = whole(1, 1_000_000_000);
const protocol = z
  .literal('http/json', { error: 'expected http/json, the only protocol of this exporter' })
  .optional();
const compressions = ['none', 'gzip'] as const;
const compression = z.enum(compressions, { error: 'expected none or gzip' }).optional();
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
const headers = z
  .string()
  .refine((text) => splitList(text).every((item) => /^($|[^=\s]+=)/.test(item)), {
    error: 'expected name=value pairs, separated by commas',
  })
  .optional();

/**
 * Variables that OpenTelemetry reads itself. It ignores invalid values silently, so they are validated here, but only if spans
 * or metrics are sent: the same variables may be set for other programs.
 */
const openTelemetry = z.object({
  OTEL_TRACES_SAMPLER: z.enum(samplers, { error: `expected one of ${samplers.join(', ')}` }).optional(),
  OTEL_TRACES_SAMPLER_ARG: decimal(0, 1).optional(),
  OTEL_BSP_SCHEDULE_DELAY: count.optional(),
  OTEL_BSP_EXPORT_TIMEOUT: positive.optional(),
  OTEL_BSP_MAX_QUEUE_SIZE: positive.optional(),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: positive.optional(),
  OTEL_EXPORTER_OTLP_TIMEOUT: positive.optional(),
  OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: positive.optional(),
  OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: positive.optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol,
  OTEL_EXPORTER_OTLP_COMPRESSION: compression,
  OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: compression,
  OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: compression,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers,
  OTEL_EXPORTER_OTLP_METRICS_HEADERS: headers,
  OTEL_ATTRIBUTE_COUNT_LIMIT: count.optional(),
  OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: count.optional(),
  OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: count.optional(),
  OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: count.optional(),
});

const receivers: ReadonlySet<string> = new Set([
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
]);

export type Environment = z.output<typeof environment>;

export interface Config extends Readonly<Environment> {
  /** The program's version, from package.json. */
  readonly version: string;
}

/** An invalid setting. The message is for the operator and names the variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Parses and validates the environment. @throws ConfigError that names every invalid variable */
export function loadConfig(variables: Readonly<Record<string, string | undefined>> = process.env): Config {
  const set = Object.fromEntries(
    Object.entries(variables)
      .map(([name, value = '']) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ''),
  );
  // Generating code for a schema of a hundred settings takes longer than parsing them.
  const result = environment.safeParse(set, { jitless: true });
  const hasReceiver = Object.keys(set).some((name) => receivers.has(name));
  const otel = openTelemetry.safeParse(hasReceiver ? set : {});
  const combined = findProblems(set, new Set(Object.keys(environment.shape)));
  const print = (name: string, message: string): string => `${name}=${printableValue(name, set)}: ${message}`;
  if (!result.success || !otel.success || combined.length > 0) {
    const issues = [...(result.error?.issues ?? []), ...(otel.error?.issues ?? [])];
    const problems = issues.map(({ path: [name], message }) => print(String(name), message));
    throw new ConfigError(`Invalid setting: ${[...problems, ...combined].join('; ')}`);
  }
  const combinations = findAuthProblems(result.data, (name) => set[name] !== undefined);
  if (combinations.length > 0) {
    const problems = combinations.map(({ name, message }) => print(name, message));
    throw new ConfigError(`Invalid setting: ${problems.join('; ')}`);
  }
  return Object.freeze({ ...result.data, version });
}

/** The names of all settings, in their order. */
export function settingNames(): readonly string[] {
  return Object.keys(environment.shape);
}

function printableValue(name: string, set: Readonly<Record<string, string>>): string {
  // Headers hold credentials.
  return name.endsWith('_HEADERS') || secretSettings.has(name) ? '…' : toPrintable(name, set[name] ?? '');
}
