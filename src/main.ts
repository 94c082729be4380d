import { constants } from 'node:os';
import { resolve } from 'node:path';
import { type App, checkReferences, createApp } from './app.ts';
import { describeLimits, limitsOfSettings } from './caller-limits.ts';
import { printSettings, readCommand } from './command-line.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { findBadLines, findUnknownNames, loadEnvFiles } from './env-files.ts';
import { explorationOf } from './exploration.ts';
import { findOwner } from './find-owner.ts';
import { describeDatabase } from './store/postgres/connection-settings.ts';

/** Process entry: reads the settings, starts the app, prints its addresses, and drains on SIGTERM or SIGINT. */
export async function main(): Promise<void> {
  try {
    const command = readCommand(process.argv.slice(2));
    if (command.name === 'print') {
      process.stdout.write(command.text);
      return;
    }
    loadEnvFiles(command.envFiles);
    // Before the settings are validated: a skipped line can be the cause of a refusal.
    warn(findBadLines(command.envFiles));
    const config = loadConfig();
    warn(findUnknownNames(command.envFiles));
    if (command.name === 'check') {
      await checkReferences(config);
      process.stdout.write(printSettings(config));
      return;
    }
    if (command.name === 'owner') {
      const { query, readsKey } = command;
      const key = readsKey ? await readInput() : undefined;
      process.stdout.write(`${await findOwner(config, { ...query, key })}\n`);
      return;
    }
    const app = await createApp(config);
    drainOnSignal(app);
    announce(app, config, performance.now());
  } catch (error) {
    // Errors that an operator can fix are one line. Defects keep their stack.
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function warn(lines: readonly string[]): void {
  for (const line of lines) process.stderr.write(`${line}\n`);
}

const maxInputBytes = 65_536;

async function readInput(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > maxInputBytes) throw new ConfigError('Standard input is too long for a key');
  }
  return text.trim();
}

type Sandbox = NonNullable<App['sandbox']>;

function announce({ url, sandbox, gatewayUrl, metricsUrl }: App, config: Config, elapsedMs: number): void {
  const limits = describeLimits(limitsOfSettings(config));
  const lines = [
    `Gengraph ${config.version} is ready (${Math.round(elapsedMs)} ms)`,
    `  API           ${url}/graphql`,
    ...describeExploration(config, url),
    sandbox
      ? `  Gateway       its own sandbox at ${sandbox.url}: no key and no internet needed`
      : `  Gateway       ${gatewayUrl}`,
    `  Records       ${describeRecords(config)}`,
    ...(limits === undefined ? [] : [`  Owner limits  ${limits}`]),
    ...(metricsUrl === undefined ? [] : [`  Metrics       ${metricsUrl}`]),
    ...(sandbox ? describeSandbox(sandbox, config) : []),
  ];
  // On stderr: stdout carries the JSON log.
  process.stderr.write(`${lines.join('\n')}\n`);
}

function describeExploration(config: Config, url: string): readonly string[] {
  const { hasGraphiQL, hasIntrospection, hasPlayground, playground } = explorationOf(config);
  const describe = (name: 'GRAPHIQL' | 'INTROSPECTION' | 'PLAYGROUND', isOn: boolean): string => {
    if (isOn) return 'on';
    return config[name] === 'off' ? 'off' : `off, as with every GATEWAY_URL: ${name}=on turns it on`;
  };
  const page = playground === undefined ? 'not built: run "npm run build:playground"' : `${url}/`;
  return [
    `  Playground    ${hasPlayground ? page : describe('PLAYGROUND', false)}`,
    `  GraphiQL      ${describe('GRAPHIQL', hasGraphiQL)}${hasGraphiQL ? ': open the address above in a browser' : ''}`,
    `  Introspection ${describe('INTROSPECTION', hasIntrospection)}`,
  ];
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
          `  System token  ${systemToken} with new-api-user: ${userId}   (for createToken)`,
        ]),
    ...(setPaths
      ? []
      : ["  Task status   speech and videos at the sandbox's own endpoints (GATEWAY_TASK_PATHS)"]),
  ];
}

/** Maximum time that open handles keep the process alive after the drain. */
const lingerMs = 5000;

function drainOnSignal(app: App): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) {
      endAtOnce(app, signal);
      return;
    }
    isStopping = true;
    process.stderr.write(
      `${signal}: draining ${app.activity.streams} running streams; send the signal again to stop immediately\n`,
    );
    app.close().then(
      () => exitWhenIdle(0),
      (error: unknown) => {
        process.stderr.write(`${explain(error)}\n`);
        exitWhenIdle(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', (signal) => {
    if (!app.reloadKeys()) endAtOnce(app, signal);
  });
  // The reader of standard error can end before the server: what it would have read must not end the drain.
  process.stderr.on('error', () => {});
}

/** By the signal itself, because `process.exit` can hang (see `exitWhenIdle`). */
function endAtOnce(app: App, signal: NodeJS.Signals): void {
  try {
    app.logStopAtOnce(signal);
  } catch {
    // Standard output can be closed, for example with its terminal.
  }
  // Without handlers, the signal ends the process.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // The kernel drops it if this is the first process of a container.
  process.exit(128 + constants.signals[signal]);
}

/**
 * Lets the empty event loop end the process. `process.exit` joins Node's compiler threads while their heap still exists,
 * and hangs when one of them waits for a garbage collection (https://github.com/nodejs/node/issues/54918).
 */
function exitWhenIdle(code: number): void {
  process.exitCode = code;
  const timer = setTimeout(() => {
    const handles = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`Stopped with open handles after ${lingerMs} ms: ${handles}\n`);
    process.exit();
  }, lingerMs);
  timer.unref();
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error) {
    const address = 'port' in error ? `port ${String(error.port)}` : 'the port';
    if (error.code === 'EADDRINUSE')
      return `Cannot start: ${address} is in use. Set PORT (or SANDBOX_PORT) to another port.`;
    if (error.code === 'EACCES')
      return `Cannot start: this user has no permission to use ${address}. Set PORT to another port.`;
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      return `Cannot start: HOST is not an address of this machine (${error.message}).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
