import { announce } from './announce.ts';
import type { App } from './app.ts';
import { printSettings, readCommand } from './command-line.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { endBySignal } from './end-by-signal.ts';
import { findBadLines, findUnknownNames, loadEnvFiles } from './env-files.ts';
import { exitWhenIdle } from './exit-when-idle.ts';
import { explainStart } from './explain-start.ts';

/** Process entry: reads the settings, starts the app, prints its addresses, and drains on SIGTERM or SIGINT. */
export async function main(): Promise<void> {
  // The reader of standard error can end before the server: what it would have read must not end the drain.
  process.stderr.on('error', () => {});
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
      if (command.processes !== undefined)
        (await import('./processes/share-limits.ts')).checkShares(config, command.processes);
      const { checkReferences } = await import('./app.ts');
      await checkReferences(config);
      process.stdout.write(printSettings(config));
      return;
    }
    if (command.name === 'owner') {
      const { query, readsKey } = command;
      const key = readsKey ? await readInput() : undefined;
      const { findOwner } = await import('./find-owner.ts');
      process.stdout.write(`${await findOwner(config, { ...query, key })}\n`);
      return;
    }
    if (command.name === 'retry-files') {
      const { retryFiles } = await import('./retry-files.ts');
      process.stdout.write(`${await retryFiles(config)}\n`);
      return;
    }
    if (command.processes !== undefined) {
      const { runProcesses } = await import('./processes/run-processes.ts');
      await runProcesses(config, command.processes);
      return;
    }
    const takeHangUp = awaitHangUp(config);
    const { createApp } = await import('./app.ts');
    const app = await createApp(config);
    // Such a promise belongs to one operation. Node would end the process, and with it the streams of all.
    process.on('unhandledRejection', app.logUnhandled);
    drainOnSignal(app);
    if (takeHangUp()) app.reloadKeys();
    announce(app, config, performance.now());
  } catch (error) {
    process.stderr.write(`${explainStart(error)}\n`);
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

/**
 * With key files, a SIGHUP during the start must not end the process. The start may have read the files already.
 * @returns a function to call after the start, which returns whether one came
 */
function awaitHangUp({ GATEWAY_API_KEY_FILE: key, GATEWAY_SYSTEM_TOKEN_FILE: token }: Config): () => boolean {
  let hasCome = false;
  const note = (): void => void (hasCome = true);
  if (key ?? token) process.on('SIGHUP', note);
  return () => {
    process.off('SIGHUP', note);
    return hasCome;
  };
}

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
        process.stderr.write(`${explainStart(error)}\n`);
        exitWhenIdle(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', (signal) => {
    if (!app.reloadKeys()) endAtOnce(app, signal);
  });
}

function endAtOnce(app: App, signal: NodeJS.Signals): void {
  try {
    app.logStopAtOnce(signal);
  } catch {
    // Standard output can be closed, for example with its terminal.
  }
  endBySignal(signal);
}
