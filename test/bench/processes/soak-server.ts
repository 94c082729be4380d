import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { serveCalls } from '../child-process.ts';
import { maxLifeMs } from '../soak/intent.ts';

const [, , gatewayUrl, directory] = process.argv;
// Short intervals, so that every wait and expiry happens many times within a run.
const config = loadConfig({
  CHAT_DETACH_SECONDS: '15',
  STREAM_LOG_SECONDS: '5',
  TASK_POLL_MAX_SECONDS: '2',
  WEBSOCKET_PING_SECONDS: '4',
  MAX_UNSENT_BYTES: '8388608',
  ...process.env,
  PORT: '0',
  DATA_DIR: directory,
  GATEWAY_URL: gatewayUrl,
});
const app = await createApp(config);
const loopDelay = monitorEventLoopDelay({ resolution: 5 });
loopDelay.enable();

const calls = {
  url: () => app.url,
  activity: () => app.activity,
  /** Resets the event-loop delay, and reads it before the garbage collection that would delay it. */
  async figures() {
    const loopDelayMs = loopDelay.percentile(99) / 1e6;
    for (let pass = 0; pass < 3; pass += 1) {
      globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
      await new Promise((resolve) => setImmediate(resolve));
    }
    loopDelay.reset();
    const { heapUsed, rss } = process.memoryUsage();
    return {
      residentBytes: rss,
      heapBytes: heapUsed,
      handles: process.getActiveResourcesInfo().length,
      loopDelayMs,
    };
  },
};
export type SoakServerCalls = typeof calls;
serveCalls(calls, maxLifeMs);
