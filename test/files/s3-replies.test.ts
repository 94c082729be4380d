import { unlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createS3Store } from '../../src/files/s3-store.ts';
import { createFolder, startMedia } from '../support/files.ts';

/** A bucket whose store replies to all but the first request, for the bucket itself, as the test says. */
async function openBucket(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = await startMedia((request, response) => {
    if (request.method === 'HEAD') response.end();
    else answer(request, response);
  });
  const store = await createS3Store({
    endpoint: server.url,
    region: 'us-east-1',
    bucket: 'media',
    prefix: '',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
  });
  onTestFinished(() => store.close());
  return { store, requests: server.requests };
}

const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<Error><Code>${code}</Code><Message>m</Message></Error>`);
};

test('a file is missing if the store has no such object, not if it has lost the bucket or refuses the credentials', async () => {
  let [status, code]: readonly [number, string] = [404, 'NoSuchKey'];
  const { store } = await openBucket((_request, response) => refuse(response, status, code));
  expect(await store.open('file_1')).toBeUndefined();
  // Some stores say so, others succeed.
  await store.delete('file_1');
  for ([status, code] of [
    [404, 'NoSuchBucket'],
    [403, 'ExpiredToken'],
    [301, 'PermanentRedirect'],
  ] as const) {
    await expect(store.open('file_1')).rejects.toThrow(expect.objectContaining({ name: code }));
    await expect(store.delete('file_1')).rejects.toThrow(expect.objectContaining({ name: code }));
  }
});

test('no other bytes stand for a part of a file', async () => {
  const whole = 'abcdefghij';
  let reply: readonly [number, string, string | undefined] = [206, 'fgh', 'bytes 5-7/10'];
  const { store } = await openBucket((_request, response) => {
    const [status, body, range] = reply;
    response.writeHead(status, range === undefined ? {} : { 'content-range': range }).end(body);
  });
  const read = async () => {
    const content = await store.open('file_1', { start: 5, end: 7 });
    return content && text(content);
  };
  expect(await read()).toBe('fgh');
  for (reply of [
    [206, 'abc', 'bytes 0-2/10'],
    [206, 'abc', undefined],
    [200, whole, undefined],
  ] as const)
    await expect(read()).rejects.toThrow('the store has not sent the part of the file that was asked for');
});

test('a list whose pages repeat ends with an error', async () => {
  const { store, requests } = await openBucket((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/xml' });
    response.end(
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>next</NextContinuationToken></ListBucketResult>',
    );
  });
  const pages = store.list()[Symbol.asyncIterator]();
  await pages.next();
  await expect(pages.next().then(() => pages.next())).rejects.toThrow('the store lists the same page again');
  expect(requests).toHaveLength(3);
});

test('a local file that is removed after its request has failed ends no process', async () => {
  const { store } = await openBucket(() => {});
  const path = join(await createFolder(), 'file');
  await writeFile(path, 'content');
  store.close();
  await expect(store.put('file_1', path, { contentType: 'image/png', sizeBytes: 7 })).rejects.toThrow(
    'aborted',
  );
  await unlink(path);
  await expect(store.put('file_1', path, { contentType: 'image/png', sizeBytes: 7 })).rejects.toThrow(
    'no such file',
  );
});
