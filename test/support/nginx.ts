import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inject, type TestContext } from 'vitest';
import { createDirectory } from './durable-server.ts';
import { findPort } from './find-port.ts';
import { startProgram } from './programs.ts';

const program = inject('nginx');

/** Skips a test that needs nginx where there is none. */
export function skipWithoutNginx({ skip }: Pick<TestContext, 'skip'>): void {
  skip(program === undefined, 'no nginx: install the Debian package nginx-light');
}

export interface Site {
  readonly url: string;
  /** Takes a server out, or all in again: writes the site with `down` and reloads it. */
  markDown(server: string | undefined): Promise<void>;
}

const serverLines = / +server gengraph-1:4000 (.*);\n +server gengraph-2:4000 .*;\n/;

/** Starts nginx with the site of the repository in front of these servers. Stopped when the test ends. */
export async function startSite(servers: readonly string[]): Promise<Site> {
  if (program === undefined) throw new Error('There is no nginx.');
  const directory = await createDirectory();
  const address = `127.0.0.1:${await findPort()}`;
  const committed = await readFile('deploy/nginx.conf', 'utf8');
  const [, options] = serverLines.exec(committed) ?? [];
  if (options === undefined) throw new Error('deploy/nginx.conf no longer has the lines of two servers');
  const writeSite = async (down?: string): Promise<void> => {
    const lines = servers.map(
      (url) => `    server ${new URL(url).host} ${options}${url === down ? ' down' : ''};\n`,
    );
    const site = replaceAll(committed.replace(serverLines, lines.join('')), {
      'listen 80;': `listen ${address};`,
    });
    await writeFile(join(directory, 'site.conf'), site);
  };
  await writeSite();
  await writeFile(join(directory, 'nginx.conf'), mainConfiguration(directory));
  const nginx = startProgram([program, '-p', directory, '-e', 'stderr', '-c', join(directory, 'nginx.conf')]);
  // It listens before it starts its worker.
  await nginx.waitForOutput(/start worker process/);
  let reloads = 0;
  return {
    url: `http://${address}`,
    async markDown(server) {
      await writeSite(server);
      nginx.kill('SIGHUP');
      reloads += 1;
      // The new worker runs before the old one stops to accept connections.
      await nginx.waitForOutput(new RegExp(`(gracefully shutting down[^]*){${reloads}}`));
    },
  };
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
