import { resolve } from 'node:path';
import { type App, createApp } from './app.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';

/** Process entry: reads the settings, starts, says where everything is, and drains on SIGTERM or SIGINT. */
export async function main(): Promise<void> {
  try {
    const config = loadConfig();
    const app = await createApp(config);
    drainOnSignal(app);
    announce(app, config, performance.now());
  } catch (error) {
    // What the operator can mend is one line; a defect keeps its stack.
    process.stderr.write(`${explain(error)}\n`);
    process.exitCode = 1;
  }
}

function announce({ url, sandbox, gatewayUrl }: App, config: Config, elapsedMs: number): void {
  const lines = [
    `Gengraph ${config.version} is ready (${Math.round(elapsedMs)} ms)`,
    `  GraphiQL      ${url}/graphql`,
    sandbox
      ? `  Gateway       its own sandbox at ${sandbox.url}: no key and no internet needed`
      : `  Gateway       ${gatewayUrl}`,
    `  Records       ${config.DATA_DIR === ':memory:' ? 'in memory: they end with the process' : resolve(config.DATA_DIR)}`,
    ...(sandbox
      ? [
          `  API key       ${sandbox.apiKey}   (Authorization: Bearer ${sandbox.apiKey}; filled in in GraphiQL)`,
          `  System token  ${sandbox.systemToken} with new-api-user: ${sandbox.userId}   (for createToken)`,
        ]
      : []),
  ];
  // Beside the log, which is JSON on standard output.
  process.stderr.write(`${lines.join('\n')}\n`);
}

/**
 * Node waits at its exit for the threads that still compile, and for ever where one of them waits for the main thread
 * (https://github.com/nodejs/node/issues/54918): so they get a moment to be done.
 */
const settleMs = 150;

function drainOnSignal(app: App): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (isStopping) process.exit(130);
    isStopping = true;
    process.stderr.write(
      `${signal}: draining ${app.activity.streams} running streams; the same signal again stops at once\n`,
    );
    app.close().then(
      () => setTimeout(() => process.exit(0), settleMs),
      (error: unknown) => {
        process.stderr.write(`${explain(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  if (error instanceof Error && 'code' in error) {
    const address = 'port' in error ? `port ${String(error.port)}` : 'the port';
    if (error.code === 'EADDRINUSE')
      return `Cannot start: ${address} is in use. Set PORT (or SANDBOX_PORT) to another one.`;
    if (error.code === 'EACCES')
      return `Cannot start: ${address} may not be used by this user. Set PORT to another one.`;
    if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
      return `Cannot start: HOST is no address of this machine (${error.message}).`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
