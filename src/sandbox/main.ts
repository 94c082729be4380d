import { explainMissingPackages } from './packages.ts';

/** Runs the sandbox by itself: `npm run sandbox`. */
async function main(): Promise<void> {
  const options = {
    host: process.env['SANDBOX_HOST']?.trim() || '127.0.0.1',
    port: readNumber({ name: 'SANDBOX_PORT', fallback: 4010, isValid: isPort }),
    tokensPerSecond: readNumber({
      name: 'SANDBOX_TOKENS_PER_SECOND',
      fallback: 50,
      isValid: (value) => value > 0,
    }),
    taskSeconds: readNumber({
      name: 'SANDBOX_TASK_SECONDS',
      fallback: 4,
      isValid: (value) => value >= 0 && value < Infinity,
    }),
  };
  const { createSandbox } = await import('./sandbox.ts');
  const sandbox = await createSandbox(options);
  console.log(`Sandbox gateway at ${sandbox.url}`);
  console.log(`API key ${sandbox.apiKey}, system token ${sandbox.systemToken} of user ${sandbox.userId}`);

  const stop = (): void => {
    // The empty event loop ends the process: `process.exit` may hang (https://github.com/nodejs/node/issues/54918).
    sandbox.close().catch(() => {
      process.exitCode = 1;
    });
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
}

interface NumberRule {
  readonly name: string;
  readonly fallback: number;
  readonly isValid: (value: number) => boolean;
}

function readNumber({ name, fallback, isValid }: NumberRule): number {
  const text = process.env[name]?.trim() ?? '';
  const value = text === '' ? fallback : Number(text);
  if (!isValid(value)) throw new Error(`${name}: "${text}" is not a valid value`);
  return value;
}

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 65_535;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, address, port } = error as Error & { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') return `${address}:${port} is in use: set SANDBOX_PORT to another port`;
  if (code === 'EACCES')
    return `${address}:${port} cannot be opened: this user has no permission. Set SANDBOX_PORT to another port`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return 'SANDBOX_HOST is not an address of this machine';
  return error.message;
}

// Outside the try block: start.js reports it when nothing at all is installed.
const missing = explainMissingPackages();
try {
  if (missing !== undefined) throw new Error(missing);
  await main();
} catch (error) {
  console.error(`The sandbox did not start: ${explain(error)}`);
  process.exitCode = 1;
}
