import { createHmac, createPublicKey } from 'node:crypto';
import { base64url } from 'jose';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../../../src/config.ts';
import { createSystemClock } from '../../../../src/lib/clock.ts';
import { createTokenVerifier } from '../../../../src/server/callers/sign-in/verify-token.ts';
import { startApp, type TestApp } from '../../../support/app.ts';
import { sendRequest } from '../../../support/http.ts';
import { openRawSocket } from '../../../support/raw-socket.ts';
import {
  audience,
  createSigner,
  issuer,
  mint,
  secret,
  signInByKeySet,
  signInBySecret,
  startKeySet,
} from '../../../support/sign-in.ts';

async function start(env: Readonly<Record<string, string>> = signInBySecret): Promise<TestApp> {
  const app = await startApp({ env });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

// Reads the gateway, so that a request that is not refused is counted.
const query = '{ voices(first: 1) { edges { node { id } } } }';
const subscription = 'subscription { chatEvents(id: "generation_x") { __typename } }';

interface Refused {
  readonly code: string | undefined;
  readonly message: string;
}

function toRefused(answer: unknown): Refused {
  const { errors = [] } = answer as { errors?: { message: string; extensions: { code: string } }[] };
  return { code: errors[0]?.extensions.code, message: errors[0]?.message ?? '' };
}

/** What a credential gets on every transport, in every place where it can be. */
async function presentEverywhere(
  { url }: TestApp,
  credential: string,
  authorization = `Bearer ${credential}`,
): Promise<readonly Refused[]> {
  const headers = { authorization, 'content-type': 'application/json' };
  const post = async (path: string, accept: string, text: string): Promise<Refused> => {
    const target = url.replace('/graphql', path);
    const reply = await sendRequest(target, {
      headers: { ...headers, accept },
      body: [Buffer.from(JSON.stringify({ query: text }))],
    });
    const event = /data: (\{.*\})/.exec(reply.text)?.[1];
    return toRefused(JSON.parse(event ?? reply.text));
  };
  const overSocket = async (
    upgrade: Readonly<Record<string, string>>,
    params: object | null,
    operation?: object,
  ): Promise<Refused> => {
    const socket = await openRawSocket(url, { headers: upgrade });
    socket.send({ type: 'connection_init', ...(params && { payload: params }) });
    const answer = (async (): Promise<Refused> => {
      await socket.inbox.when((all) => all.some(({ type }) => type === 'connection_ack'));
      socket.subscribe('a', { query, ...(operation && { extensions: { headers: operation } }) });
      const { type, payload } = await socket.waitForMessage('a');
      return toRefused(type === 'error' ? { errors: payload } : payload);
    })();
    const closed = socket.closed.then(({ code, reason }) => ({ code: String(code), message: reason }));
    return Promise.race([answer, closed]);
  };
  return [
    await post('/graphql', 'application/json', query),
    await post('/graphql?yoga', 'application/json', query),
    await post('/graphql', 'text/event-stream', subscription),
    await overSocket({ authorization }, null),
    await overSocket({}, { authorization }),
    await overSocket({}, { token: credential }),
    await overSocket({}, { connectionParams: { Authorization: credential } }),
    await overSocket({}, null, { authorization }),
  ];
}

const places = 8;
const b64 = (value: unknown): string => base64url.encode(JSON.stringify(value));
const claims = (): object => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: issuer, aud: audience, sub: 'ann', iat: now, exp: now + 600 };
};

/** A token whose user is a JSON text of its own, such as a number without an exact value. */
function mintWithUser(user: string): string {
  const payload = base64url.encode(JSON.stringify(claims()).replace('"ann"', user));
  const signed = `${b64({ alg: 'HS256' })}.${payload}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

/** Tokens that must not be accepted, with the reason. */
const forged: Readonly<Record<string, readonly [() => string | Promise<string>, RegExp]>> = {
  'another secret': [() => mint('ann', { key: Buffer.from('x'.repeat(40)) }), /signature/],
  'an empty signature': [async () => (await mint('ann')).replace(/[^.]+$/, ''), /signature|malformed/],
  'a cut signature': [async () => (await mint('ann')).slice(0, -3), /signature|malformed/],
  'claims of another user': [
    async () => {
      const [header, , signature] = (await mint('bob')).split('.');
      return [header, b64({ ...claims(), sub: 'ann' }), signature].join('.');
    },
    /signature/,
  ],
  'the algorithm none': [() => `${b64({ alg: 'none' })}.${b64(claims())}.`, /algorithm|malformed/],
  'the algorithm None with a signature': [
    () => `${b64({ alg: 'None' })}.${b64(claims())}.eA`,
    /algorithm|malformed/,
  ],
  'no third part': [() => `${b64({ alg: 'none' })}.${b64(claims())}`, /malformed/],
  'five parts': [() => `${b64({ alg: 'dir', enc: 'A256GCM' })}..aaaa.bbbb.cccc`, /malformed/],
  'another algorithm of the same secret': [
    () => mint('ann', { header: { alg: 'HS512' }, key: Buffer.from(secret.repeat(2)) }),
    /algorithm/,
  ],
  'an unknown critical header': [
    () =>
      mint('ann', { header: { crit: ['x'], x: 1 } }).catch(
        () => `${b64({ alg: 'HS256', crit: ['x'], x: 1 })}.${b64(claims())}.eA`,
      ),
    /malformed/,
  ],
  'another issuer': [() => mint('ann', { claims: { iss: 'https://evil.example' } }), /issuer/],
  'no issuer': [() => mint('ann', { claims: { iss: undefined } }), /"iss"/],
  'another audience': [() => mint('ann', { claims: { aud: 'other' } }), /audience/],
  'no audience': [() => mint('ann', { claims: { aud: undefined } }), /"aud"/],
  'no user': [() => mint('ann', { claims: { sub: undefined } }), /"sub"/],
  'an empty user': [() => mint('', {}), /"sub"/],
  'an object as user': [() => mint('ann', { claims: { sub: { id: 'ann' } } }), /"sub"/],
  'a number above 2^53 as user': [() => mintWithUser('1152921504606846977'), /"sub" is a number that is not/],
  'a number below -2^53 as user': [() => mintWithUser('-9007199254740992'), /"sub" is a number that is not/],
  'an endless number as user': [() => mintWithUser('1e999'), /"sub" is a number that is not/],
  'a fraction as user': [() => mintWithUser('7.5'), /"sub" is a number that is not/],
  'no expiry': [() => mint('ann', { claims: { exp: undefined } }), /"exp"/],
  'an expiry that is text': [() => mint('ann', { claims: { exp: '9999999999' } }), /"exp"|malformed/],
  'a start in the future': [
    () => mint('ann', { claims: { nbf: Math.floor(Date.now() / 1000) + 3600 } }),
    /not valid yet/,
  ],
  'an issue in the future': [
    () => mint('ann', { claims: { iat: Math.floor(Date.now() / 1000) + 3600 } }),
    /future/,
  ],
};

const encode = (text: string): string => base64url.encode(text);
const signedBy = (header: string): string => `${encode(header)}.${b64(claims())}.c2lnbmF0dXJl`;

/** Headers with a token in a form that the server does not accept. Sent as a key, the gateway would receive the token. */
const disguised: Readonly<Record<string, (token: string) => string>> = {
  'Bearer twice': (token) => `Bearer Bearer ${token}`,
  'Bearer and a tab': (token) => `Bearer Bearer\t${token}`,
  'the scheme JWT': (token) => `JWT ${token}`,
  'Bearer JWT': (token) => `Bearer JWT ${token}`,
  'Bearer token': (token) => `Bearer token ${token}`,
  'a space in the token': (token) => `Bearer ${token.replace('.', '. ')}`,
  'a name': (token) => `Bearer access_token=${token}`,
  'the prefix of a key': (token) => `Bearer sk-${token}`,
  'a prefix of another length': (token) => `Bearer key_${token}`,
  'a first part': (token) => `Bearer key.${token}`,
  'a dot before it': (token) => `Bearer .${token}`,
  quotes: (token) => `Bearer "${token}"`,
  'a comma before it': (token) => `Bearer x,${token}`,
  'encoded dots': (token) => `Bearer ${token.replaceAll('.', '%2E')}`,
  'dots encoded twice': (token) => `Bearer ${token.replaceAll('.', '%252e')}`,
  'an equals sign for each dot': (token) => `Bearer ${token.replaceAll('.', '=')}`,
  'an equals sign for each dot, and padding': (token) => `Bearer ${token.replaceAll('.', '=')}==`,
  'a header after a byte order mark': () => `Bearer ${signedBy('\uFEFF{"alg":"HS256"}')}`,
  'bytes of a byte order mark': (token) => `Bearer \u00EF\u00BB\u00BF${token}`,
  'a header without alg': () => `Bearer ${signedBy('{"typ":"JWT"}')}`,
  'an empty header': () => `Bearer ${signedBy('{}')}`,
  'a header that is a list': () => `Bearer ${signedBy('[{"alg":"HS256"}]')}`,
  'a header with spaces': () => `Bearer sk-${signedBy(' { "alg" : "HS256" }')}`,
  'no header': (token) => `Bearer ${token.slice(token.indexOf('.'))}`,
};

test('a token in a form that is not accepted is refused everywhere, and never sent to the gateway', async () => {
  const token = await mint('ann');
  let refused = 0;
  for (const AUTH of ['jwt', 'both']) {
    const app = await start({ ...signInBySecret, AUTH });
    for (const [form, disguise] of Object.entries(disguised)) {
      const value = disguise(token);
      const codes = (await presentEverywhere(app, value, value)).map(({ code }) => code);
      expect([form, codes]).toEqual([form, Array(places).fill('UNAUTHENTICATED')]);
      refused += codes.length;
    }
    expect(app.sandbox.activity.count()).toBe(0);
  }
  console.log(`${refused} tokens in other forms refused, 0 sent to the gateway`);
});

test('with AUTH=both, a key may have dots and parts in base64', async () => {
  const app = await start({ ...signInBySecret, AUTH: 'both' });
  const list = '{ generations(first: 1) { totalCount } }';
  for (const key of [
    'sk-sandbox',
    'id.secret',
    `sk-${encode('{ not JSON }')}.x`,
    b64({ alg: 'x' }),
    `${b64({ alg: 'x' })}==`,
    'a~b==',
  ])
    expect(await runAs(app, key, list)).toEqual({ data: { generations: { totalCount: 0 } } });
});

describe('a token that is not valid', () => {
  test.each([
    ['jwt', 'a token', /"Authorization: Bearer <token>" as a header or in connectionParams\. Schemes/],
    [
      'both',
      'either',
      /"Authorization: Bearer <API key or token>" as a header .+ A system token may be sent/,
    ],
  ])('with AUTH=%s, a request without a credential is asked for %s', async (AUTH, _what, message) => {
    const app = await start({ ...signInBySecret, AUTH });
    const { errors } = await app.run(query, {}, { headers: {} });
    expect(errors).toMatchObject([
      { message: expect.stringMatching(message), extensions: { code: 'UNAUTHENTICATED' } },
    ]);
  });

  test('is refused on every transport and in every place, and never sent to the gateway', async () => {
    const apps = [await start(), await start({ ...signInBySecret, AUTH: 'both' })];
    let refused = 0;
    for (const app of apps)
      for (const [name, [create, reason]] of Object.entries(forged)) {
        const answers = await presentEverywhere(app, await create());
        for (const { code, message } of answers) {
          expect([name, code, message]).toEqual([name, 'UNAUTHENTICATED', expect.stringMatching(reason)]);
          refused += 1;
        }
        expect(app.sandbox.activity.count()).toBe(0);
      }
    const expected = apps.length * Object.keys(forged).length * places;
    console.log(`${refused} of ${expected} forged credentials refused, 0 sent to the gateway`);
    expect(refused).toBe(expected);
  });

  test('of more than 16 KB is refused in connectionParams', async () => {
    const app = await start();
    const socket = await openRawSocket(app.url);
    await socket.init({ token: await mint('ann', { claims: { padding: 'x'.repeat(20_000) } }) });
    socket.subscribe('a', { query });
    expect((await socket.waitForMessage('a')).payload).toMatchObject([{ message: /too long/ }]);
  });

  test('signed with a public key of the issuer as a shared secret is refused', async () => {
    const signer = await createSigner('first', 'RS256');
    const keySet = await startKeySet([signer.jwk]);
    const app = await start(signInByKeySet(keySet.url));
    const pem = createPublicKey({ key: signer.jwk, format: 'jwk' });
    const secrets = [
      pem.export({ type: 'spki', format: 'pem' }),
      pem.export({ type: 'spki', format: 'der' }),
      JSON.stringify(signer.jwk),
    ];
    for (const text of secrets)
      for (const header of [{ alg: 'HS256', kid: 'first' }, { alg: 'HS256' }])
        for (const { code, message } of await presentEverywhere(
          app,
          await mint('ann', { key: Buffer.from(text), header }),
        ))
          expect([code, message]).toEqual(['UNAUTHENTICATED', expect.stringMatching(/algorithm/)]);
    expect(app.sandbox.activity.count()).toBe(0);
  });

  test('that has expired is refused, and a socket that presents it is closed with 4403', async () => {
    const app = await start();
    const token = await mint('ann', { now: Date.now() - 3_600_000 });
    const codes = (await presentEverywhere(app, token)).map(({ code }) => code);
    const [overHttp, overSocket, inOperation] = [codes.slice(0, 3), codes.slice(3, 7), codes[7]];
    expect(overHttp).toEqual(Array(3).fill('UNAUTHENTICATED'));
    expect(overSocket).toEqual(Array(4).fill('4403'));
    expect(inOperation).toBe('UNAUTHENTICATED');
    expect(app.sandbox.activity.count()).toBe(0);
  });

  test('has HTTP status 401 and the reason, the same both ways', async () => {
    const app = await start();
    const replies = await Promise.all(
      ['', '?yoga'].map(async (search) =>
        sendRequest(app.url + search, {
          headers: {
            authorization: `Bearer ${await mint('ann', { claims: { aud: 'other' } })}`,
            'content-type': 'application/json',
            'x-request-id': 'r1',
          },
          body: [Buffer.from(JSON.stringify({ query }))],
        }),
      ),
    );
    const [first, second] = replies.map(({ status, text, headers }) => ({
      status,
      text,
      challenge: headers['www-authenticate'],
    }));
    expect(first).toEqual({
      status: 401,
      challenge: 'Bearer error="invalid_token"',
      text: expect.stringContaining('for another audience'),
    });
    expect(second).toEqual(first);
  });
});

describe('a valid token', () => {
  test('is accepted on every transport and in every place', async () => {
    for (const AUTH of ['jwt', 'both']) {
      const app = await start({ ...signInBySecret, AUTH });
      const answers = await presentEverywhere(app, await mint('ann'));
      expect(answers.map(({ code }) => code)).toEqual([
        undefined,
        undefined,
        'NOT_FOUND',
        ...Array(5).fill(undefined),
      ]);
      const sent = app.sandbox.activity.requests();
      expect(sent.length).toBeGreaterThan(0);
      for (const { headers } of sent) expect(headers['authorization']).toBe('Bearer sk-sandbox');
    }
  });

  test('may be a little late or early', async () => {
    const app = await start();
    for (const seconds of [-602, 3])
      expect(await voicesOf(app, await mint('ann', { now: Date.now() + seconds * 1000 }))).toBeUndefined();
    for (const seconds of [-607, 8])
      expect(await voicesOf(app, await mint('ann', { now: Date.now() + seconds * 1000 }))).toBe(
        'UNAUTHENTICATED',
      );
  });

  test('names its user by the claim that the operator chose', async () => {
    const app = await start({ ...signInBySecret, AUTH_OWNER_CLAIM: 'uid' });
    expect(await voicesOf(app, await mint('ann', { claims: { uid: 4711, sub: undefined } }))).toBeUndefined();
    expect(await voicesOf(app, await mint('ann'))).toBe('UNAUTHENTICATED');
  });

  test('may name its user by a number, which is the same user as its digits', async () => {
    const app = await start();
    const text =
      '{ chat: startChat(input: { model: "m", messages: [{ role: USER, content: { text: "Hi" } }] }) { __typename } }';
    const created = await runAs(
      app,
      await mint('', { claims: { sub: 9_007_199_254_740_991 } }),
      `mutation ${text}`,
    );
    expect(created).toEqual({ data: { chat: { __typename: 'Generation' } } });
    const count = '{ generations(first: 1) { totalCount } }';
    const countOf = async (user: string) => runAs(app, await mint(user), count);
    expect(await countOf('9007199254740991')).toEqual({ data: { generations: { totalCount: 1 } } });
    expect(await countOf('9007199254740992')).toEqual({ data: { generations: { totalCount: 0 } } });
  });

  test('may have fractions of seconds, but its expiry is stored in whole milliseconds', async () => {
    const config = loadConfig(signInBySecret);
    const log = pino({ enabled: false });
    const verifier = createTokenVerifier({ config, kinds: new Set(), clock: createSystemClock(), log });
    const expiryOf = async (exp: number): Promise<number> =>
      (await verifier.verify(await mint('ann', { claims: { exp } }), (run) => run())).expiresAt;
    expect(await expiryOf(9_999_999_999.0009)).toBe(9_999_999_999_000 + 5000);
    expect(await expiryOf(1e300)).toBe(Date.UTC(9999, 11, 31, 23, 59, 59, 999));
  });

  test('may be for one of several audiences', async () => {
    const app = await start({ ...signInBySecret, AUTH_AUDIENCE: 'web, mobile' });
    expect(await voicesOf(app, await mint('ann', { claims: { aud: ['x', 'mobile'] } }))).toBeUndefined();
    expect(await voicesOf(app, await mint('ann'))).toBe('UNAUTHENTICATED');
  });
});

test('a key of the gateway is refused with AUTH=jwt and passed on with AUTH=both', async () => {
  const strict = await start();
  const codes = (await presentEverywhere(strict, 'sk-sandbox')).map(({ code }) => code);
  expect(codes).toEqual(Array(places).fill('UNAUTHENTICATED'));
  expect(strict.sandbox.activity.count()).toBe(0);
  const both = await start({ ...signInBySecret, AUTH: 'both', GATEWAY_API_KEY: 'sk-another-key' });
  expect(await voicesOf(both, 'sk-sandbox')).toBeUndefined();
});

async function voicesOf(app: TestApp, credential: string): Promise<string | undefined> {
  return toRefused(await runAs(app, credential, query)).code;
}

async function runAs({ url }: TestApp, credential: string, text: string): Promise<unknown> {
  const { json } = await sendRequest(url, {
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: [Buffer.from(JSON.stringify({ query: text }))],
  });
  return json;
}
