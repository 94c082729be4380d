import { resolve } from 'node:path';
import type { App } from './app.ts';
import { describeLimits, limitsOfSettings } from './caller-limits.ts';
import type { Config } from './config.ts';
import { explorationOf } from './exploration.ts';
import { describeDatabase } from './store/postgres/connection-settings.ts';

type Sandbox = NonNullable<App['sandbox']>;

/** What an operator sees of a server that has started. */
export type Announced = Pick<App, 'url' | 'sandbox' | 'gatewayUrl' | 'metricsUrl'> & {
  /** Absent if this process serves. */
  readonly processes?: number;
};

/** Prints the addresses of the server. */
export function announce(
  { url, sandbox, gatewayUrl, metricsUrl, processes }: Announced,
  config: Config,
  elapsedMs: number,
): void {
  const limits = describeLimits(limitsOfSettings(config));
  const lines = [
    `Gengraph ${config.version} is ready (${Math.round(elapsedMs)} ms)`,
    `  API           ${url}/graphql`,
    ...describeExploration(config, url),
    sandbox
      ? `  Gateway       its own sandbox at ${sandbox.url}: no key and no internet needed`
      : `  Gateway       ${gatewayUrl}`,
    `  Records       ${describeRecords(config)}`,
    ...(processes === undefined ? [] : [`  Processes     ${processes}`]),
    ...(limits === undefined ? [] : [`  Owner limits  ${limits}`]),
    ...(metricsUrl === undefined ? [] : [`  Metrics       ${metricsUrl}`]),
    ...(sandbox ? describeSandbox(sandbox, config) : []),
  ];
  // On stderr: stdout carries the JSON log.
  process.stderr.write(`${lines.join('\n')}\n`);
}

function describeExploration(config: Config, url: string): readonly string[] {
  const { hasGraphiQL, graphiql, hasIntrospection, hasPlayground, playground } = explorationOf(config);
  const describe = (name: 'GRAPHIQL' | 'INTROSPECTION' | 'PLAYGROUND', isOn: boolean): string => {
    if (isOn) return 'on';
    return config[name] === 'off' ? 'off' : `off, as with every GATEWAY_URL: ${name}=on turns it on`;
  };
  const toBuild = (name: string): string => `not built: run "npm run build:${name}"`;
  const page = playground === undefined ? toBuild('playground') : `${url}/`;
  const editor = graphiql === undefined ? toBuild('graphiql') : `${url}/graphql in a browser`;
  const isTrusted = hasIntrospection && config.TRUSTED_DOCUMENTS === 'only';
  const introspection = isTrusted
    ? 'only in trusted documents (TRUSTED_DOCUMENTS=only)'
    : describe('INTROSPECTION', hasIntrospection);
  return [
    `  Playground    ${hasPlayground ? page : describe('PLAYGROUND', false)}`,
    `  GraphiQL      ${hasGraphiQL ? editor : describe('GRAPHIQL', false)}`,
    `  Introspection ${introspection}`,
    ...(hasPlayground || hasGraphiQL ? describeOrigins(config, url) : []),
  ];
}

/** The server does not accept its own origin by itself: see `mayOpenSocket`. */
function describeOrigins({ CORS_ORIGINS: origins }: Config, url: string): readonly string[] {
  const isAccepted = origins === undefined || origins === '*' || origins.includes(url);
  return isAccepted ? [] : [`  CORS_ORIGINS  lacks ${url}, so the pages there cannot open a WebSocket`];
}

function describeRecords({ DATA_DIR: directory, DATABASE_URL: url }: Config): string {
  if (url !== undefined) return `PostgreSQL at ${describeDatabase(url)}`;
  return directory === ':memory:' ? 'in memory: lost when the process ends' : resolve(directory);
}

function describeSandbox(
  { apiKey, systemToken, userId }: Sandbox,
  { AUTH, GATEWAY_TASK_PATHS: setPaths }: Config,
): readonly string[] {
  return [
    ...(AUTH === 'jwt'
      ? ["  Sign-in       by token: the server uses the sandbox's key"]
      : [
          `  API key       ${apiKey}   (Authorization: Bearer ${apiKey}; prefilled in GraphiQL)`,
          `  System token  ${systemToken} with new-api-user: ${userId}   (for createAccessToken)`,
        ]),
    ...(setPaths
      ? []
      : ["  Task status   speech and videos at the sandbox's own endpoints (GATEWAY_TASK_PATHS)"]),
  ];
}
