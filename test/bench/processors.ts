import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const processors = availableParallelism();

/**
 * Whether the server under test gets a processor of its own and clients and upstream share the others: who runs beside
 * whom would otherwise change from run to run, and the cost of a small request with it. By util-linux' `taskset`.
 */
export const canPin = processors > 1 && spawnSync('taskset', ['--version']).status === 0;

export function pin(processId: number, role: 'server' | 'other'): void {
  if (!canPin) return;
  const last = String(processors - 1);
  const list = role === 'server' ? last : `0-${processors - 2}`;
  spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', list, String(processId)]);
}
