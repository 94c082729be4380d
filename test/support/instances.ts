import { onTestFinished } from 'vitest';
import { startApp, type TestApp, type TestAppOptions } from './app.ts';
import { createDatabaseRecords, type Records } from './records.ts';
import { type ScriptedGateway, startScriptedGateway } from './scripted-gateway.ts';

export interface Instances {
  readonly apps: readonly TestApp[];
  readonly gateway: ScriptedGateway;
  readonly records: Records;
  /** Starts one more. */
  start(options?: TestAppOptions): Promise<TestApp>;
}

/** Starts servers on one PostgreSQL, with real time and one scripted gateway. Closed when the test ends. */
export async function startInstances(
  count: number,
  options: TestAppOptions = {},
): Promise<Instances & { readonly first: TestApp; readonly second: TestApp }> {
  const records = await createDatabaseRecords();
  const gateway = await startScriptedGateway();
  const start = async (more: TestAppOptions = {}): Promise<TestApp> => {
    const app = await startApp({
      gatewayUrl: gateway.url,
      ...options,
      ...more,
      env: { ...records.env, SHUTDOWN_SECONDS: '0.05', ...options.env, ...more.env },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  const first = await start();
  const second = await start();
  const rest: TestApp[] = [];
  while (rest.length < count - 2) rest.push(await start());
  return { first, second, apps: [first, second, ...rest], gateway, records, start };
}
