import { expect, test } from 'vitest';
import { heldBytes } from '../support/held-bytes.ts';
import { readText, ReplyBody, ReplyTooLargeError } from '../../src/gateway/reply-body.ts';

function createBody() {
  const aborts: Error[] = [];
  const body = new ReplyBody({ abort: (reason) => void aborts.push(reason) });
  return { body, aborts };
}

test('a body that arrived in one chunk is read', async () => {
  const { body, aborts } = createBody();
  body.push(Buffer.from('naïve'));
  body.end();
  expect([await readText(body, 6), aborts]).toEqual(['naïve', []]);
});

test('an empty body is an empty text', async () => {
  const { body } = createBody();
  body.end();
  expect(await readText(body, 10)).toBe('');
});

test('a character that is divided between chunks stays whole, before and after the reader', async () => {
  const { body } = createBody();
  const bytes = Buffer.from('€€');
  body.push(bytes.subarray(0, 1));
  const text = readText(body, 10);
  body.push(bytes.subarray(1, 4));
  body.push(bytes.subarray(4));
  body.end();
  expect(await text).toBe('€€');
});

test.each([1, 2])('a body of %i chunks beyond the limit is aborted', async (chunks) => {
  const { body, aborts } = createBody();
  for (let chunk = 0; chunk < chunks; chunk += 1) body.push(Buffer.alloc(10 / chunks));
  body.end();
  await expect(readText(body, 9)).rejects.toThrow(ReplyTooLargeError);
  expect(aborts).toEqual([expect.any(ReplyTooLargeError)]);
});

test.each(['before', 'after'])('tiny chunks hold no memory around them, %s the reader', async (reader) => {
  const chunks = 400;
  const text = 'x'.repeat(chunks);
  const { body } = createBody();
  const early = reader === 'after' ? readText(body, chunks) : undefined;
  const held = await heldBytes();
  // A chunk is a part of what was read from the socket.
  for (let chunk = 0; chunk < chunks; chunk += 1) body.push(Buffer.alloc(65_536, text).subarray(0, 1));
  expect((await heldBytes()) - held).toBeLessThan(2_000_000);
  body.end();
  expect(await (early ?? readText(body, chunks))).toBe(text);
});

test('a body that was cut after its only chunk is no text', async () => {
  const { body } = createBody();
  body.push(Buffer.from('{}'));
  body.fail(new Error('cut'));
  await expect(readText(body, 10)).rejects.toThrow('cut');
});

test('a failure after the end does not count', async () => {
  const { body } = createBody();
  body.push(Buffer.from('{}'));
  body.end();
  body.fail(new Error('late'));
  expect(await readText(body, 10)).toBe('{}');
});

test('a consumer that throws aborts the body and gets its error', async () => {
  const { body, aborts } = createBody();
  const consumed = body.consume(() => {
    throw new Error('unreadable');
  });
  body.push(Buffer.from('x'));
  body.push(Buffer.from('y'));
  await expect(consumed).rejects.toThrow('unreadable');
  expect(aborts).toHaveLength(1);
});

test('a peek ends with the body, and leaves it unread', async () => {
  const { body } = createBody();
  const parts: string[] = [];
  body.push(Buffer.from('a'));
  const peeked = body.peek((part) => parts.push(part.toString()) > 2);
  body.push(Buffer.from('b'));
  body.end();
  await peeked;
  expect(parts).toEqual(['a', 'b']);
  expect(await readText(body, 10)).toBe('ab');
});

test('a body that nobody reads may fail', async () => {
  const { body } = createBody();
  body.fail(new Error('cut'));
  const parts: Buffer[] = [];
  await body.peek((part) => parts.push(part) > 0);
  expect(parts).toEqual([]);
});
