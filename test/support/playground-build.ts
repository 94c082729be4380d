import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { startBroker } from './broker.ts';

export interface PlaygroundBroker {
  /** Of the broker, which answers with the directory of the page. */
  readonly url: string;
  /** Deletes the directory. */
  close(): Promise<void>;
}

/** Builds the page of these sources at the first request of a worker, so that runs without tests of it build nothing. */
export async function startPlaygroundBroker(): Promise<PlaygroundBroker> {
  let building: Promise<string> | undefined;
  const broker = await startBroker(() => (building ??= build()));
  return {
    url: broker.url,
    async close() {
      broker.close();
      const directory = await building?.catch(() => undefined);
      if (directory !== undefined) await rm(directory, { recursive: true });
    },
  };
}

async function build(): Promise<string> {
  const directory = await mkdtemp(resolve('test/artifacts/playground-'));
  await promisify(execFile)(
    resolve('node_modules/.bin/vite'),
    ['build', 'src/playground', '--outDir', directory, '--emptyOutDir'],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  return directory;
}
