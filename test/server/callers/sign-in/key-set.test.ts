import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { exportJWK, type JWK } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { anonymousIdleMs, unacceptedIdleMs } from '../../../../src/server/admission/idle-sockets.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import { sendJson } from '../../../support/fake-gateway.ts';
import { sendRequest } from '../../../support/http.ts';
import { createManualClock, type ManualClock } from '../../../support/manual-clock.ts';
import { openRawSocket } from '../../../support/raw-socket.ts';
import { bearer, createSigner, mint, signInByKeySet, startKeySet } from '../../../support/sign-in.ts';
import { serve } from '../../../support/serve.ts';

type Signer = Pick<Awaited<ReturnType<typeof createSigner>>, 'key'> & { readonly header: object };

async function start(
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly app: TestApp; readonly clock: ManualClock }> {
  const clock = createManualClock(Date.now());
  const app = await startApp({
    env: { ...signInByKeySet(url), ...env },
    overrides: { clock, clientClock: clock },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return { app, clock };
}

async function createShortKey(kid: string): Promise<JWK> {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
  return { ...(await exportJWK(publicKey)), kid };
}

let users = 0;
/** Signs in as a new user, whose token no cache knows. Returns the code of the refusal, and the status. */
async function signIn({ url }: TestApp, { key, header }: Signer): Promise<readonly [number, unknown]> {
  users += 1;
  const token = await mint(`user-${users}`, { key, header: { ...header }, lifeSeconds: 86_400 });
  return present(url, token);
}

async function present(url: string, token: string): Promise<readonly [number, unknown]> {
  const { status, json } = await sendRequest(url, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: [Buffer.from(JSON.stringify({ query: '{ generations(first: 1) { totalCount } }' }))],
  });
  return [status, json.errors?.[0]?.extensions?.['code']];
}

async function readiness({ app }: TestApp): Promise<readonly [number, unknown]> {
  const reply = await fetch(`${app.url}/health/ready`);
  return [reply.status, await reply.json()];
}

interface KeySetReply {
  readonly pieces: Iterable<string>;
  /** Whether the reply stalls after the pieces. */
  readonly isCut?: boolean;
}

function* endless(piece: string): Iterable<string> {
  for (;;) yield piece;
}

/** A server that answers with these pieces, as fast as the client reads. */
async function startRawKeySet({ pieces, isCut = false }: KeySetReply) {
  let sent = 0;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const body = Readable.from(pieces, { objectMode: false });
    body.on('data', (piece: Buffer) => (sent += piece.length));
    body.pipe(response, { end: !isCut });
    response.on('close', () => body.destroy());
  });
  const { url } = await serve(server);
  return { url: `${url}/keys`, sentBytes: () => sent };
}

const accepted = [200, undefined];
const unavailable = [503, 'AUTH_UNAVAILABLE'];
const unready = [503, { status: 'not ready', obstacle: 'key set' }];
const ready = [200, { status: 'ready' }];

test('keys rotate without a restart, and a removed key is refused', async () => {
  const [first, second, forger] = [
    await createSigner('1'),
    await createSigner('2', 'EdDSA'),
    await createSigner('2', 'EdDSA'),
  ];
  const keySet = await startKeySet([first.jwk]);
  const { app, clock } = await start(keySet.url);
  expect(await signIn(app, first)).toEqual(accepted);
  keySet.serve([first.jwk, second.jwk]);
  // The set was read a moment ago. An unknown key does not make every request read it.
  const before = keySet.reads;
  expect(await signIn(app, second)).toEqual(unavailable);
  // A token from before that read has a key that the issuer had removed, or never had.
  const issuedBefore = { ...second, now: Date.now() - 60_000, lifeSeconds: 86_400 };
  expect(await present(app.url, await mint('old', issuedBefore))).toEqual([401, 'UNAUTHENTICATED']);
  const undated = { ...second, claims: { iat: undefined }, lifeSeconds: 86_400 };
  expect(await present(app.url, await mint('undated', undated))).toEqual([401, 'UNAUTHENTICATED']);
  expect(keySet.reads).toBe(before);
  clock.advance(10_000);
  expect(await signIn(app, second)).toEqual(accepted);
  expect(await signIn(app, first)).toEqual(accepted);
  expect(await signIn(app, forger)).toEqual([401, 'UNAUTHENTICATED']);
  expect(keySet.reads).toBe(before + 1);
  keySet.serve([second.jwk]);
  const known = await mint('known', { ...first, lifeSeconds: 86_400 });
  expect(await present(app.url, known)).toEqual(accepted);
  // The time in which a token is not verified again is not that of the system's clock.
  clock.step(-60_000);
  clock.advance(600_000);
  expect(await signIn(app, first)).toEqual([401, 'UNAUTHENTICATED']);
  expect(await present(app.url, known)).toEqual([401, 'UNAUTHENTICATED']);
  expect(await signIn(app, second)).toEqual(accepted);
});

test('a new token whose key the set lacks can be retried, also if the set is read for it', async () => {
  const [first, second] = [await createSigner('1'), await createSigner('2')];
  const keySet = await startKeySet([first.jwk]);
  const { app, clock } = await start(keySet.url);
  expect(await signIn(app, first)).toEqual(accepted);
  clock.advance(10_000);
  const presentIssuedAt = async (now: number) =>
    present(app.url, await mint(`issued-at-${now}`, { ...second, now, lifeSeconds: 86_400 }));
  expect(await presentIssuedAt(clock.now())).toEqual(unavailable);
  // The clock of the issuer may be behind, by 5 seconds by default.
  expect(await presentIssuedAt(clock.now() - 4000)).toEqual(unavailable);
  expect(keySet.reads).toBe(2);
  clock.advance(10_000);
  expect(await presentIssuedAt(clock.now() - 60_000)).toEqual([401, 'UNAUTHENTICATED']);
  expect(keySet.reads).toBe(3);
});

test.each([
  ['without key ids', {}],
  ['with one id for all keys', { kid: 'the key' }],
])('a key set %s rotates too', async (_what, named) => {
  const { jwk: old, ...first } = await createSigner('1');
  const { jwk: next, ...second } = await createSigner('2');
  const rename = ({ kid: _kid, ...jwk }: JWK): JWK => ({ ...jwk, ...named });
  const keySet = await startKeySet([rename(old)]);
  const { app, clock } = await start(keySet.url);
  const header = { alg: 'ES256', ...named };
  expect(await signIn(app, { ...first, header })).toEqual(accepted);
  keySet.serve([rename(next)]);
  // As for an unknown key: not every token makes the server read the set.
  expect(await signIn(app, { ...second, header })).toEqual([401, 'UNAUTHENTICATED']);
  expect(keySet.reads).toBe(1);
  clock.advance(10_000);
  expect(await signIn(app, { ...second, header })).toEqual(accepted);
  expect(await signIn(app, { ...first, header })).toEqual([401, 'UNAUTHENTICATED']);
  expect(keySet.reads).toBe(2);
});

test('while the key set cannot be read, tokens are refused with a retryable error and the server is not ready', async () => {
  const signer = await createSigner('1');
  const keySet = await startKeySet(undefined);
  const { app, clock } = await start(keySet.url);
  await expect.poll(() => keySet.reads).toBe(1);
  expect(await readiness(app)).toEqual(unready);
  expect(await signIn(app, signer)).toEqual(unavailable);
  // No request waits for a set that has just failed.
  expect(keySet.reads).toBe(1);
  clock.advance(1000);
  expect(await signIn(app, signer)).toEqual(unavailable);
  expect(keySet.reads).toBe(2);
  keySet.serve([signer.jwk]);
  clock.advance(1000);
  expect(await signIn(app, signer)).toEqual(accepted);
  expect(await readiness(app)).toEqual(ready);

  // Down again: the keys are used for ten minutes.
  keySet.serve(undefined);
  const known = await mint('known', { ...signer, lifeSeconds: 86_400 });
  expect(await present(app.url, known)).toEqual(accepted);
  clock.advance(300_000);
  expect(await signIn(app, signer)).toEqual(accepted);
  expect(await readiness(app)).toEqual(ready);
  clock.advance(300_000);
  expect(await signIn(app, signer)).toEqual(unavailable);
  expect(await present(app.url, known)).toEqual(unavailable);
  expect(await readiness(app)).toEqual(unready);
  keySet.serve([signer.jwk]);
  clock.advance(1000);
  // A probe alone brings the server back.
  await readiness(app);
  await expect.poll(() => readiness(app)).toEqual(ready);
  expect(await present(app.url, known)).toEqual(accepted);
  expect(app.sandbox.activity.count()).toBe(0);
});

test('a socket whose token could not be checked at first stays open, and is its user once it can', async () => {
  const signer = await createSigner('1');
  const keySet = await startKeySet(undefined);
  const { app, clock } = await start(keySet.url, { WEBSOCKET_PING_SECONDS: '86400' });
  const connect = async () => {
    const socket = await openRawSocket(app.url);
    await socket.init(bearer(await mint('ann', { ...signer, lifeSeconds: 86_400 })));
    return socket;
  };
  const [silent, active] = [await connect(), await connect()];
  clock.advance(anonymousIdleMs);
  keySet.serve([signer.jwk]);
  active.subscribe('a', '{ generations(first: 1) { totalCount } }');
  expect(await active.waitForMessage('a')).toMatchObject({ type: 'next' });
  await active.waitForEnd('a');
  clock.advance(unacceptedIdleMs);
  // Stock clients reconnect after this code. After 4401, they would give up.
  expect(await silent.closed).toEqual({ code: 4408, reason: 'No operation' });
  active.subscribe('b', { query: '{ __typename }', variables: { a: 'x'.repeat(1_100_000) } });
  expect(await active.waitForMessage('b')).toMatchObject({ type: 'next' });
});

test('operations that wait for the key set have the limits of waiting operations', async () => {
  const signer = await createSigner('1');
  const reading = Promise.withResolvers<void>();
  const { url } = await serve(
    createServer((_request, response) => {
      void reading.promise.then(() => sendJson(response, { keys: [signer.jwk] }));
    }),
  );
  const { app } = await start(url, {
    MAX_OPERATIONS_PER_SOCKET: '1',
    MAX_OPEN_PER_SOCKET: '1',
    MAX_OPERATIONS_PER_ADDRESS: '1',
    MAX_OPEN_PER_ADDRESS: '6',
  });
  const tokens = await Promise.all(['ann', 'bob'].map((user) => mint(user, { ...signer })));
  const socket = await openRawSocket(app.url);
  await socket.init(null);
  const ids = ['a', 'b', 'c', 'd', 'e'];
  for (const [index, id] of ids.entries()) {
    const headers = bearer(tokens[index % 2] ?? '');
    socket.subscribe(id, { query: '{ __typename }', extensions: { headers } });
  }
  expect(await socket.waitForMessage('e')).toMatchObject({
    type: 'error',
    payload: [{ extensions: { code: 'RATE_LIMITED', retry: 'LATER', retryAfterSeconds: 1 } }],
  });
  const requests = tokens.concat(tokens.slice(1)).map((token) => present(app.url, token));
  expect(await Promise.race(requests)).toEqual([429, 'RATE_LIMITED']);
  reading.resolve();
  for (const id of ids.slice(0, -1)) expect(await socket.waitForMessage(id)).toMatchObject({ type: 'next' });
  expect((await Promise.all(requests)).filter(([status]) => status === 200)).toHaveLength(2);
});

test.each<[string, readonly JWK[]]>([
  ['no key', []],
  ['a key for encryption', [{ ...(await createSigner('1')).jwk, use: 'enc' }]],
  ['a key for an algorithm that is not accepted', [(await createSigner('1', 'EdDSA')).jwk]],
  ['a key that cannot be imported', [{ kty: 'EC', crv: 'P-256', kid: '1', x: 'AA', y: 'AA' }]],
  ['an RSA key of a few bits', [{ kty: 'RSA', kid: '1', n: 'x', e: 'AQAB' }]],
  ['an RSA key of 1024 bits', [await createShortKey('1')]],
  [
    'two keys that cannot be used',
    [await createShortKey('1'), { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }],
  ],
])('a key set with %s counts as one that cannot be read', async (_what, unusable) => {
  const [signer, next] = [await createSigner('1'), await createSigner('2')];
  const keySet = await startKeySet(unusable);
  const { app, clock } = await start(keySet.url, { AUTH_ALGORITHMS: 'ES256,RS256' });
  await expect.poll(() => keySet.reads).toBe(1);
  expect(await signIn(app, signer)).toEqual(unavailable);
  expect(await readiness(app)).toEqual(unready);
  keySet.serve([signer.jwk]);
  clock.advance(1000);
  expect(await signIn(app, signer)).toEqual(accepted);
  expect(await readiness(app)).toEqual(ready);

  // It does not replace keys that were read.
  keySet.serve(unusable);
  clock.advance(10_000);
  expect(await signIn(app, next)).toEqual(unavailable);
  expect(await signIn(app, signer)).toEqual(accepted);
  expect(await readiness(app)).toEqual(ready);
  clock.advance(590_000);
  expect(await signIn(app, signer)).toEqual(unavailable);
  expect(await readiness(app)).toEqual(unready);
});

test.each<[string, string, (signer: JWK) => KeySetReply]>([
  [
    'of more than 1 MB',
    'the key set is larger than 1048576 bytes',
    (jwk) => ({ pieces: [JSON.stringify({ keys: [jwk], padding: 'x'.repeat(1_048_576) })] }),
  ],
  [
    'without an end',
    'the key set is larger than 1048576 bytes',
    () => ({ pieces: endless(' '.repeat(65_536)) }),
  ],
  [
    'with more than 500 keys',
    'the key set has more than 500 keys',
    (jwk) => ({ pieces: [JSON.stringify({ keys: [jwk, ...Array.from({ length: 500 }, () => ({}))] })] }),
  ],
  [
    'that stalls within its body',
    'The operation was aborted due to timeout',
    (jwk) => ({ pieces: [JSON.stringify({ keys: [jwk] }).slice(0, -1)], isCut: true }),
  ],
])(
  'a key set %s is not read to its end, and the log says why',
  async (_what, reason, toReply) => {
    const signer = await createSigner('1');
    const server = await startRawKeySet(toReply(signer.jwk));
    const lines: string[] = [];
    await using app = await startApp({
      env: signInByKeySet(server.url),
      onLog: (line) => void lines.push(JSON.stringify(line)),
    });
    expect(await signIn(app, signer)).toEqual(unavailable);
    expect(await readiness(app)).toEqual(unready);
    expect(lines.filter((line) => line.includes('could not read the key set'))).toEqual([
      expect.stringContaining(reason),
    ]);
    // What the sockets buffer comes on top.
    expect(server.sentBytes()).toBeLessThan(16_000_000);
  },
  20_000,
);

test.each([
  ['127.0.0.1', 0],
  ['localhost', 0],
  ['0.0.0.0', 1],
])('the start warns of an http address on another machine: %s', async (host, expected) => {
  const { url } = await startKeySet([(await createSigner('1')).jwk]);
  const lines: unknown[] = [];
  await using _app = await startApp({
    env: { ...signInByKeySet(url.replace('127.0.0.1', host)) },
    onLog: (line) => void lines.push(line),
  });
  const warnings = lines.filter((line) => JSON.stringify(line).includes('AUTH_JWKS_URL is an http address'));
  expect(warnings).toHaveLength(expected);
});

test('a token without key id is accepted if one of several keys fits', async () => {
  const [first, second, stranger] = [
    await createSigner('1'),
    await createSigner('2'),
    await createSigner('3'),
  ];
  const keySet = await startKeySet([first.jwk, second.jwk]);
  const { app } = await start(keySet.url);
  const header = { alg: 'ES256' };
  expect(await signIn(app, { ...second, header })).toEqual(accepted);
  expect(await signIn(app, { ...stranger, header })).toEqual([401, 'UNAUTHENTICATED']);
});

test('keys that cannot be used are ignored beside a good one, with one warning', async () => {
  const [good, other] = [await createSigner('good', 'RS256'), await createSigner('other', 'RS256')];
  const { alg: _alg, use: _use, ...untyped } = good.jwk;
  const broken: JWK = { kty: 'RSA', kid: 'broken', n: 'x', e: 'AQAB' };
  const privateKey: JWK = { ...(await createSigner('private', 'RS256')).jwk, d: 'AA' };
  const notAnObject = 7 as unknown as JWK;
  const keySet = await startKeySet([broken, await createShortKey('short'), notAnObject, privateKey, untyped]);
  const lines: string[] = [];
  const clock = createManualClock(Date.now());
  await using app = await startApp({
    env: signInByKeySet(keySet.url),
    overrides: { clock },
    onLog: (line) => void lines.push(JSON.stringify(line)),
  });
  const refused = [401, 'UNAUTHENTICATED'];
  const now = Date.now() - 60_000;
  for (let round = 0; round < 2; round += 1) {
    expect(await signIn(app, good)).toEqual(accepted);
    expect(await signIn(app, { ...good, header: { alg: 'RS256' } })).toEqual(accepted);
    expect(await signIn(app, { ...other, header: { alg: 'RS256' } })).toEqual(refused);
    for (const kid of ['broken', 'short', 'private']) {
      const forged = await mint(`forger-${round}`, { ...other, header: { alg: 'RS256', kid }, now });
      expect(await present(app.url, forged)).toEqual(refused);
    }
    clock.advance(600_000);
  }
  expect(keySet.reads).toBeGreaterThan(1);
  const warnings = lines.filter((line) => line.includes('are ignored because they cannot be used'));
  expect(warnings).toEqual([expect.stringContaining('["broken","short","without kid","private"]')]);
  expect(warnings[0]).not.toContain('AQAB');
  expect(lines.filter((line) => line.includes('INTERNAL') || line.includes('TypeError'))).toEqual([]);
});
