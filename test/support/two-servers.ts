import { onTestFinished } from 'vitest';
import type { AppOverrides } from '../../src/app.ts';
import { startApp, type TestApp } from './app.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createRecords, type Engine, type Records } from './records.ts';
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts';

export interface TwoServers {
  readonly one: TestApp;
  readonly other: TestApp;
  readonly gateway: ScriptedGateway;
  /** Of `one`, and of `other` unless it has its own. */
  readonly clock: ManualClock;
  readonly records: Records;
}

/** Starts two servers that share records and a clock. `overrides` apply to `one` only, `otherClock` to `other`. */
export async function startTwoServers(
  engine: Engine,
  overrides: AppOverrides = {},
  otherClock?: ManualClock,
): Promise<TwoServers> {
  const records = await createRecords(engine);
  const gateway = await startScriptedGateway();
  const clock = createManualClock();
  const start = async (more: AppOverrides): Promise<TestApp> => {
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { ...records.env, SHUTDOWN_SECONDS: '0.05' },
      overrides: { clock, ...more },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return {
    one: await start(overrides),
    other: await start(otherClock ? { clock: otherClock } : {}),
    gateway,
    clock,
    records,
  };
}
