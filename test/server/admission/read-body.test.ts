import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readBody } from '../../../src/server/admission/read-body.ts';
import { createManualClock } from '../../support/manual-clock.ts';

test('a body in chunks of one byte takes the memory of its bytes', async () => {
  const request = new IncomingMessage(new Socket());
  const received = { update: () => {}, close: () => {} };
  const body = readBody(request, { received, clock: createManualClock() });
  const bytes = Buffer.from('x'.repeat(10_000));
  for (const byte of bytes) request.push(Buffer.from([byte]));
  request.push(null);
  const pieces = (await body) as Buffer[];
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  // Each takes about 450 bytes beside its content.
  expect(pieces.length).toBeLessThan(20);
});
