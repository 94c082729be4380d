import { expect, onTestFinished, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { apiAt, sandboxKey } from '../support/app.ts';
import { postJson, sendRequest } from '../support/http.ts';

interface Painted {
  readonly data?: {
    readonly createImage?: { readonly output: { readonly images: readonly { readonly url: string }[] } };
    readonly task?: { readonly output: { readonly images: readonly { readonly url: string }[] } };
  };
}

/** A server with its own sandbox. */
async function start(host: string) {
  const env = { PORT: '0', SANDBOX_PORT: '0', DATA_DIR: ':memory:', SHUTDOWN_SECONDS: '0.05' };
  const settings = { HOST: host, LOG_LEVEL: 'silent', SANDBOX_TASK_SECONDS: '0' };
  const app = await createApp(loadConfig({ ...env, ...settings }));
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${new URL(app.url).port}/graphql`;
  return { url, gateway: new URL(app.gatewayUrl) };
}

const image = `mutation { createImage(input: { byCount: { prompt: "a fox" } }) {
  ... on Generation { id output { ... on ImageSet { images { url } } } }
} }`;

async function paint(url: string, host: string): Promise<URL> {
  const { json } = await postJson(url, { query: image }, { ...sandboxKey, host });
  const { data } = json as Painted;
  return new URL(data?.createImage?.output.images[0]?.url ?? '');
}

test('on every address, media of the sandbox are at the host that the client used', async () => {
  const { url, gateway } = await start('0.0.0.0');
  const address = await paint(url, 'queue.example:4000');
  expect([address.hostname, address.port]).toEqual(['queue.example', gateway.port]);
  expect((await sendRequest(`${gateway.origin}${address.pathname}`)).status).toBe(200);
  // Another client, over WebSocket: its upgrade request names the host.
  const client = apiAt(url).wsClient();
  for await (const result of client.iterate({ query: image })) {
    const { data } = result as Painted;
    expect(data?.createImage?.output.images[0]?.url).toContain(`http://127.0.0.1:${gateway.port}/`);
  }
});

test('tasks are followed as before, and their media are at the host too', async () => {
  const { url, gateway } = await start('0.0.0.0');
  const create = 'mutation { queueImage(input: { prompt: "a" }) { ... on Generation { task { id } } } }';
  const headers = { ...sandboxKey, host: 'queue.example:4000' };
  const { json } = await postJson(url, { query: create }, headers);
  const { data } = json as { data: { queueImage: { task: { id: string } } } };
  const query = `{ task(id: "${data.queueImage.task.id}") { output { ... on ImageSet { images { url } } } } }`;
  const read = await postJson(url, { query }, headers);
  const { task } = (read.json as Painted).data ?? {};
  const address = new URL(task?.output.images[0]?.url ?? '');
  expect([address.hostname, address.port]).toEqual(['queue.example', gateway.port]);
});

test('on loopback, media of the sandbox are on loopback, whatever host the client names', async () => {
  const { url, gateway } = await start('127.0.0.1');
  expect((await paint(url, 'queue.example:4000')).origin).toBe(gateway.origin);
});
