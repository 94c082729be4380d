import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, type TestContext } from 'vitest';
import { createDirectory } from './durable-server.ts';
import { findPort } from './postgres-broker.ts';
import { startProgram } from './programs.ts';

const program = inject('nginx');

/** Skips a test that needs nginx where there is none. */
export function skipWithoutNginx({ skip }: Pick<TestContext, 'skip'>): void {
  skip(program === undefined, 'no nginx: install the Debian package nginx-light, or see INSTALL_TEST_TOOLS');
}

/** Starts nginx with the site of the repository in front of two servers. Stopped when the test ends. @returns its URL */
export async function startSite(servers: readonly [first: string, second: string]): Promise<string> {
  if (program === undefined) throw new Error('There is no nginx.');
  const directory = await createDirectory();
  const address = `127.0.0.1:${await findPort()}`;
  const [first, second] = servers.map((url) => new URL(url).host);
  const site = replaceAll(await readFile('deploy/nginx.conf', 'utf8'), {
    'listen 80;': `listen ${address};`,
    'gengraph-1:4000': first,
    'gengraph-2:4000': second,
  });
  await writeFile(join(directory, 'site.conf'), site);
  await writeFile(join(directory, 'nginx.conf'), mainConfiguration(directory));
  const nginx = startProgram([program, '-p', directory, '-e', 'stderr', '-c', join(directory, 'nginx.conf')]);
  // It listens before it starts its worker.
  await nginx.waitForOutput(/start worker process/);
  return `http://${address}`;
}

function replaceAll(text: string, parts: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(parts).reduce((result, [from, to = '']) => {
    if (!result.includes(from)) throw new Error(`deploy/nginx.conf no longer contains "${from}"`);
    return result.replace(from, to);
  }, text);
}

/** Everything that nginx writes is in the directory. */
function mainConfiguration(directory: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  return `
daemon off;
pid ${directory}/nginx.pid;
error_log stderr notice;
worker_processes 1;
events {}
http {
  access_log off;
  ${temporary.join('\n  ')}
  include ${directory}/site.conf;
}
`;
}
