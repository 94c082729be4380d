import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync } from 'node:fs';
import type { TestProject } from 'vitest/node';
import { startPostgresBroker } from './postgres-broker.ts';
import { startPlaygroundBroker } from './playground-build.ts';
import { startBuildBroker } from './program-build.ts';
import { chromium, findProgram, installMissing, nginx, pgbouncer, prometheus } from './test-tools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the Chromium for browser tests; undefined skips them. */
    chromium: string | undefined;
    /** Path of nginx for the tests of its site; undefined skips them. */
    nginx: string | undefined;
    /** Path of PgBouncer for the tests behind a pooler; undefined skips them. */
    pgbouncer: string | undefined;
    /** Paths of Prometheus and its tool; undefined skips the tests of the dashboard and the alerts. */
    prometheus: { readonly prometheus: string | undefined; readonly promtool: string | undefined };
    /** URL that answers with the test database and its template, which it starts at the first request. */
    postgresBroker: string;
    /** URL that answers with a directory of PostgreSQL to copy, which it makes at the first request. */
    preparedDatabaseBroker: string;
    /** URL that answers with the directory of the built program, which it builds at the first request. */
    buildBroker: string;
    /** URL that answers with the directory of the playground's page, which it builds at the first request. */
    playgroundBroker: string;
  }
}

/** Finds or installs Chromium, nginx, Prometheus and PgBouncer. Provides a database server and a build. Returns the teardown. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  mkdirSync('test/artifacts', { recursive: true });
  installMissing([chromium, nginx, prometheus, pgbouncer]);
  buildGraphiQL();
  project.provide('chromium', chromium.find() ?? chromium.findSubstitute?.());
  project.provide('nginx', nginx.find());
  project.provide('pgbouncer', pgbouncer.find());
  project.provide('prometheus', {
    prometheus: findProgram(['prometheus']),
    promtool: findProgram(['promtool']),
  });
  const [postgres, build, playground] = await Promise.all([
    startPostgresBroker(),
    startBuildBroker(),
    startPlaygroundBroker(),
  ]);
  project.provide('postgresBroker', postgres.url);
  project.provide('preparedDatabaseBroker', postgres.preparedUrl);
  project.provide('buildBroker', build.url);
  project.provide('playgroundBroker', playground.url);
  return async () => {
    build.close();
    await playground.close();
    await postgres.close();
  };
}

/** The files of GraphiQL, of which only its package and this program decide. */
function buildGraphiQL(): void {
  const [program, built] = ['build-graphiql.ts', 'dist/graphiql/index.json'];
  if (!existsSync(built) || statSync(built).mtimeMs < statSync(program).mtimeMs)
    execFileSync(process.execPath, [program]);
}
