import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { sendRequest } from '../../support/http.ts';
import { openRawSocket } from '../../support/raw-socket.ts';
import { mint, signInBySecret } from '../../support/sign-in.ts';

type App = Awaited<ReturnType<typeof startApp>>;
type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string | string[]>>;

interface Presented {
  readonly upgrade?: Headers;
  readonly params?: Members | undefined;
  readonly operation?: Members | undefined;
}

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const key = 'sk-sandbox';
const otherKey = 'sk-other';
let names = 0;
/** An end user without records. */
function newName(): string {
  names += 1;
  return `user-${names}`;
}

const listing = '{ generations(first: 5) { edges { node { collection } } } }';

/** As bytes, because Node encodes headers like the text of the body that follows. */
function postBytes(query: string, headers: Headers, { url }: App = app) {
  const body = [Buffer.from(JSON.stringify({ query }))];
  return sendRequest(url, { headers: { 'content-type': 'application/json', ...headers }, body });
}

/** Creates a generation over HTTP. Its collection marks it. */
async function createMarked(
  headers: Readonly<Record<string, string>>,
  mark: string,
  to?: App,
): Promise<void> {
  const query = `mutation { startChat(collection: "${mark}", input: {model: "m", messages: [{role: USER, content: {text: "Hi"}}]}) { __typename } }`;
  const { json } = await postBytes(query, headers, to);
  expect(json.data).toEqual({ startChat: { __typename: 'Generation' } });
}

async function listOver(headers: Headers): Promise<Answer> {
  return JSON.parse((await postBytes(listing, headers)).text) as Answer;
}

interface Answer {
  readonly data?: {
    readonly generations: { readonly edges: readonly { readonly node: { collection: string } }[] };
  };
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

async function overSocket(
  { upgrade = {}, params, operation }: Presented,
  { url }: App = app,
): Promise<Answer> {
  const socket = await openRawSocket(url, { headers: upgrade });
  await socket.init(params ?? null);
  socket.subscribe('a', { query: listing, ...(operation && { extensions: { headers: operation } }) });
  const { type, payload } = await socket.waitForMessage('a');
  socket.terminate();
  return type === 'error' ? { errors: payload as NonNullable<Answer['errors']> } : (payload as Answer); // By the protocol.
}

/** The marks of the caller's generations, or the code of the refusal. */
function outcomeOf({ data, errors }: Answer): readonly string[] | string | undefined {
  return errors?.[0]?.extensions.code ?? data?.generations.edges.map(({ node }) => node.collection);
}

/** HTTP carries bytes. Node takes them as Latin-1. */
function headerBytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

describe('any Unicode text is an end user, the same on every transport', () => {
  test.each([
    ['beyond ASCII', 'Zoë'],
    ['beyond Latin-1', 'Łukasz Żółć'],
    ['Cyrillic', 'Ключ'],
    ['an emoji', '👩‍🚀'],
    ['Latin-1 that is mojibake of another name', 'ZoÃ«'],
    ['a byte order mark', '\uFEFFann'],
    ['500 characters', '🚀'.repeat(500)],
    ['digits', '42'],
  ])('%s', async (mark, endUser) => {
    const headers = { authorization: key, 'x-end-user': headerBytes(endUser) };
    await createMarked(headers, mark);
    expect(outcomeOf(await listOver(headers))).toEqual([mark]);
    const params = { token: key, 'X-End-User': endUser };
    expect(outcomeOf(await overSocket({ upgrade: headers }))).toEqual([mark]);
    expect(outcomeOf(await overSocket({ params }))).toEqual([mark]);
    expect(outcomeOf(await overSocket({ operation: params }))).toEqual([mark]);
    const spaced = { ...headers, 'x-end-user': ` ${headerBytes(endUser)}\t` };
    expect(outcomeOf(await listOver(spaced))).toEqual([mark]);
    expect(outcomeOf(await overSocket({ params: { ...params, 'X-End-User': ` ${endUser}\t` } }))).toEqual([
      mark,
    ]);
  });

  test('one with very many blanks is refused, and blocks nothing', async () => {
    const params = { token: key, 'X-End-User': `a${' '.repeat(100_000)}b` };
    const before = process.cpuUsage();
    expect(outcomeOf(await overSocket({ operation: params }))).toBe('BAD_REQUEST');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(1500);
  });

  test('a number is the same end user as its digits', async () => {
    const params = { token: key, 'X-End-User': 4711 };
    await createMarked({ authorization: key, 'x-end-user': '4711' }, 'number');
    expect(outcomeOf(await overSocket({ params }))).toEqual(['number']);
  });
});

describe('an end user that cannot be used is refused, never dropped', () => {
  test.each([
    ['true', true, /not text/],
    ['an object', { id: 1 }, /not text/],
    ['a list', ['ann'], /not text/],
    ['a line break', 'ann\r\nx-evil: 1', /control character/],
    ['a null character', 'a\0b', /control character/],
    ['half a character', 'a\uD83D', /Unicode/],
    ['an empty text', '', /empty/],
    ['spaces', '  ', /empty/],
    ['501 characters', 'a'.repeat(501), /longer than 500/],
  ])('%s', async (_what, endUser, message) => {
    for (const presented of [
      { params: { token: key, 'X-End-User': endUser } },
      { operation: { authorization: key, 'x-end-user': endUser } },
      { params: { token: key }, operation: { 'x-end-user': endUser } },
    ]) {
      const answer = await overSocket(presented);
      expect(answer.errors).toMatchObject([{ message: expect.stringMatching(message) }]);
      expect(outcomeOf(answer)).toBe('BAD_REQUEST');
    }
  });

  test.each([
    ['bytes that are not UTF-8', 'Zo\u00EB', /UTF-8/],
    ['501 characters', 'a'.repeat(501), /longer than 500/],
  ])('%s in a header', async (_what, endUser, message) => {
    const headers = { authorization: key, 'x-end-user': endUser };
    const reply = await postBytes(listing, headers);
    expect(reply.status).toBe(400);
    expect(outcomeOf(await listOver(headers))).toBe('BAD_REQUEST');
    expect(reply.json.errors).toMatchObject([{ message: expect.stringMatching(message) }]);
    expect(outcomeOf(await overSocket({ upgrade: headers }))).toBe('BAD_REQUEST');
  });

  test.each(['x-end-user', 'new-api-user', 'token', 'authorization'])(
    '%s twice in a request',
    async (name) => {
      const headers = { ...(name !== 'token' && { authorization: key }), [name]: ['ann', 'bob'] };
      const reply = await postBytes(listing, headers);
      expect(reply.json.errors).toMatchObject([{ message: `${name} is present twice.` }]);
      expect(outcomeOf(await overSocket({ upgrade: headers }))).toBe('BAD_REQUEST');
      expect(outcomeOf(await listOver({ ...headers, [name]: 'ann, bob' }))).toEqual(
        name === 'token' || name === 'authorization' ? 'UNAUTHENTICATED' : [],
      );
    },
  );

  test('an invalid new-api-user', async () => {
    for (const userId of ['7\r\nx: 1', {}, true, 'Ключ']) {
      const params = { token: key, 'new-api-user': userId };
      expect(outcomeOf(await overSocket({ params }))).toBe('BAD_REQUEST');
    }
  });

  test('two different credentials in one place', async () => {
    const both = { authorization: `Bearer ${key}`, token: otherKey };
    expect(outcomeOf(await listOver(both))).toBe('BAD_REQUEST');
    expect(outcomeOf(await overSocket({ upgrade: both }))).toBe('BAD_REQUEST');
    expect(outcomeOf(await overSocket({ params: both }))).toBe('BAD_REQUEST');
    expect(outcomeOf(await overSocket({ params: { token: key }, operation: both }))).toBe('BAD_REQUEST');
    const same = { Authorization: `Bearer ${key}`, token: key };
    expect(outcomeOf(await listOver(same))).toEqual(outcomeOf(await listOver({ authorization: key })));
    expect(outcomeOf(await overSocket({ params: { authorization: 'Basic YTpi', token: key } }))).toEqual([]);
  });

  test('two spellings with different values', async () => {
    const params = { token: key, 'x-end-user': 'ann', 'X-End-User': 'bob' };
    expect(outcomeOf(await overSocket({ params }))).toBe('BAD_REQUEST');
  });
});

const members = { authorization: key, 'x-end-user': 'ann', 'new-api-user': '7' } as const;
type Member = keyof typeof members;
const changed: Readonly<Record<Member, string>> = {
  authorization: otherKey,
  'x-end-user': 'bob',
  'new-api-user': '8',
};
/** Every subset of the members. */
const subsets = Array.from({ length: 8 }, (_, bits) =>
  (Object.keys(members) as Member[]).filter((_name, index) => (bits >> index) % 2 === 1),
);

function pick(from: Readonly<Record<Member, string>>, chosen: readonly Member[]): Record<string, string> {
  return Object.fromEntries(chosen.map((name) => [name, from[name]]));
}

describe('later messages cannot change the caller of the upgrade request', () => {
  const combinations = subsets.flatMap((fixed) =>
    subsets.flatMap((later) => (['params', 'operation'] as const).map((where) => ({ fixed, later, where }))),
  );

  test.each(combinations)(
    'upgrade [$fixed], then other values of [$later] in $where',
    async (combination) => {
      const { fixed, later, where } = combination;
      const answer = await overSocket({ upgrade: pick(members, fixed), [where]: pick(changed, later) });
      const hasCredential = fixed.includes('authorization');
      const isRefused = hasCredential ? later.length > 0 : later.some((name) => fixed.includes(name));
      const isKnown = hasCredential || later.includes('authorization');
      expect(outcomeOf(answer)).toEqual(isRefused ? 'BAD_REQUEST' : isKnown ? [] : 'UNAUTHENTICATED');
      expect(answer.errors?.[0]?.message ?? '').toMatch(isRefused ? /^The upgrade request determines/ : /^/);
    },
  );

  test.each(subsets.map((repeated) => [repeated]))(
    'repeating its values is allowed: [%s]',
    async (repeated) => {
      const upgrade = { authorization: key, 'x-end-user': newName(), 'new-api-user': '7' };
      await createMarked(upgrade, 'mine');
      const params = pick(upgrade, repeated);
      expect(outcomeOf(await overSocket({ upgrade, params }))).toEqual(['mine']);
      expect(outcomeOf(await overSocket({ upgrade, operation: params }))).toEqual(['mine']);
    },
  );

  test('an end user in the upgrade request completes a credential that comes later', async () => {
    const endUser = newName();
    await createMarked({ authorization: key, 'x-end-user': endUser }, 'theirs');
    const upgrade = { 'x-end-user': endUser };
    expect(outcomeOf(await overSocket({ upgrade, params: { token: key } }))).toEqual(['theirs']);
    expect(outcomeOf(await overSocket({ upgrade, operation: { authorization: key } }))).toEqual(['theirs']);
  });

  test('a Basic credential of a proxy is not a credential of the gateway', async () => {
    const endUser = newName();
    await createMarked({ authorization: key, 'x-end-user': endUser }, 'basic');
    const params = { token: key, 'x-end-user': endUser };
    expect(outcomeOf(await overSocket({ upgrade: { authorization: 'Basic YTpi' }, params }))).toEqual([
      'basic',
    ]);
  });
});

describe('a token fixes its caller like any credential, and names its user alone', () => {
  let signedIn: App;
  let tokens: Readonly<Record<'ann' | 'bob', string>>;
  beforeAll(async () => {
    signedIn = await startApp({ env: { ...signInBySecret, AUTH: 'both' } });
    tokens = { ann: await mint('ann'), bob: await mint('bob') };
    for (const [user, token] of Object.entries(tokens))
      await createMarked({ authorization: `Bearer ${token}` }, user, signedIn);
    await createMarked({ authorization: key }, 'key', signedIn);
  });
  afterAll(() => signedIn[Symbol.asyncDispose]());

  /** Who the authorization is, and what else the request says. */
  const credentials = ['none', 'ann', 'bob', 'key'] as const;
  type Credential = (typeof credentials)[number];
  const others = [[], ['x-end-user'], ['new-api-user'], ['x-end-user', 'new-api-user']] as const;
  interface Source {
    readonly credential: Credential;
    readonly named: (typeof others)[number];
  }
  const sources = credentials.flatMap((credential) => others.map((named): Source => ({ credential, named })));
  const combinations = sources.flatMap((upgrade) =>
    sources.flatMap((later) =>
      (['params', 'operation'] as const).map((where) => ({ upgrade, later, where })),
    ),
  );
  const membersOf = ({ credential, named }: Source): Record<string, string> => {
    const value = { none: undefined, key, ann: tokens.ann, bob: tokens.bob }[credential];
    return { ...(value !== undefined && { authorization: `Bearer ${value}` }), ...pick(members, named) };
  };
  const expected = (upgrade: Source, later: Source): string | readonly string[] => {
    const isFixed = upgrade.credential !== 'none';
    const isOther = later.credential !== 'none' && later.credential !== upgrade.credential;
    const adds = later.named.some((name) => !(upgrade.named as readonly string[]).includes(name));
    if (isFixed && (isOther || adds)) return 'BAD_REQUEST';
    const credential = isFixed ? upgrade.credential : later.credential;
    if (credential === 'none') return 'UNAUTHENTICATED';
    const isNamed = upgrade.named.length > 0 || later.named.length > 0;
    if (credential === 'key') return isNamed ? [] : ['key'];
    return isNamed ? 'BAD_REQUEST' : [credential];
  };

  test(`every combination of ${sources.length} upgrade requests and later messages`, async () => {
    const wrong: unknown[] = [];
    for (const { upgrade, later, where } of combinations) {
      const presented = { upgrade: membersOf(upgrade), [where]: membersOf(later) };
      const outcome = outcomeOf(await overSocket(presented, signedIn));
      if (JSON.stringify(outcome) !== JSON.stringify(expected(upgrade, later)))
        wrong.push({ upgrade, later, where, outcome, expected: expected(upgrade, later) });
    }
    console.log(`${combinations.length} combinations, ${wrong.length} wrong`);
    expect(wrong).toEqual([]);
  });

  test('over HTTP, a token with another name is refused', async () => {
    for (const name of ['x-end-user', 'new-api-user']) {
      const { status, json } = await postBytes(
        listing,
        { authorization: `Bearer ${tokens.ann}`, [name]: '7' },
        signedIn,
      );
      expect([status, json.errors?.[0]?.extensions?.['code']]).toEqual([400, 'BAD_REQUEST']);
    }
  });

  test('a token in the operation hides no other caller in connectionParams', async () => {
    const expired = await mint('ann', { lifeSeconds: -3600 });
    const upgrade = { authorization: `Bearer ${tokens.ann}` };
    for (const hidden of [
      { token: tokens.bob },
      { token: expired },
      { token: key },
      { token: 'junk' },
      { connectionParams: { token: tokens.bob } },
      { 'x-end-user': 'bob' },
    ])
      for (const operation of [undefined, { authorization: tokens.ann }, { token: tokens.ann }]) {
        const answer = await overSocket({ upgrade, params: hidden, operation }, signedIn);
        expect([hidden, outcomeOf(answer)]).toEqual([hidden, 'BAD_REQUEST']);
      }
    const named = { upgrade: { 'x-end-user': 'ann' }, params: { token: otherKey, 'x-end-user': 'bob' } };
    expect(outcomeOf(await overSocket({ ...named, operation: { token: key } }, signedIn))).toBe(
      'BAD_REQUEST',
    );
  });

  test('another token in the operation replaces that of connectionParams', async () => {
    const [params, operation] = [{ token: tokens.ann }, { authorization: tokens.bob }];
    expect(outcomeOf(await overSocket({ params, operation }, signedIn))).toEqual(['bob']);
    const named = { params: { token: key, 'x-end-user': 'ann' }, operation };
    expect(outcomeOf(await overSocket(named, signedIn))).toEqual(['bob']);
  });
});

describe('without an identity in the upgrade request', () => {
  test('another credential in the operation replaces the whole identity of connectionParams', async () => {
    const endUser = newName();
    const params = { token: otherKey, 'x-end-user': endUser, 'new-api-user': '9' };
    const bare = newName();
    await createMarked({ authorization: key, 'x-end-user': bare }, 'bare');
    const operation = { authorization: key, 'x-end-user': bare };
    expect(outcomeOf(await overSocket({ params, operation }))).toEqual(['bare']);
    await createMarked({ authorization: key, 'new-api-user': '99' }, 'alone');
    const alone = { authorization: key, 'new-api-user': '99' };
    expect(outcomeOf(await overSocket({ params, operation: alone }))).toEqual(['alone']);
  });

  test('an end user in connectionParams completes a credential in the operation', async () => {
    const endUser = newName();
    await createMarked({ authorization: key, 'x-end-user': endUser }, 'completed');
    const presented = { params: { 'X-End-User': endUser }, operation: { authorization: key } };
    expect(outcomeOf(await overSocket(presented))).toEqual(['completed']);
  });

  test('an end user in the operation belongs to the credential of connectionParams', async () => {
    const endUser = newName();
    await createMarked({ authorization: key, 'x-end-user': endUser }, 'joined');
    const presented = { params: { token: key, 'x-end-user': 'x' }, operation: { 'X-End-User': endUser } };
    expect(outcomeOf(await overSocket(presented))).toEqual(['joined']);
  });
});

test('with TRUST_CONNECTION_PARAMS, later values override the upgrade request', async () => {
  await using trusting = await startApp({ env: { TRUST_CONNECTION_PARAMS: 'true' } });
  const upgrade = { authorization: otherKey, 'x-end-user': 'ann' };
  await createMarked({ authorization: key, 'x-end-user': 'bob' }, 'bobs', trusting);
  await createMarked({ authorization: key }, 'own', trusting);
  const params = { authorization: key, 'x-end-user': 'bob' };
  expect(outcomeOf(await overSocket({ upgrade, params }, trusting))).toEqual(['bobs']);
  const named = { upgrade: { 'x-end-user': 'bob' }, params: { authorization: key } };
  expect(outcomeOf(await overSocket(named, trusting))).toEqual(['bobs']);
  // Another credential drops the end user of the upgrade request.
  expect(outcomeOf(await overSocket({ upgrade, params: { authorization: key } }, trusting))).toEqual(['own']);
  const bad = { authorization: key, 'x-end-user': true };
  expect(outcomeOf(await overSocket({ upgrade, params: bad }, trusting))).toBe('BAD_REQUEST');
});
