import type { SetUp } from '../set-up.ts';
import { toEnv } from './one-process.ts';
import { startOnPostgres } from './postgres.ts';

/** Three processes on one PostgreSQL. Each connection reaches another one. */
export const threeInstances: SetUp = {
  name: 'three instances on PostgreSQL behind a balancer',
  faults: ['kill', 'pause', 'clock step', 'database gone', 'cut off'],
  exclusions: [
    {
      pattern: /^faults: database gone: watchers of a running chat notice nothing/,
      reason: 'a watcher on another instance than its chat pauses until the database is back',
    },
  ],
  start: ({ gatewayUrl, settings }) => startOnPostgres(3, { GATEWAY_URL: gatewayUrl, ...toEnv(settings) }),
};
