import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Api, apiAt } from './app.ts';
import { startBuilt } from './built-program.ts';
import { type Program, waitForStart } from './programs.ts';

/** Creates an empty directory. Deleted when the test ends. */
export async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gengraph-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

export interface DurableServer extends Api {
  readonly program: Program;
  /** Kills the process with SIGKILL. */
  crash(): Promise<void>;
}

export interface DurableServerOptions {
  /** Directory of the records. Not used if `env` names a database. */
  readonly directory?: string;
  readonly gatewayUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the whole program as a separate process with records that outlive it. */
export async function startDurableServer(options: DurableServerOptions): Promise<DurableServer> {
  const program = startBuilt([], {
    env: {
      ...(options.directory !== undefined && { DATA_DIR: options.directory }),
      GATEWAY_URL: options.gatewayUrl,
      LOG_LEVEL: 'warn',
      ...options.env,
    },
  });
  const url = await waitForStart(program);
  return {
    ...apiAt(`${url}/graphql`),
    program,
    async crash() {
      program.kill('SIGKILL');
      await program.exited;
    },
  };
}
