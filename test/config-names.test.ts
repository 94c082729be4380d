import { describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';
import { problemWith } from './support/problem-with.ts';

/** Variables of shells, containers, CI, and other programs whose environment a server may share. */
const usualVariables = `
  HOME HOSTNAME HOSTTYPE LANG LC_ALL LOGNAME MAIL OLDPWD PATH PWD SHELL SHLVL TERM TERM_PROGRAM TMPDIR TZ USER
  EDITOR DISPLAY XDG_CACHE_HOME XDG_RUNTIME_DIR XDG_SESSION_ID SSH_AUTH_SOCK SSH_CONNECTION SUDO_USER
  HTTP_PROXY HTTPS_PROXY NO_PROXY NODE_OPTIONS NODE_VERSION NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED
  NPM_CONFIG_CACHE npm_config_user_agent npm_lifecycle_event npm_package_name npm_execpath YARN_VERSION UV_THREADPOOL_SIZE
  CI GITHUB_TOKEN GITHUB_ACTIONS GITHUB_RUN_ID GITHUB_REPOSITORY_OWNER GITHUB_TOKEN_PERMISSIONS RUNNER_TEMP CI_COMMIT_SHA
  CI_JOB_TOKEN CI_MAX_RUNNING_JOBS BUILD_NUMBER INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET WATCHDOG_USEC LISTEN_FDS
  KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT KUBERNETES_PORT_443_TCP_ADDR POD_NAME POD_NAMESPACE POD_IP NODE_NAME
  GATEWAY_PORT GATEWAY_SERVICE_HOST GATEWAY_SERVICE_PORT GATEWAY_PORT_80_TCP_PROTO GATEWAY_API_PORT GATEWAY_API_SERVICE_HOST
  GATEWAY_API_PORT_80_TCP_ADDR DATABASE_POOL_PORT DATABASE_POOL_SERVICE_HOST SANDBOX_HOST SANDBOX_SERVICE_PORT METRICS_PORT_9090_TCP
  AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_LAMBDA_FUNCTION_MEMORY_SIZE AWS_LAMBDA_LOG_STREAM_NAME
  AWS_MAX_ATTEMPTS GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT AZURE_CLIENT_ID FLY_APP_NAME RAILWAY_ENVIRONMENT
  RENDER_SERVICE_ID VERCEL_URL DYNO HEROKU_APP_NAME WEB_CONCURRENCY WEB_MEMORY MEMORY_AVAILABLE RAILS_MAX_THREADS DB_POOL
  DB_HOST DB_PORT DB_USER DB_PASSWORD DB_NAME DATABASE_HOST DATABASE_USER DATABASE_PASSWORD DATABASE_NAME DATABASE_PORT
  DATABASE_POOL POOL_SIZE PGHOST PGUSER PGPASSWORD PGDATABASE POSTGRES_USER POSTGRES_PASSWORD POSTGRES_DB REDIS_URL REDIS_HOST
  MYSQL_ROOT_PASSWORD MONGODB_URI OPENAI_API_KEY OPENAI_BASE_URL ANTHROPIC_API_KEY AI_GATEWAY_API_KEY API_KEY JWT_SECRET AUTH_SECRET
  AUTH_URL AUTH_TRUST_HOST AUTH_GITHUB_ID NEXTAUTH_URL NEXT_PUBLIC_GATEWAY_URL VITE_GATEWAY_URL SECRET_KEY SENTRY_DSN
  MAX_TOKENS MAX_TOKENS_PER_MINUTE MAX_REQUESTS_PER_MINUTE MAX_RETRIES MAX_RETRIES_PER_REQUEST MAX_CONNECTIONS
  MAX_CONNECTIONS_PER_HOST MAX_REQUESTS_PER_CHILD MAX_UPLOAD_SIZE MAX_FILE_SIZE MAX_WORKERS KEEP_ALIVE KEEP_ALIVE_TIMEOUT
  OLLAMA_KEEP_ALIVE OLLAMA_MAX_LOADED_MODELS RATE_LIMIT_PER_MINUTE REQUESTS_PER_MINUTE TIMEOUT_SECONDS LOG_FORMAT LOG_FILE
  DEBUG LOGGING_LEVEL CORS_ALLOWED_ORIGINS CSRF_TRUSTED_ORIGINS PROMETHEUS_PORT PROMETHEUS_MULTIPROC_DIR DD_AGENT_HOST
  OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_EXPORTER OTEL_METRICS_EXPORTER OTEL_LOGS_EXPORTER OTEL_PROPAGATORS
  OTEL_EXPORTER_OTLP_LOGS_ENDPOINT
`
  .trim()
  .split(/\s+/);

describe('settings together', () => {
  test.each<[string, Readonly<Record<string, string>>]>([
    ['GATEWAY_ULR is unknown; GATEWAY_URL?', { GATEWAY_ULR: 'x' }],
    ['gateway_url is unknown; GATEWAY_URL?', { gateway_url: 'x' }],
    ['TASK_POL_SECONDS is unknown; TASK_POLL_SECONDS?', { TASK_POL_SECONDS: '2' }],
    ['CORS_ORIGIN is unknown; CORS_ORIGINS?', { CORS_ORIGIN: '*' }],
    ['MAX_CREATES_PER_DAY is unknown; MAX_CREATES_PER_DAY_PER_OWNER?', { MAX_CREATES_PER_DAY: '5' }],
    ['MAX_CREATES_PER_MINUTE is unknown; MAX_CREATES_PER_MINUTE_PER_OWNER?', { MAX_CREATES_PER_MINUTE: '5' }],
    [
      'MAX_CREATES_PER_MIN_PER_OWNER is unknown; MAX_CREATES_PER_MINUTE_PER_OWNER?',
      { MAX_CREATES_PER_MIN_PER_OWNER: '5' },
    ],
    ['MAX_TOKENS_PER_DAY is unknown; MAX_TOKENS_PER_DAY_PER_OWNER?', { MAX_TOKENS_PER_DAY: '5' }],
    ['MAX_RUNNING is unknown; MAX_RUNNING_PER_OWNER?', { MAX_RUNNING: '5' }],
    ['MAX_RUNNING_PER_USER is unknown; MAX_RUNNING_PER_OWNER?', { MAX_RUNNING_PER_USER: '5' }],
    ['RUNNING_PER_OWNER is unknown; MAX_RUNNING_PER_OWNER?', { RUNNING_PER_OWNER: '5' }],
    ['max_running is unknown; MAX_RUNNING_PER_OWNER?', { max_running: '5' }],
    ['SANDBOX=on: expected no GATEWAY_URL', { SANDBOX: 'on', GATEWAY_URL: 'http://a.example' }],
    ['SANDBOX=off: expected GATEWAY_URL', { SANDBOX: 'off' }],
    ['NODE_ENV=production: expected GATEWAY_URL, or SANDBOX=on', { NODE_ENV: 'production' }],
    ['TASK_POLL_SECONDS=16: expected at most TASK_POLL_MAX_SECONDS, 15', { TASK_POLL_SECONDS: '16' }],
    ['TASK_POLL_SECONDS=1: expected at most TASK_POLL_MAX_SECONDS, 0.5', { TASK_POLL_MAX_SECONDS: '0.5' }],
    ['METRICS_PORT=4000: expected another port than PORT, 4000', { METRICS_PORT: '4000' }],
    [
      'METRICS_PORT=4000: expected another port than PORT, 4000',
      { HOST: '0.0.0.0', METRICS_PORT: '4000', METRICS_HOST: '127.0.0.1' },
    ],
    ['PORT=4010: expected another port than SANDBOX_PORT, 4010', { PORT: '4010' }],
    ['PORT=4000: expected another port than SANDBOX_PORT, 4000', { SANDBOX_PORT: '4000' }],
    ['PORT=4010: expected another port than SANDBOX_PORT, 4010', { PORT: '4010', HOST: '::' }],
    ['METRICS_PORT=4010: expected another port than SANDBOX_PORT, 4010', { METRICS_PORT: '4010' }],
    [
      'MAX_UNSENT_BYTES_PER_OWNER=1048577: expected at most MAX_UNSENT_BYTES, 1048576',
      { MAX_UNSENT_BYTES_PER_OWNER: '1048577', MAX_UNSENT_BYTES: '1048576' },
    ],
    [
      'MAX_UNSENT_BYTES_PER_OWNER=268435457: expected at most MAX_UNSENT_BYTES, 268435456',
      { MAX_UNSENT_BYTES_PER_OWNER: '268435457' },
    ],
    [
      'CHAT_ACCEPT_SECONDS=30: expected less than CHAT_DETACH_SECONDS, 20',
      { CHAT_ACCEPT_SECONDS: '30', CHAT_DETACH_SECONDS: '20' },
    ],
    ['CHAT_ACCEPT_SECONDS=120: expected less than CHAT_DETACH_SECONDS, 120', { CHAT_ACCEPT_SECONDS: '120' }],
    [
      'FILES_S3_KMS_KEY_ID: expected FILES_S3_ENCRYPTION=aws:kms',
      { FILES: 's3', FILES_S3_BUCKET: 'media', FILES_S3_KMS_KEY_ID: 'key-1' },
    ],
    [
      'FILES_S3_KMS_KEY_ID: expected FILES_S3_ENCRYPTION=aws:kms',
      { FILES: 's3', FILES_S3_BUCKET: 'media', FILES_S3_KMS_KEY_ID: 'key-1', FILES_S3_ENCRYPTION: 'AES256' },
    ],
    [
      'MAX_FILE_BYTES=5368709121: expected at most 5368709120 with FILES=s3',
      { FILES: 's3', FILES_S3_BUCKET: 'media', MAX_FILE_BYTES: '5368709121' },
    ],
    ['METRICS_HOST has no effect without METRICS_PORT', { METRICS_HOST: '10.0.0.1' }],
    ['DATABASE_LISTEN_URL has no effect without DATABASE_URL', { DATABASE_LISTEN_URL: 'postgres://a/a' }],
    ['FILES_DIR has no effect without FILES', { FILES_DIR: '/srv/files' }],
    ['FILES_S3_BUCKET has no effect without FILES', { FILES_S3_BUCKET: 'media' }],
    ['OWNER_WEBHOOK_HOSTS has no effect without OWNER_WEBHOOKS', { OWNER_WEBHOOK_HOSTS: '*.example.com' }],
    ['GENERATION_DAYS=1: expected at least IDEMPOTENCY_HOURS, 168 hours', { GENERATION_DAYS: '1' }],
    [
      'TRUSTED_DOCUMENTS=off: expected no TRUSTED_DOCUMENTS_FILES',
      { TRUSTED_DOCUMENTS_FILES: '/missing/documents.json' },
    ],
    [
      'TRUSTED_DOCUMENTS=off: expected no TRUSTED_DOCUMENTS_FILES',
      { TRUSTED_DOCUMENTS: 'off', TRUSTED_DOCUMENTS_FILES: '/missing/documents.json' },
    ],
  ])('are refused with %s', (message, variables) => {
    expect(problemWith(variables)).toContain(message);
  });

  test('ignore the usual variables of other programs', () => {
    const usual = Object.fromEntries(usualVariables.map((name) => [name, 'x']));
    expect(loadConfig(usual)).toEqual(loadConfig({}));
  });

  test('are compared quickly with many long names', () => {
    const names = Array.from({ length: 2000 }, (_, index) => `MAX_${'PER_'.repeat(100)}${index}`);
    const startedAt = performance.now();
    loadConfig(Object.fromEntries(names.map((name) => [name, 'x'])));
    expect(performance.now() - startedAt).toBeLessThan(20_000);
  });

  test.each<Readonly<Record<string, string>>>([
    { NODE_ENV: 'production', GATEWAY_URL: 'http://a.example' },
    { NODE_ENV: 'production', SANDBOX: 'on' },
    { NODE_ENV: 'development' },
    { PORT: '0', METRICS_PORT: '0', SANDBOX_PORT: '0' },
    { PORT: '4010', METRICS_PORT: '4011', SANDBOX_PORT: '4011', GATEWAY_URL: 'http://a.example' },
    { PORT: '4010', HOST: '10.0.0.1' },
    { METRICS_PORT: '4010', METRICS_HOST: '10.0.0.1' },
    { CHAT_DETACH_SECONDS: '5' },
    { MAX_UNSENT_BYTES: '1048576' },
    { METRICS_PORT: '4000', METRICS_HOST: '10.0.0.1' },
    { GENERATION_DAYS: '1', IDEMPOTENCY_HOURS: '24' },
    { SANDBOX: 'off', GATEWAY_URL: 'http://a.example' },
    // The setting itself is set, so the other name is not a misspelling of it.
    { DATABASE_URL: 'postgres://a.example/a', DATABASE_URI: 'x' },
    // Kubernetes sets such names for its services.
    { GATEWAY_PORT: 'tcp://10.0.0.1:80', GATEWAY_SERVICE_HOST: '10.0.0.1' },
    { HOSTS: 'x', SPORT: 'x', OTEL_BLRP_SCHEDULE_DELAY: '1' },
  ])('are accepted: %j', (variables) => {
    expect(() => loadConfig(variables)).not.toThrow();
  });
});

describe("OpenTelemetry's own variables", () => {
  const receiver = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

  test.each([
    ['OTEL_TRACES_SAMPLER', 'bogus'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/protobuf'],
    ['OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT', 'many'],
  ])('are validated if spans are exported: %s=%s', (name, value) => {
    expect(problemWith({ ...receiver, [name]: value })).toMatch(
      new RegExp(`^Invalid setting: ${name}=${value}: expected .+$`),
    );
    expect(loadConfig({ [name]: value })).toEqual(loadConfig({}));
  });

  test.each(['OTEL_EXPORTER_OTLP_TIMEOUT', 'OTEL_EXPORTER_OTLP_METRICS_TIMEOUT'])(
    'are validated if metrics are sent: %s',
    (name) => {
      const metrics = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://collector:4318/v1/metrics' };
      expect(problemWith({ ...metrics, [name]: '10s' })).toMatch(
        new RegExp(`^Invalid setting: ${name}=10s: expected .+$`),
      );
    },
  );

  test('accept every documented value', () => {
    const variables = {
      ...receiver,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '0',
      OTEL_EXPORTER_OTLP_TRACES_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20x, b=',
    };
    expect(loadConfig(variables)).toEqual(loadConfig(receiver));
  });

  test('are reported without credentials', () => {
    const problem = problemWith({ ...receiver, OTEL_EXPORTER_OTLP_HEADERS: 'my-secret' });
    expect(problem).toMatch(/^Invalid setting: OTEL_EXPORTER_OTLP_HEADERS=…: expected name=value/);
  });
});
