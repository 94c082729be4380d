import { expect, test } from 'vitest';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { postJson } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';

/** Smallest rate. Twenty times as much may be answered at once. */
const bytesPerSecond = 65_536;
const env = { ANONYMOUS_ANSWER_BYTES_PER_SECOND: String(bytesPerSecond), TRUST_PROXY: '1' };
const maxRequests = 100;

const from = (address: string) => ({ 'x-forwarded-for': address });
/** Each query has another text, so its answer is not in a cache. */
const queryOf = (index: number): string =>
  `query Q${index} { __schema { types { name description fields { name description } } } }`;

/** Bytes of the answers to an address until the first refusal. */
async function drain({ url }: TestApp, address: string) {
  let bytes = 0;
  for (let index = 0; index < maxRequests; index += 1) {
    const body = { query: queryOf(index) };
    const key = { authorization: `Bearer sk-unknown-${index}` };
    const reply = await postJson(url, body, { ...from(address), ...(index % 2 === 0 ? key : {}) });
    if (reply.status !== 200) return { bytes, reply };
    bytes += reply.text.length;
  }
  return { bytes, reply: undefined };
}

test('answers to an address without an accepted credential have a rate in bytes', async () => {
  const clientClock = createManualClock();
  await using app = await startApp({ env, overrides: { clientClock } });
  await app.run('{ voices(first: 1) { totalCount } }');
  const { bytes, reply } = await drain(app, '192.0.2.1');
  expect(bytes).toBeGreaterThan(15 * bytesPerSecond);
  expect(bytes).toBeLessThan(25 * bytesPerSecond);
  const refusal = {
    message: expect.stringMatching(/^Too many bytes in the answers to this network address/),
    extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: expect.any(Number) as number },
  };
  expect(reply).toMatchObject({ status: 429, json: { errors: [refusal] } });
  const other = await postJson(app.url, { query: '{ __typename }' }, from('192.0.2.2'));
  expect(other.status).toBe(200);
  const accepted = await postJson(app.url, { query: queryOf(0) }, { ...sandboxKey, ...from('192.0.2.1') });
  expect(accepted.status).toBe(200);
  clientClock.advance(20_000);
  expect((await postJson(app.url, { query: '{ __typename }' }, from('192.0.2.1'))).status).toBe(200);
});

test('answers over a WebSocket count', async () => {
  const clientClock = createManualClock();
  await using app = await startApp({ env, overrides: { clientClock } });
  const socket = await openRawSocket(app.url, { headers: from('192.0.2.3') });
  await socket.init();
  const answer = async (index: number): Promise<string> => {
    socket.subscribe(String(index), queryOf(index));
    return JSON.stringify(await socket.waitForMessage(String(index)));
  };
  let answered = 0;
  while (answered < maxRequests && !(await answer(answered)).includes('"code":"RATE_LIMITED"')) answered += 1;
  expect(answered).toBeGreaterThan(5);
  expect(answered).toBeLessThan(maxRequests);
});

const longName = 'n'.repeat(400);
const numbers = Array.from({ length: 20 }, (_, index) => index);
const unknownFields = numbers.map((index) => `${longName}${index}`).join(' ');
const variables = numbers.map((index) => `$${longName}${index}: Boolean!`).join(', ');
const fields = numbers.map((index) => `s${index}: sequence @include(if: $${longName}${index})`).join(' ');
const refusedDocuments: readonly (readonly [string, (index: number) => string])[] = [
  ['invalid queries', (index) => `query Q${index} { ${unknownFields} }`],
  ['invalid subscriptions', (index) => `subscription S${index} { ${unknownFields} }`],
  [
    'subscriptions without their variables',
    (index) => `subscription (${variables}) { chatEvents(id: "chat-${index}") { ${fields} } }`,
  ],
];

test.each(refusedDocuments)('the errors of %s count, over HTTP', async (_what, documentOf) => {
  await using app = await startApp({ env, overrides: { clientClock: createManualClock() } });
  const headers = { ...from('192.0.2.4'), accept: 'application/json, text/event-stream' };
  const statuses: number[] = [];
  for (let index = 0; index < 2 * maxRequests && !statuses.includes(429); index += 1)
    statuses.push((await postJson(app.url, { query: documentOf(index) }, headers)).status);
  expect(statuses.at(-1)).toBe(429);
});

test.each(refusedDocuments)('the errors of %s count, over a WebSocket', async (_what, documentOf) => {
  await using app = await startApp({ env, overrides: { clientClock: createManualClock() } });
  const socket = await openRawSocket(app.url, { headers: from('192.0.2.5') });
  await socket.init();
  let answer = '';
  for (let index = 0; index < 2 * maxRequests && !answer.includes('RATE_LIMITED'); index += 1) {
    socket.subscribe(String(index), { query: documentOf(index) });
    answer = JSON.stringify(await socket.waitForMessage(String(index)));
  }
  expect(answer.slice(0, 200)).toContain('Too many bytes in the answers');
});

test('all addresses together have a rate of five', async () => {
  const clientClock = createManualClock();
  await using app = await startApp({ env, overrides: { clientClock } });
  for (let address = 0; address < 8; address += 1)
    expect((await drain(app, `198.51.100.${address}`)).reply?.status).toBe(429);
  const last = await postJson(app.url, { query: '{ __typename }' }, from('198.51.100.9'));
  expect(last.status).toBe(429);
});
