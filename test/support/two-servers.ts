import { onTestFinished } from 'vitest';
import type { AppOverrides } from '../../src/app.ts';
import { startApp, type TestApp } from './app.ts';
import { createDirectory } from './durable-server.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts';

export interface TwoServers {
  readonly one: TestApp;
  readonly other: TestApp;
  readonly gateway: ScriptedGateway;
  readonly clock: ManualClock;
  /** Where both keep their records. */
  readonly directory: string;
}

/** Two servers on the same records and in the same time. `overrides` are those of `one`. */
export async function startTwo(overrides: AppOverrides = {}): Promise<TwoServers> {
  const directory = await createDirectory();
  const gateway = await startScriptedGateway();
  const clock = createManualClock();
  const start = async (more: AppOverrides): Promise<TestApp> => {
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { DATA_DIR: directory, SHUTDOWN_SECONDS: '0.05' },
      overrides: { clock, ...more },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return { one: await start(overrides), other: await start({}), gateway, clock, directory };
}
