import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const processors = availableParallelism();

/**
 * Whether the server under test is pinned to one processor, with clients and upstream on the others. Otherwise the scheduling,
 * and with it the cost of a small request, changes from run to run. Needs `taskset` of util-linux.
 */
export const canPin = processors > 1 && spawnSync('taskset', ['--version']).status === 0;

export function pin(processId: number, role: 'server' | 'other'): void {
  if (!canPin) return;
  const last = String(processors - 1);
  const list = role === 'server' ? last : `0-${processors - 2}`;
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(processId)]);
}
