import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringifyJson } from '../../src/lib/json.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { nameOf } from '../capabilities/members/request-members.ts';
import { pending, requests } from '../capabilities/members/requests.ts';
import type { RecordedRequest } from '../support/recording-gateway.ts';
import { sendAll } from '../support/request-members.ts';

/** The four credential forms of the gateway's documentation, for key `K` and user `1`. */
const forms = {
  bearer: { authorization: 'Bearer K' },
  'system token': { authorization: 'K', 'new-api-user': '1' },
  'API-KEY': { 'api-key': 'K' },
  'key in the query': { key: 'K' },
} as const;
type Form = keyof typeof forms;

/** Credential form of each request ("Authentication" in the gateway's documentation). The default is bearer. */
const formOf: Readonly<Record<string, Form>> = {
  startChat: 'bearer',
  streamChat: 'bearer',
  createChatCompletion: 'bearer',
  'createImage byResolution': 'bearer',
  'createImage byCount': 'bearer',
  streamImages: 'bearer',
  createSpeech: 'bearer',
  createAnimation: 'bearer',
  fillImage: 'bearer',
  'createVideo from images': 'bearer',
  'createVideo with a character': 'bearer',
  createAccessToken: 'system token',
  voices: 'bearer',
  createReferenceVideo: 'bearer',
  'taskByHandle of MULTI_IMAGE_VIDEO': 'bearer',
  'taskByHandle of LIP_SYNC': 'bearer',
  cloneVoice: 'bearer',
  queueInpainting: 'bearer',
  queueImage: 'bearer',
  'taskByHandle of QUEUED_IMAGE': 'bearer',
  createSong: 'bearer',
  createSongCover: 'bearer',
  adjustSongSpeed: 'bearer',
  'taskByHandle of SONG': 'bearer',
  createTransitionVideo: 'API-KEY',
  generateContent: 'key in the query',
};

const codest = 'X-Forwarded-HoAPP-Codest';
const caller = { authorization: 'Bearer K', 'new-api-user': '1', [codest]: 'from-the-client' };

/** The parts of a request that may contain a credential. */
function presentedIn({ headers, path }: RecordedRequest): Readonly<Record<string, string>> {
  const names = ['authorization', 'new-api-user', 'api-key', 'x-api-key', 'x-goog-api-key', 'token'] as const;
  const found = names.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  return Object.fromEntries(
    [...found, ...new URLSearchParams(path.split('?')[1])].filter(([name]) => !isPage(name)),
  );
}

function isPage(name: string): boolean {
  return name === 'pageNum' || name === 'pageSize';
}

test('the list contains every gateway request', () => {
  expect(Object.keys(formOf).toSorted()).toEqual(requests.map(nameOf).toSorted());
});

const built = requests
  .filter((request) => !pending.includes(nameOf(request)))
  .map((request) => [nameOf(request), request] as const);

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ tokensPerSecond: Number.POSITIVE_INFINITY });
});
afterAll(() => sandbox.close());

describe.each(built)('%s', (name, request) => {
  const form: Form = formOf[name] ?? 'bearer';
  let sending: ReturnType<typeof sendAll> | undefined;
  /** Sends the request in the first test that needs it. */
  const sendOnce = () => (sending ??= sendAll(request, caller));

  /** Sends the same request to the sandbox with this credential form. Returns the status. */
  const statusWith = async ({ method, path, body }: RecordedRequest, presented: object): Promise<number> => {
    const { key, ...headers } = presented as Readonly<Record<string, string>>;
    const address = new URL(sandbox.url + path);
    address.searchParams.delete('key');
    if (key !== undefined) address.searchParams.set('key', key);
    const response = await fetch(address, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: stringifyJson(body) }),
    });
    await response.body?.cancel();
    return response.status;
  };

  test(`presents the credential as ${form}, and nowhere else`, async () => {
    const sent = await sendOnce();
    expect(sent.length).toBeGreaterThan(0);
    for (const one of sent) expect(presentedIn(one)).toEqual(forms[form]);
  });

  test('is rejected by the sandbox in every other form, without a credential, and with a wrong one', async () => {
    const [sent] = await sendOnce();
    if (!sent) throw new Error('nothing was sent');
    const known = (text: string) =>
      form === 'system token' ? text.replace('K', 'sandbox-system') : text.replace('K', 'sk-sandbox');
    const withKey = (presented: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(presented).map(([part, value]) => [part, known(value)]));
    for (const [other, presented] of Object.entries(forms)) {
      const status = await statusWith(sent, withKey(presented));
      expect([401, 403].includes(status), `${other}: ${status}`).toBe(other !== form);
    }
    expect(await statusWith(sent, {})).toBe(401);
    expect(await statusWith(sent, forms[form])).toBe(401);
  });

  test(`forwards ${codest} for chats only`, async () => {
    const values = (await sendOnce()).map(({ headers }) => headers[codest.toLowerCase()]);
    const expected = request.endpoint === 1 ? 'from-the-client' : undefined;
    expect(new Set(values)).toEqual(new Set([expected]));
  });
});
