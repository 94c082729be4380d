import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { startProgram } from './programs.ts';

export interface S3Server {
  /** Settings of a server that keeps its files there. */
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
  /** Of the bucket. */
  readonly folder: string;
}

/** Pages of any origin may upload, with no header of their own. */
const cors =
  '<CORSConfiguration><CORSRule><AllowedOrigin>*</AllowedOrigin><AllowedMethod>PUT</AllowedMethod></CORSRule></CORSConfiguration>';

/** Starts s3rver, a process that speaks the protocol of Amazon S3, with an empty bucket. Ended with the test. */
export async function startS3(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'gengraph-s3-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const corsFile = `${folder}-cors.xml`;
  await writeFile(corsFile, cors);
  onTestFinished(() => rm(corsFile, { force: true }));
  const program = startProgram([
    'node',
    'node_modules/s3rver/bin/s3rver.js',
    '--directory',
    folder,
    '--port',
    '0',
    '--address',
    '127.0.0.1',
    '--configure-bucket',
    'media',
    corsFile,
  ]);
  const [, port = ''] = await program.waitForOutput(/127\.0\.0\.1:(\d+)/);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    folder: join(folder, 'media'),
    env: {
      FILES: 's3',
      FILES_S3_ENDPOINT: url,
      FILES_S3_BUCKET: 'media',
      FILES_S3_PREFIX: 'gengraph/files',
      FILES_S3_ACCESS_KEY_ID: 'S3RVER',
      FILES_S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
  };
}
