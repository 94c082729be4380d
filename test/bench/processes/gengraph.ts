import { pathToFileURL } from 'node:url';
import type * as appModule from '../../../src/app.ts';
import type * as configModule from '../../../src/config.ts';
import { serveServerCalls } from './server-calls.ts';

const [, , upstreamUrl, settings = '{}', checkout] = process.argv;
const root = checkout === undefined ? new URL('../../../', import.meta.url) : pathToFileURL(`${checkout}/`);
// Each checkout runs its own modules. This checkout starts and measures it. The types of an older version may differ.
const { createApp } = (await import(new URL('src/app.ts', root).href)) as typeof appModule;
const { loadConfig } = (await import(new URL('src/config.ts', root).href)) as typeof configModule;

// Default settings, including logging, unless the environment of the bench overrides them.
const config = loadConfig({
  ...process.env,
  PORT: '0',
  GATEWAY_URL: upstreamUrl,
  ...(JSON.parse(settings) as Record<string, string>),
});
const app = await createApp(config);
serveServerCalls(app.url);
