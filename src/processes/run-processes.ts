import cluster from 'node:cluster';
import type { Config } from '../config.ts';

/** Serves with several processes. Runs in the primary process, which serves nothing itself, and in each of the others. */
export async function runProcesses(config: Config, count: number): Promise<void> {
  const { checkShares } = await import('./share-limits.ts');
  if (cluster.worker) {
    const { serveInProcess } = await import('./serve-in-process.ts');
    await serveInProcess(config, { worker: cluster.worker, count });
    return;
  }
  checkShares(config, count);
  const { runPrimary } = await import('./primary.ts');
  await runPrimary(config, count);
}
