import { expect, test } from 'vitest';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { createInbox } from '../support/inbox.ts';

test('the log does not have the key of a receiver that is a part of its address', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  await using app = await startApp({
    env: {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces?api-key=hunter2',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:9/v1/metrics?api-key=hunter2',
    },
    onLog: (line) => lines.push(line),
  });
  made(await createChatCompletion(app, { input: ask('Hello') }));
  await app.app.close();
  const isFailure = ({ msg }: Readonly<Record<string, unknown>>): boolean =>
    /^could not send (spans|metrics)/.test(String(msg));
  await lines.when((all) => all.filter(isFailure).length === 2);
  expect(lines.all.filter(isFailure).map(({ url }) => url)).toEqual(
    expect.arrayContaining(['http://127.0.0.1:9/v1/traces?…', 'http://127.0.0.1:9/v1/metrics?…']),
  );
  expect(JSON.stringify(lines.all)).not.toContain('hunter2');
});
