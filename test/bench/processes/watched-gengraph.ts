import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { serveServerCalls } from './server-calls.ts';

// Like `gengraph.ts`, but reaches the maximum poll rate quickly. Otherwise ten seconds would contain only one read.
const config = loadConfig({
  TASK_POLL_MAX_SECONDS: '2',
  ...process.env,
  PORT: '0',
  DATA_DIR: ':memory:',
  GATEWAY_URL: process.argv[2],
});
const app = await createApp(config);
serveServerCalls(app.url);
