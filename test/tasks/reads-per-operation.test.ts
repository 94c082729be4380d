import { expect, test } from 'vitest';
import { packId } from '../../src/lib/ids.ts';
import { startApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

test('one operation reads at most 1000 tasks across all fields, and each further task is an error', async () => {
  let reads = 0;
  const gateway = await startFakeGateway((_request, response) => {
    reads += 1;
    sendJson(response, '{"status":"IN_PROGRESS"}');
  });
  await using app = await startApp({ gatewayUrl: gateway.url });
  const fields = Array.from({ length: 11 }, (_, field) => {
    const ids = Array.from({ length: 100 }, (__, index) =>
      JSON.stringify(packId('task', ['QUEUED_IMAGE', `r-${field}-${index}`])),
    );
    return `f${field}: tasks(ids: [${ids.join(' ')}]) { status }`;
  });
  const { data, errors } = await app.run<Record<string, readonly unknown[]>, object>(
    `{ ${fields.join('\n')} }`,
  );
  const found = Object.values(data ?? {}).flat();
  expect(found).toHaveLength(1100);
  expect(found.filter((task) => task !== null)).toHaveLength(1000);
  expect(errors).toHaveLength(100);
  expect(errors?.[0]).toMatchObject({
    message: 'One operation reads at most 1000 tasks from the gateway. Split it.',
    extensions: { code: 'LIMIT_EXCEEDED' },
  });
  expect(reads).toBe(1000);
});
