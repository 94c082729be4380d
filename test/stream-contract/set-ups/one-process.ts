import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Endpoint, Settings, SetUp } from '../set-up.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

const exec = promisify(execFile);

/** One process with its records in a SQLite file. */
export const oneProcess: SetUp = {
  name: 'one process on SQLite',
  faults: ['kill', 'pause', 'clock step', ...(process.platform === 'linux' ? (['disk full'] as const) : [])],
  async start({ gatewayUrl, settings }) {
    const directory = await mkdtemp(join(tmpdir(), 'gengraph-contract-'));
    const endpoint = await startEndpoint({
      GATEWAY_URL: gatewayUrl,
      DATA_DIR: directory,
      ...toEnv(settings),
    });
    return {
      ...endpoint,
      async close() {
        await endpoint.close();
        await rm(directory, { recursive: true });
      },
    };
  },
};

export function toEnv({
  detachSeconds,
  logSeconds,
  stallSeconds,
  callbackUrl,
}: Settings): Readonly<Record<string, string>> {
  return {
    ...(detachSeconds !== undefined && { CHAT_DETACH_SECONDS: String(detachSeconds) }),
    ...(logSeconds !== undefined && { STREAM_LOG_SECONDS: String(logSeconds) }),
    ...(stallSeconds !== undefined && { GATEWAY_STALL_SECONDS: String(stallSeconds) }),
    ...(callbackUrl !== undefined && { CALLBACK_URLS: callbackUrl }),
    // The cases come from one address, with credentials of many callers.
    ANONYMOUS_OPERATIONS_PER_SECOND: '100000',
  };
}

/** Starts one process, with every fault that concerns the process alone. */
export async function startEndpoint(env: Readonly<Record<string, string>>): Promise<Endpoint> {
  let server = await startServerProcess(env);
  const { host, port } = new URL(server.origin);
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    server.kill(signal);
    await server.exited;
  };
  return {
    url: `http://${host}/graphql`,
    socketUrl: `ws://${host}/graphql`,
    outages: {
      kill: {
        begin: () => kill('SIGKILL'),
        async end() {
          server = await startServerProcess({ ...env, PORT: port });
        },
      },
      pause: { begin: async () => server.kill('SIGSTOP'), end: async () => server.kill('SIGCONT') },
      'disk full': { begin: () => limitFiles(server, '4096'), end: () => limitFiles(server, 'unlimited') },
    },
    stepClock: (milliseconds) => server.setClockOffset(milliseconds),
    close: () => kill('SIGKILL'),
  };
}

/** A limit of file sizes looks like a full disk to SQLite. */
async function limitFiles({ pid }: ServerProcess, bytes: string): Promise<void> {
  await exec('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}
