import { describe, expect, test } from 'vitest';
import {
  complete,
  createKey,
  postChat,
  postToken,
  readError,
  readJson,
  startSandbox,
  tokenRequest,
  user,
} from './support.ts';

const sandbox = await startSandbox();
const question = { model: 'gpt-test', messages: user('count to 20'), seed: 1 };

describe('creating a token', () => {
  test('replies with the token and its key', async () => {
    const before = Math.floor(Date.now() / 1000);
    const request = tokenRequest({
      name: 'team',
      model_limits_enabled: true,
      model_limits: 'a,b',
      group: 'vip',
    });
    const response = await postToken(sandbox, request);
    const body = await readJson<{ data: { created_time: number } }>(response);
    expect(response.status).toBe(200);
    expect(body).toEqual({
      success: true,
      message: '',
      data: {
        id: expect.any(Number),
        key: expect.stringMatching(/^sk-[A-Za-z0-9]{48}$/),
        name: 'team',
        remain_quota: 1000,
        expired_time: -1,
        unlimited_quota: false,
        model_limits_enabled: true,
        model_limits: 'a,b',
        allow_ips: '',
        group: 'vip',
        created_time: expect.any(Number),
        status: 1,
        used_quota: 0,
      },
    });
    expect(body.data.created_time).toBeGreaterThanOrEqual(before);
  });

  test.each(Object.keys(tokenRequest()))('requires %s', async (member) => {
    const request = Object.fromEntries(Object.entries(tokenRequest()).filter(([name]) => name !== member));
    expect(await readError(await postToken(sandbox, request))).toMatchObject({
      status: 400,
      message: `${member}: is required`,
    });
  });

  test.each([
    ['name', 1],
    ['remain_quota', '1'],
    ['remain_quota', 1.5],
    ['remain_quota', -1],
    ['expired_time', '-1'],
    ['expired_time', -2],
    ['expired_time', 0],
    ['expired_time', 1_600_000_000],
    ['unlimited_quota', 'true'],
    ['model_limits_enabled', 0],
    ['model_limits', ['a']],
    ['allow_ips', ['127.0.0.1']],
    ['allow_ips', '127.0.0.1,::1'],
    ['allow_ips', '127.0.0.0/33'],
    ['group', ['default']],
    ['group', 'default,nowhere'],
    ['selected_groups', 'default'],
    ['quota', 5],
  ])('refuses %s %j and names the member', async (member, value) => {
    const error = await readError(await postToken(sandbox, tokenRequest({ [member]: value })));
    expect(error.status).toBe(400);
    expect(error.message).toContain(member);
  });

  test.each([
    ['model_limits', ','],
    ['allow_ips', '\n'],
    ['group', ','],
  ])('refuses more than 1000 entries of %s', async (member, separator) => {
    const listOf = (count: number) =>
      tokenRequest({
        model_limits_enabled: true,
        [member]: Array.from({ length: count }, (_, index) => {
          const entries = { model_limits: `m${index}`, allow_ips: `10.0.${index >> 8}.${index & 255}` };
          return Object.entries(entries).find(([name]) => name === member)?.[1] ?? 'default';
        }).join(separator),
      });
    expect((await postToken(sandbox, listOf(1000))).status).toBe(200);
    const error = await readError(await postToken(sandbox, listOf(1001)));
    expect(error).toMatchObject({ status: 400, message: `${member}: expected at most 1000 entries` });
  });

  test('accepts the undeclared members of the example', async () => {
    const request = tokenRequest({ mj_image_mode: 'default', mj_custom_proxy: '', selected_groups: ['vip'] });
    expect((await postToken(sandbox, request)).status).toBe(200);
  });

  test('accepts a negative quota beside unlimited_quota, and a 64-bit quota without losing digits', async () => {
    expect((await postToken(sandbox, tokenRequest({ remain_quota: -1, unlimited_quota: true }))).status).toBe(
      200,
    );
    const text = JSON.stringify(tokenRequest()).replace('1000', '9223372036854775807');
    expect(await (await postToken(sandbox, text)).text()).toContain('"remain_quota":9223372036854775807,');
    expect((await postToken(sandbox, text.replace('807', '808'))).status).toBe(400);
  });

  test('requires the bare system token and its user', async () => {
    const wrong = [
      { authorization: `Bearer ${sandbox.systemToken}` },
      { authorization: sandbox.apiKey },
      { authorization: '' },
      { 'new-api-user': '2' },
      { 'new-api-user': '' },
    ];
    for (const headers of wrong) {
      expect(await readError(await postToken(sandbox, tokenRequest(), headers))).toMatchObject({
        status: 401,
      });
    }
    const bare = await fetch(`${sandbox.url}/api/token/`, { method: 'POST', body: '{}' });
    expect(await readError(bare)).toMatchObject({ status: 401, code: 'missing_credential' });
    const withoutUser = await fetch(`${sandbox.url}/api/token/`, {
      method: 'POST',
      headers: { authorization: sandbox.systemToken },
    });
    expect(await readError(withoutUser)).toMatchObject({ status: 401, code: 'missing_user' });
  });

  test('requires the content type', async () => {
    const response = await postToken(sandbox, tokenRequest(), { 'content-type': 'text/plain' });
    expect(await readError(response)).toMatchObject({ status: 400 });
  });
});

describe('the quota of a token', () => {
  test('is debited by the usage times the ratio of its group', async () => {
    const [plain, vip] = [await createKey(sandbox), await createKey(sandbox, { group: 'vip' })];
    const { usage } = await complete(sandbox, question, { key: plain });
    await complete(sandbox, question, { key: vip });
    expect(sandbox.findToken(plain)).toEqual({
      name: 'test',
      remainQuota: 1000 - usage.total_tokens,
      usedQuota: usage.total_tokens,
    });
    expect(sandbox.findToken(vip)?.usedQuota).toBe(2 * usage.total_tokens);
  });

  test('is debited by a stream before its end arrives', async () => {
    const key = await createKey(sandbox);
    const { usage } = await complete(sandbox, question);
    await (await postChat(sandbox, { ...question, stream: true }, { key })).text();
    expect(sandbox.findToken(key)?.usedQuota).toBe(usage.total_tokens);
  });

  test('is 403 for every request once it is exhausted', async () => {
    const key = await createKey(sandbox, { remain_quota: 20 });
    await complete(sandbox, question, { key });
    expect(sandbox.findToken(key)?.remainQuota).toBeLessThanOrEqual(0);
    for (const stream of [false, true]) {
      expect(await readError(await postChat(sandbox, { ...question, stream }, { key }))).toMatchObject({
        status: 403,
        code: 'insufficient_user_quota',
      });
    }
  });

  test('is 403 and unchanged when it does not cover the prompt', async () => {
    const key = await createKey(sandbox, { remain_quota: 5 });
    expect((await postChat(sandbox, question, { key })).status).toBe(403);
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: 5, usedQuota: 0 });
  });

  test('is not debited by a refused request', async () => {
    const key = await createKey(sandbox);
    await postChat(sandbox, { ...question, foo: 1 }, { key });
    await postChat(sandbox, { ...question, model: 'unknown-model' }, { key });
    await postChat(sandbox, { ...question, model: 'fault-html-500' }, { key });
    expect(sandbox.findToken(key)?.usedQuota).toBe(0);
  });

  test('does not stop an unlimited token', async () => {
    const key = await createKey(sandbox, { remain_quota: 0, unlimited_quota: true });
    await complete(sandbox, question, { key });
    await complete(sandbox, question, { key });
    expect(sandbox.findToken(key)).toMatchObject({ remainQuota: 0 });
    expect(sandbox.findToken(key)?.usedQuota).toBeGreaterThan(0);
  });

  test('of an unknown key is undefined', () => {
    expect(sandbox.findToken('sk-nobody')).toBeUndefined();
  });
});

describe('the limits of a token', () => {
  test('an expired token is 401', async () => {
    let now = 1_700_000_000_000;
    const timed = await startSandbox({ clock: () => now });
    const key = await createKey(timed, { expired_time: 1_700_000_010 });
    expect((await postChat(timed, question, { key })).status).toBe(200);
    now += 10_000;
    expect(await readError(await postChat(timed, question, { key }))).toMatchObject({
      status: 401,
      code: 'token_expired',
    });
  });

  test('another model is 403, with or without a suffix', async () => {
    const key = await createKey(sandbox, {
      model_limits_enabled: true,
      model_limits: 'gpt-test, o3-thinking',
    });
    const status = async (model: string): Promise<number> =>
      (await postChat(sandbox, { ...question, model }, { key })).status;
    expect(await Promise.all(['gpt-test', 'gpt-test-thinking', 'o3-thinking', 'gpt-5'].map(status))).toEqual([
      200, 200, 200, 403,
    ]);
    const response = await postChat(sandbox, { ...question, model: 'gpt-5' }, { key });
    expect(await readError(response)).toMatchObject({ code: 'model_not_allowed' });
  });

  test('model limits that are not enabled have no effect', async () => {
    const key = await createKey(sandbox, { model_limits: 'other' });
    expect((await postChat(sandbox, question, { key })).status).toBe(200);
  });

  test('another address is 403', async () => {
    const allowed = ['127.0.0.1', '10.0.0.1\n127.0.0.0/8', '::ffff:127.0.0.1', ''];
    for (const allow_ips of allowed) {
      const key = await createKey(sandbox, { allow_ips });
      expect((await postChat(sandbox, question, { key })).status).toBe(200);
    }
    for (const allow_ips of ['10.0.0.1', '::1', '2001:db8::/32\n192.168.0.0/16']) {
      const key = await createKey(sandbox, { allow_ips });
      expect(await readError(await postChat(sandbox, question, { key }))).toMatchObject({
        status: 403,
        code: 'ip_not_allowed',
      });
    }
  });

  test('an IPv4 client of a dual-stack socket is identified by its IPv4 address', async () => {
    const dual = await startSandbox({ host: '::' });
    const key = await createKey(dual, { allow_ips: '127.0.0.1' });
    const url = `http://127.0.0.1:${new URL(dual.url).port}`;
    expect((await postChat({ ...dual, url }, question, { key })).status).toBe(200);
    expect((await postChat(dual, question, { key })).status).toBe(403);
  });

  test('the limits apply to voices, too', async () => {
    const key = await createKey(sandbox, { allow_ips: '10.0.0.1' });
    const response = await fetch(`${sandbox.url}/videoa/v1/general/presets-voices`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.status).toBe(403);
  });
});

describe('the group of a token', () => {
  test('selects the channel, which may rename the model', async () => {
    const model = async (group: string, name: string): Promise<string> => {
      const key = await createKey(sandbox, { group });
      return (await complete(sandbox, { ...question, model: name }, { key })).model;
    };
    expect(await model('default', 'gpt-4o')).toBe('gpt-4o-2024-08-06');
    expect(await model('', 'gpt-4o')).toBe('gpt-4o-2024-08-06');
    expect(await model('vip', 'gpt-4o')).toBe('gpt-4o-2024-11-20');
    expect(await model('default', 'anything-else')).toBe('anything-else');
    expect(await model('default', 'gpt-4o-thinking')).toBe('gpt-4o-2024-08-06');
    // The first group does not serve the model, so the next one does.
    expect(await model('economy,vip', 'gpt-4o')).toBe('gpt-4o-2024-11-20');
    expect(await model('economy,vip', 'gpt-4o-mini')).toBe('gpt-4o-mini');
  });

  test('without a channel for the model is 503', async () => {
    const key = await createKey(sandbox, { group: 'economy' });
    expect(await readError(await postChat(sandbox, { ...question, model: 'gpt-4o' }, { key }))).toEqual({
      status: 503,
      message: 'No available channel for model gpt-4o under group economy',
      type: 'new_api_error',
      code: 'model_not_found',
    });
    expect(await readError(await postChat(sandbox, { ...question, model: 'unknown-model' }))).toEqual({
      status: 503,
      message: 'No available channel for model unknown-model under group default',
      type: 'new_api_error',
      code: 'model_not_found',
    });
  });
});
