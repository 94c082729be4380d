import { describe, expect, test } from 'vitest';
import { named, readError, readJson, startSandbox } from '../support.ts';
import { createClient, transitionRequest, type TransitionReply } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const client = createClient(sandbox, sandbox.apiKey, 'api-key');
const path = '/openapi/v2/video/multi_transition/generate';

function post(changes: Record<string, unknown>): Promise<Response> {
  return client.post(path, { ...transitionRequest, ...changes });
}

const frame = { img_id: 7, duration: 5 };

describe(`POST ${path}`, () => {
  test.each(
    named([
      ['multi_transition', [frame, frame]],
      ['multi_transition', [frame, frame, frame, frame, frame, frame, frame]],
      ['multi_transition', [frame, { img_id: 8 }]],
      [
        'multi_transition',
        [
          { ...frame, prompt: 'a fox' },
          { ...frame, prompt: '' },
        ],
      ],
      ['multi_transition', [{ ...frame, duration: 1 }, frame]],
      ['model', 'v3.5'],
      ['model', 'v4'],
      ['model', 'v4.5'],
      ['quality', '360p'],
      ['quality', '720p'],
      ['quality', '1080p'],
      ['motion_mode', 'normal'],
    ]),
  )('takes %s: %s', async (member, _label, value) => {
    const response = await post({ [member]: value });
    expect(response.status).toBe(200);
    expect(await readJson(response)).toMatchObject({ ErrCode: 0 });
  });

  test.each(
    named([
      ['multi_transition', undefined],
      ['multi_transition', frame],
      ['multi_transition', [frame]],
      ['multi_transition', [frame, frame, frame, frame, frame, frame, frame, frame]],
      ['multi_transition[0].duration', [{ img_id: 7 }, frame]],
      ['multi_transition[1].duration', [frame, { img_id: 7 }, frame]],
      ['multi_transition[0].duration', [{ ...frame, duration: '5' }, frame]],
      ['multi_transition[1].duration', [frame, { ...frame, duration: 1.5 }]],
      ['multi_transition[1].duration', [frame, { ...frame, duration: 0 }]],
      ['multi_transition[1].img_id', [frame, { duration: 5 }]],
      ['multi_transition[0].img_id', [{ ...frame, img_id: '7' }, frame]],
      ['multi_transition[0].prompt', [{ ...frame, prompt: 5 }, frame]],
      ['multi_transition[0].seed', [{ ...frame, seed: 5 }, frame]],
      ['model', undefined],
      ['model', 'v3'],
      ['quality', undefined],
      ['quality', '480p'],
      ['motion_mode', 1],
      ['seed', 1],
    ]),
  )('refuses %s: %s', async (place, _label, value) => {
    const member = /^\w+/.exec(place)?.[0] ?? '';
    const error = await readError(await post({ [member]: value }));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(place);
  });

  test('takes image ids beyond 2^53 with every digit', async () => {
    const response = await fetch(sandbox.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'api-key': sandbox.apiKey },
      body: '{"multi_transition":[{"img_id":9223372036854775807,"duration":5},{"img_id":1}],"model":"v5","quality":"540p"}',
    });
    expect(await readJson(response)).toMatchObject({ ErrCode: 0 });
    expect(sandbox.activity.requests(path).at(-1)?.body).toMatchObject({
      multi_transition: [{ img_id: 9_223_372_036_854_775_807n }, { img_id: 1 }],
    });
  });

  test('reports an unknown image under 200, free of charge', async () => {
    const before = sandbox.findToken(sandbox.apiKey)?.usedQuota;
    const response = await post({ multi_transition: [frame, { img_id: 404 }] });
    expect(response.status).toBe(200);
    expect(await readJson<TransitionReply>(response)).toEqual({
      ErrCode: 500_008,
      ErrMsg: 'The image 404 does not exist',
      Resp: null,
    });
    expect(sandbox.findToken(sandbox.apiKey)?.usedQuota).toBe(before);
  });
});

describe.each([
  ['POST', path],
  ['GET', '/openapi/v2/video/result/1'],
])('the credential of %s %s', (method, url) => {
  test.each([
    {},
    { authorization: 'Bearer sk-sandbox' },
    { authorization: 'Bearer sk-sandbox', 'api-key': 'sk-sandbox' },
    { 'api-key': 'Bearer sk-sandbox' },
    { 'api-key': 'nobody' },
    { 'api-key': '' },
  ])('is the bare key in API-KEY, not %j', async (headers) => {
    const response = await fetch(sandbox.url + url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(await readError(response)).toMatchObject({ status: 401 });
  });
});
