import { describe, expect, test } from 'vitest';
import { findChangedSettings } from '../src/changed-settings.ts';
import { loadConfig } from '../src/config.ts';
import { problemWith } from './support/problem-with.ts';

const defaults = {
  PORT: 4000,
  HOST: '127.0.0.1',
  SANDBOX_PORT: 4010,
  SANDBOX_TOKENS_PER_SECOND: 50,
  SANDBOX_TASK_SECONDS: 4,
  GATEWAY_CONNECTIONS: 4096,
  GATEWAY_TIMEOUT_SECONDS: 600,
  GATEWAY_STALL_SECONDS: 120,
  GATEWAY_READ_SECONDS: 15,
  CHAT_ACCEPT_SECONDS: 10,
  CHAT_DETACH_SECONDS: 120,
  STREAM_LOG_SECONDS: 60,
  TASK_POLL_SECONDS: 1,
  TASK_POLL_MAX_SECONDS: 15,
  TASK_FOLLOW_HOURS: 24,
  SHUTDOWN_SECONDS: 30,
  KEEP_ALIVE_SECONDS: 75,
  METRICS_ON_MAIN_PORT: false,
  TRUSTED_DOCUMENTS: 'off',
  TRUST_CONNECTION_PARAMS: false,
  AUTH: 'passthrough',
  AUTH_CLOCK_TOLERANCE_SECONDS: 5,
  AUTH_OWNER_CLAIM: 'sub',
  AUTH_CREATE_TOKEN_SCOPE: 'tokens:create',
  AUTH_ACCESS_TOKENS_SCOPE: 'tokens:read',
  AUTH_ADOPT_TASK_SCOPE: 'tasks:adopt',
  GATEWAY_API_KEY_FOR_ALL: false,
  WEBSOCKET_PING_SECONDS: 25,
  DATA_DIR: '.data',
  FILES: 'off',
  FILES_ADDRESSES: 'server',
  FILES_ADDRESS_SECONDS: 3600,
  FILES_COPIES: 8,
  FILES_S3_REGION: 'us-east-1',
  FILES_TIMEOUT_SECONDS: 300,
  FILES_WHEN_FULL: 'remove-oldest',
  MAX_FILE_BYTES: 268_435_456,
  MAX_FILE_BYTES_IN_ALL: 68_719_476_736,
  MAX_FILE_BYTES_PER_OWNER: 4_294_967_296,
  DATABASE_POOL_SIZE: 10,
  DATABASE_TIMEOUT_SECONDS: 10,
  IDEMPOTENCY_HOURS: 168,
  MAX_BODY_BYTES: 33_554_432,
  MAX_INLINE_IMAGE_BYTES_PER_OWNER: 268_435_456,
  MAX_RECORDED_INPUT_BYTES: 4_194_304,
  MAX_RECORDED_REPLY_BYTES: 4_194_304,
  MAX_THREAD_BYTES: 8_388_608,
  RECORD_INLINE_IMAGES: false,
  MAX_RECORDS_PER_OWNER: 100_000,
  MAX_RECORD_BYTES_PER_OWNER: 4_294_967_296,
  MAX_ANSWER_BYTES: 33_554_432,
  MAX_UNSENT_BYTES: 268_435_456,
  MAX_UNSENT_BYTES_PER_OWNER: 67_108_864,
  MAX_ANONYMOUS_BODY_BYTES: 1_048_576,
  ANONYMOUS_OPERATIONS_PER_SECOND: 100,
  ANONYMOUS_BYTES_PER_SECOND: 4_194_304,
  ANONYMOUS_ANSWER_BYTES_PER_SECOND: 1_048_576,
  MAX_SOCKETS: 50_000,
  MAX_SOCKETS_PER_ADDRESS: 20_000,
  MAX_RECEIVED_BYTES: 268_435_456,
  MAX_OPERATIONS_PER_OWNER: 256,
  MAX_OPERATIONS_PER_SOCKET: 128,
  MAX_OPERATIONS_PER_ADDRESS: 256,
  MAX_OPEN_PER_OWNER: 20_000,
  MAX_OPEN_PER_SOCKET: 1000,
  MAX_OPEN_PER_ADDRESS: 5000,
  WEBHOOK_TIMEOUT_SECONDS: 15,
  OWNER_WEBHOOKS: 'off',
  OTEL_SERVICE_NAME: 'gengraph',
  LOG_LEVEL: 'info',
  LOG_STREAM_ENDS: 1,
} as const;

/** Settings that are unset by default. */
const optional = [
  'GATEWAY_URL',
  'DATABASE_URL',
  'GATEWAY_TRUSTED_ORIGINS',
  'GENERATION_DAYS',
  'CORS_ORIGINS',
  'TRUST_PROXY',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
] as const;

const ports = ['-1', '65536', '1.5', '1e3', '0x10', 'http', '80 81'];
const seconds = ['0', '-1', '86401', 'soon', '1e3', '1m', 'Infinity'];
const badValues: Readonly<Record<string, readonly string[]>> = {
  PORT: ports,
  METRICS_PORT: ports,
  SANDBOX_PORT: ports,
  SANDBOX_TOKENS_PER_SECOND: ['0', '-1', '100001', '-Infinity', 'fast'],
  GATEWAY_CONNECTIONS: ['0', '1.5', '100001', 'many'],
  GATEWAY_TIMEOUT_SECONDS: seconds,
  GATEWAY_STALL_SECONDS: seconds,
  CHAT_ACCEPT_SECONDS: seconds,
  CHAT_DETACH_SECONDS: seconds,
  STREAM_LOG_SECONDS: seconds,
  TASK_POLL_SECONDS: seconds,
  TASK_POLL_MAX_SECONDS: seconds,
  TASK_FOLLOW_HOURS: ['-1', '8761', 'day'],
  SHUTDOWN_SECONDS: seconds,
  KEEP_ALIVE_SECONDS: seconds,
  SANDBOX: ['true', 'yes'],
  GRAPHIQL: ['true', 'ON', '1'],
  INTROSPECTION: ['false', 'allow'],
  TRUSTED_DOCUMENTS: ['true', 'ONLY'],
  WEBSOCKET_PING_SECONDS: seconds,
  IDEMPOTENCY_HOURS: ['0', '0.5', '-1', '87601', 'week'],
  DATABASE_URL: [
    'postgres://a.example/a?constructor=1',
    'db.example',
    'postgres://me:100%zz@db.example/a',
    'postgres://me@db.example/a%ff',
    'mysql://db.example/a',
    'postgres://db.example/a?sslmode=prefer',
    'postgres://db.example/a?sslmode=require&pool_max=5',
    'postgres://db.example/a?sslrootcert=/ca.pem',
    'postgres://db.example/a?sslmode=require&sslrootcert=/ca.pem',
    'postgres://db.example/a?sslmode=disable&sslmode=verify-full',
  ],
  DATABASE_LISTEN_URL: ['db.example', 'postgres://me:100%@db.example/a', 'mysql://db.example/a'],
  DATABASE_POOL_SIZE: ['0', '1', '1001', '1.5'],
  DATABASE_TIMEOUT_SECONDS: seconds,
  GENERATION_DAYS: ['0', '-1', '36501', 'ever'],
  MAX_BODY_BYTES: ['1023', '1.5', '1073741825', '32M'],
  MAX_RECORDED_INPUT_BYTES: ['1023', '67108865', '4M'],
  MAX_RECORDED_REPLY_BYTES: ['1023', '67108865', '4M'],
  MAX_THREAD_BYTES: ['1023', '67108865', '8M'],
  RECORD_INLINE_IMAGES: ['yes', '1'],
  MAX_INLINE_IMAGE_BYTES_PER_OWNER: ['1023', '1099511627777', '1G'],
  MAX_RECORDS_PER_OWNER: ['0', '1.5', '1000000001'],
  MAX_RECORD_BYTES_PER_OWNER: ['1048575', '1G'],
  MAX_ANSWER_BYTES: ['65535', '67108865', '1.5'],
  MAX_UNSENT_BYTES: ['0', '1048575', '1.5', '1099511627777', '256M'],
  MAX_UNSENT_BYTES_PER_OWNER: ['0', '1048575', '1.5', '1099511627777', '64M'],
  MAX_OPERATIONS_PER_OWNER: ['0', '1.5', '1000001'],
  MAX_OPERATIONS_PER_SOCKET: ['0', '1.5', '1000001'],
  MAX_OPERATIONS_PER_ADDRESS: ['0', '1.5', '1000001'],
  MAX_OPEN_PER_OWNER: ['0', '1.5', '1000001'],
  MAX_OPEN_PER_SOCKET: ['0', '1.5', '1000001'],
  MAX_OPEN_PER_ADDRESS: ['0', '1.5', '1000001'],
  MAX_SOCKETS: ['0', '1.5', '1000001'],
  MAX_SOCKETS_PER_ADDRESS: ['0', '1.5', '1000001'],
  ANONYMOUS_OPERATIONS_PER_SECOND: ['0', '1.5', 'Infinity'],
  ANONYMOUS_BYTES_PER_SECOND: ['0', '65535', '4M'],
  ANONYMOUS_ANSWER_BYTES_PER_SECOND: ['0', '65535', '1M'],
  TRUST_PROXY: ['true', '-1', '100', '10.0.0.0/33', '10.0.0.0/8,', 'proxy.example', '::/129'],
  MAX_ANONYMOUS_BODY_BYTES: ['1023', '1.5', '1M'],
  MAX_RECEIVED_BYTES: ['1048575', '1.5', '1G'],
  LOG_LEVEL: ['loud', 'INFO', '30'],
  AUTH: ['none', 'JWT', 'jwt,passthrough'],
  AUTH_JWKS_URL: ['auth.example/keys', 'ftp://auth.example/keys', 'https://me@auth.example/keys'],
  AUTH_AUDIENCE: [',', 'a,,b'],
  AUTH_ALGORITHMS: ['none', 'rs256', 'HS256,none', 'RS256,'],
  AUTH_CLOCK_TOLERANCE_SECONDS: ['-1', '301', '1.5', '1m'],
  AUTH_OWNER_CLAIM: [
    'a b',
    'iss',
    'aud',
    'exp',
    'nbf',
    'iat',
    'jti',
    'scope',
    'scp',
    'limits',
    '__proto__',
    'constructor',
  ],
  GATEWAY_API_KEY: ['short', 'Bearer sk-1234567', 'sk-ключ-1234'],
  GATEWAY_SYSTEM_TOKEN: ['short', 'Bearer sk-1234567'],
  GATEWAY_SYSTEM_USER: ['a b', 'ключ'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['localhost:4318', 'grpc://collector:4317', 'http://collector:4318?key=1'],
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ['collector', 'ftp://collector/v1/traces'],
  GATEWAY_URL: [
    'gateway.example',
    '//gateway.example',
    'ftp://gateway.example',
    'http://',
    'https://gateway.example?key=1',
    'https://gateway.example#part',
    'https://me@gateway.example',
  ],
  GATEWAY_TASK_PATHS: ['VIDEO', 'VIDEO=v1/{id}', 'VIDEO=/v1/{id},SPEECH=/t/{id},VIDEO=/v2/{id}'],
  GATEWAY_TRUSTED_ORIGINS: ['queue.example.com', '*', 'https://a.example,', 'https://me@a.example', 'null'],
  CORS_ORIGINS: [
    'app.example.com',
    'https://a.example,*',
    '*,*',
    'https://*.example.com',
    ',',
    'null',
    'file:///a',
    'https://app.example.com/path',
    'https://app.example.com?a',
  ],
};
describe('settings', () => {
  test('have these defaults', () => {
    expect(loadConfig({})).toEqual({ ...defaults, version: expect.any(String) });
  });

  test('that are empty or blank count as unset', () => {
    const names = [...Object.keys(defaults), ...optional];
    const blank = Object.fromEntries(names.map((name, index) => [name, index % 2 === 0 ? '' : ' \t ']));
    expect(loadConfig(blank)).toEqual(loadConfig({}));
  });

  test('are trimmed', () => {
    expect(loadConfig({ PORT: ' 8080 ', HOST: ' ::1\n', CORS_ORIGINS: ' * ' })).toMatchObject({
      PORT: 8080,
      HOST: '::1',
      CORS_ORIGINS: '*',
    });
  });

  test.each([
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['SHUTDOWN_SECONDS', '0.5', 0.5],
    ['SHUTDOWN_SECONDS', '86400', 86_400],
    ['SANDBOX_TOKENS_PER_SECOND', '12.5', 12.5],
    ['SANDBOX_TOKENS_PER_SECOND', 'Infinity', Infinity],
    ['MAX_BODY_BYTES', '1024', 1024],
    ['MAX_ANSWER_BYTES', '65536', 65_536],
    ['MAX_UNSENT_BYTES', '1048576', 1_048_576],
    ['MAX_UNSENT_BYTES_PER_OWNER', '1048576', 1_048_576],
    ['MAX_FILE_BYTES', '1125899906842624', 1_125_899_906_842_624],
    ['LOG_LEVEL', 'silent', 'silent'],
    ['GATEWAY_URL', 'https://gateway.example/', 'https://gateway.example'],
    ['GATEWAY_URL', 'http://127.0.0.1:3000/a/b//', 'http://127.0.0.1:3000/a/b'],
    [
      'DATABASE_URL',
      'postgres://me:secret@db.example:6432/a?sslmode=verify-full&sslrootcert=/ca.pem',
      'postgres://me:secret@db.example:6432/a?sslmode=verify-full&sslrootcert=/ca.pem',
    ],
    ['DATABASE_URL', 'postgresql:///a?host=/run/postgresql', 'postgresql:///a?host=/run/postgresql'],
    ['TRUST_PROXY', '1', { hops: 1 }],
    [
      'TRUST_PROXY',
      '10.0.0.0/8, ::1',
      {
        networks: [
          { address: '10.0.0.0', prefix: 8 },
          { address: '::1', prefix: 128 },
        ],
      },
    ],
    ['CORS_ORIGINS', '*', '*'],
    [
      'CORS_ORIGINS',
      'https://App.example.com/ , http://localhost:3000,https://a.example:443',
      ['https://app.example.com', 'http://localhost:3000', 'https://a.example'],
    ],
  ] as const)('%s may be %s', (name, text, value) => {
    expect(loadConfig({ [name]: text })[name]).toEqual(value);
  });

  test('that have several values are printed as they are set', () => {
    const set = {
      CORS_ORIGINS: 'https://a.example,http://localhost:5173',
      GATEWAY_TASK_PATHS: 'SPEECH=/speech/{id},VIDEO=/video?id={id}',
      MAX_CREATES_PER_DAY_PER_OWNER: 'CHAT=2,*=5',
      TRUST_PROXY: '10.1.0.0/16,::1/128',
    };
    expect(findChangedSettings(loadConfig(set))).toEqual(set);
    expect(findChangedSettings(loadConfig({ TRUST_PROXY: '2' }))).toEqual({ TRUST_PROXY: '2' });
  });

  test('of other programs are ignored', () => {
    expect(loadConfig({ PATH: '/bin', PORT_RANGE: 'x', GATEWAY_KEY: 'y' })).toEqual(loadConfig({}));
  });

  test('are frozen', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true);
  });

  test('include the version of the program', () => {
    expect(loadConfig({}).version).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe('an invalid setting', () => {
  const cases = Object.entries(badValues).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );

  test.each(cases)('is reported on one line: %s=%s', (name, value) => {
    const problem = problemWith({ [name]: value });
    expect(problem).toMatch(new RegExp(`^Invalid setting: ${name}=.+: expected .+$`));
    expect(problem.split('Invalid setting')).toHaveLength(2);
    expect(problem).not.toContain('\n');
  });

  test('is reported together with all others', () => {
    const bad = Object.fromEntries(Object.entries(badValues).map(([name, [value = '']]) => [name, value]));
    const problem = problemWith(bad);
    for (const name of Object.keys(badValues)) expect(problem).toContain(`${name}=`);
  });

  test.each([
    'https://me:my-password@gateway.example',
    'ftp://me:my-password@gateway.example/path',
    'https://my-password@gateway.example',
    'https://me:my-pass/word my-password@gateway.example',
    'https://me:my-password@gateway.example\nhttps://me:my-password@other.example',
    // Cut at an unquoted # by a file of settings.
    'postgres://me:my-password',
    'https://me:my-password',
    'mysql://me:my-password/path',
    'me:my-password',
    'my-password',
    'my-password:8080',
    '//me:my-password',
    'ftp://gateway.example?key=my-password',
    'ftp://gateway.example#my-password',
    'ftp://gateway.example/my-password',
  ])('is reported without the password: %s', (value) => {
    for (const name of value.includes('//') ? [...optional, 'PORT'] : ['DATABASE_URL', 'GATEWAY_URL']) {
      const problem = problemWith({ [name]: value });
      expect(problem).toContain(name);
      expect(problem).not.toContain('my-pass');
    }
  });

  test.each([
    ['GATEWAY_URL', 'https://g.example.com:8080?key=my-password', 'https://g.example.com:8080/…'],
    ['GATEWAY_URL', 'gateway.example', '…'],
    ['CORS_ORIGINS', 'https://a.example,app.example.com', 'https://a.example,app.example.com'],
    ['DATABASE_URL', 'postgres://me:my-password', 'postgres://…'],
    ['CORS_ORIGINS', 'https://a.example,https://*.example.com', 'https://a.example,https://*.example.com'],
    ['AUTH_JWKS_URL', 'https://auth.example/keys?key=my-password', 'https://auth.example/…'],
  ])('is reported with scheme and host of a URL: %s=%s', (name, value, printed) => {
    expect(problemWith({ [name]: value })).toContain(`${name}=${printed}: `);
  });

  test('is abbreviated if it is long', () => {
    expect(problemWith({ PORT: 'x'.repeat(10_000) }).length).toBeLessThan(200);
  });
});
