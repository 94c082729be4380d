import { namesOf } from '../lib/members.ts';
import type { GaugeName } from './instruments.ts';
import type { Metrics } from './metrics.ts';

/** Counts of open connections, streams and subscriptions. */
export interface Activity {
  readonly sockets: number;
  readonly streams: number;
  readonly watchers: number;
  readonly polledTasks: number;
  readonly taskWatchers: number;
  /** Open subscriptions to record changes (`generationChanged`, `awaitGeneration`). */
  readonly feeds: number;
  /** Bytes buffered for clients that are behind. */
  readonly unsentBytes: number;
  /** Credentials of this server that the gateway refuses. */
  readonly refusedKeys: number;
}

const gauges: Readonly<Record<keyof Activity, GaugeName>> = {
  sockets: 'gengraph.sockets',
  streams: 'gengraph.streams',
  watchers: 'gengraph.watchers',
  polledTasks: 'gengraph.task.polled',
  taskWatchers: 'gengraph.task.watchers',
  feeds: 'gengraph.feeds',
  unsentBytes: 'gengraph.unsent',
  refusedKeys: 'gengraph.server_key.refused',
};

export function observeActivity(metrics: Metrics, activity: Activity, isReady: () => Promise<boolean>): void {
  for (const name of namesOf(gauges)) metrics.observe(gauges[name], () => activity[name]);
  metrics.observe('gengraph.ready', async () => ((await isReady()) ? 1 : 0));
}
