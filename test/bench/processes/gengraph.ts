import { createApp } from '../../../src/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { serveServerCalls } from './server-calls.ts';

// With its defaults, logging included, unless the environment of the bench says otherwise.
const config = loadConfig({ ...process.env, PORT: '0', DATA_DIR: ':memory:', GATEWAY_URL: process.argv[2] });
const app = await createApp(config);
serveServerCalls(app.url);
