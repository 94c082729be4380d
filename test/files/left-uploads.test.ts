import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { createUpload, startFilesApp } from '../support/files.ts';
import { createInbox } from '../support/inbox.ts';
import { pngOf } from '../support/png.ts';

test('a client that leaves during its upload is no failure of the server, and may send the file again', async () => {
  const lines = createInbox<Readonly<Record<string, unknown>>>();
  const app = await startFilesApp({ onLog: (line) => lines.push(line) });
  const bytes = pngOf('left', 5000);
  const { url } = await createUpload(app, { contentType: 'image/png', sizeBytes: bytes.length });
  const leaving = request(url, { method: 'PUT', agent: false, headers: { 'content-length': bytes.length } });
  leaving.on('error', () => {});
  // The server answers at once that it has the request.
  leaving.setHeader('expect', '100-continue');
  leaving.flushHeaders();
  await once(leaving, 'continue');
  leaving.write(bytes.subarray(0, 1000));
  leaving.destroy();
  await lines.when((all) => all.some(({ msg }) => msg === 'request aborted by the client'));
  const send = async () => (await fetch(url, { method: 'PUT', body: new Uint8Array(bytes) })).status;
  await expect.poll(send).toBe(201);
  expect(lines.all.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
