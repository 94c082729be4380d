import { describe, expect, test } from 'vitest';
import {
  decodeError,
  type ErrorReply,
  hasFailureCode,
  isErrorBody,
  isRetryableStatus,
  parseRetryAfter,
  readErrorBody,
} from '../../src/gateway/decode-error.ts';
import { redact } from '../../src/gateway/redact.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const decode = (reply: Partial<ErrorReply>) =>
  decodeError({ status: 500, body: undefined, credential: 'sk-secret', now, ...reply });

describe('readErrorBody', () => {
  test.each<[unknown, object]>([
    [{ error: { message: 'm', type: 't', code: 'c' } }, { message: 'm', type: 't', code: 'c' }],
    [{ error: { message: 'm', code: 7 } }, { message: 'm', code: '7' }],
    [{ error: 'm' }, { message: 'm' }],
    [
      { error: 'm', code: 'c' },
      { message: 'm', code: 'c' },
    ],
    [{ success: false, message: 'm' }, { message: 'm' }],
    [{ detail: 'm' }, { message: 'm' }],
    [{ detail: [{ loc: ['a'], msg: 'm' }] }, { message: 'a: m' }],
    [
      { detail: [{ loc: ['body', 'images', 0], msg: 'm', type: 't' }, 'n', { message: 'o' }] },
      { message: 'body.images.0: m; n; o' },
    ],
    [{ detail: { msg: 'm' } }, { message: 'm' }],
    [{ detail: [{ msg: 'm' }, { odd: 1 }] }, { message: '[{"msg":"m"},{"odd":1}]' }],
    [{ detail: [] }, { message: '[]' }],
    [{ detail: { id: 12345678901234567890n } }, { message: '{"id":12345678901234567890}' }],
    [
      { code: 400, message: 'm', data: null },
      { message: 'm', code: '400' },
    ],
    [
      { code: 'c', msg: 'm' },
      { message: 'm', code: 'c' },
    ],
    [{ base_resp: { status_code: 1008, status_msg: 'm' } }, { message: 'm', code: '1008' }],
    [
      { base_resp: { status_code: 2013 }, message: 'm' },
      { message: 'm', code: '2013' },
    ],
    [{ base_resp: null, message: 'm' }, { message: 'm' }],
    [
      { ErrCode: 500044, ErrMsg: 'm', Resp: null },
      { message: 'm', code: '500044' },
    ],
    [{ errors: [{ message: 'm', code: 'c' }, 'n'] }, { message: 'm; n', code: 'c' }],
    [{ errors: ['n'], message: 'm' }, { message: 'm' }],
    [[{ error: { message: 'm', code: 'c' } }], { message: 'm', code: 'c' }],
    [
      { type: 'about:blank', title: 'm', status: 400 },
      { message: 'm', type: 'about:blank' },
    ],
    [{ error: true, message: 'm' }, { message: 'm' }],
    [{ errors: [] }, {}],
    [{ title: 'A song' }, {}],
    ['m', { message: 'm' }],
    ['  m\n', { message: 'm' }],
    ['', {}],
    ['<html><body>500</body></html>', {}],
    ['\n <!DOCTYPE html>', {}],
    [undefined, {}],
    [null, {}],
    [5, {}],
    [[], {}],
    [{}, {}],
    [{ error: null }, {}],
    [{ error: {} }, {}],
    [{ error: { message: { a: 1 }, code: {}, type: [] } }, {}],
    [{ error: { message: ' ' } }, {}],
  ])('reads %o', (body, expected) => {
    const words = readErrorBody(body);
    const present = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
    expect(present).toEqual(expected);
  });
});

describe('decodeError', () => {
  test.each<[string, Partial<ErrorReply>, string]>([
    ['401', { status: 401 }, 'AuthenticationError'],
    ['403', { status: 403 }, 'AuthenticationError'],
    [
      '403with a quota code',
      { status: 403, body: { error: { code: 'insufficient_user_quota' } } },
      'QuotaError',
    ],
    [
      '403with a moderation code',
      { status: 403, body: { error: { code: 'content_filter' } } },
      'GatewayError',
    ],
    [
      '403with a moderation code for the key of the server',
      { status: 403, body: { error: { type: 'content_policy_violation' } }, isServerKey: true },
      'GatewayError',
    ],
    [
      '401with a moderation code',
      { status: 401, body: { error: { code: 'moderation' } } },
      'AuthenticationError',
    ],
    ['401with a billing code', { status: 401, body: { error: { type: 'billing_error' } } }, 'QuotaError'],
    ['402', { status: 402 }, 'QuotaError'],
    ['429', { status: 429 }, 'RateLimitError'],
    ['429with a quota code', { status: 429, body: { error: { code: 'insufficient_quota' } } }, 'QuotaError'],
    [
      '400with a balance code',
      { status: 400, body: { code: 'INSUFFICIENT-BALANCE', message: 'x' } },
      'QuotaError',
    ],
    ['400', { status: 400 }, 'GatewayError'],
    ['400with a rate-limit code', { status: 400, body: { error: { code: 'rate_limit' } } }, 'GatewayError'],
    ['404', { status: 404 }, 'GatewayError'],
    ['500with a quota code', { status: 500, body: { error: { code: 'quota' } } }, 'GatewayError'],
    ['503', { status: 503 }, 'GatewayError'],
    [
      '200with a rate-limit code',
      { status: 200, body: { error: { code: 'too_many_requests' } } },
      'RateLimitError',
    ],
    [
      '200with a credential code',
      { status: 200, body: { error: { type: 'invalid_api_key' } } },
      'AuthenticationError',
    ],
    ['200with a quota code', { status: 200, body: { error: { code: 'quota_exceeded' } } }, 'QuotaError'],
    ['200 with the code 401', { status: 200, body: { code: 401, message: 'x' } }, 'AuthenticationError'],
    ['200 with the code 402', { status: 200, body: { code: '402', message: 'x' } }, 'QuotaError'],
    ['200 with the code 429', { status: 200, body: { error: { code: 429 } } }, 'RateLimitError'],
    ['200 with the status 429', { status: 200, body: { status: 429, message: 'x' } }, 'RateLimitError'],
    ['200 with a longer code', { status: 200, body: { code: 429001, message: 'x' } }, 'GatewayError'],
    [
      '200 with a quota code and a status',
      { status: 200, body: { error: { code: 500, type: 'insufficient_quota' } } },
      'QuotaError',
    ],
    ['400 with the code 429', { status: 400, body: { code: 429, message: 'x' } }, 'GatewayError'],
    ['200 with another code', { status: 200, body: { error: { code: 'broken' } } }, 'GatewayError'],
    [
      '200 with quota in its message only',
      { status: 200, body: { error: { message: 'quota' } } },
      'GatewayError',
    ],
  ])('maps %s', (_name, reply, name) => {
    expect(decode(reply).name).toBe(name);
  });

  test.each([
    [{ status: 401, body: '' }, 'The gateway answered 401 with an empty body.'],
    [
      { status: 502, body: undefined },
      'The gateway answered 502 with a body that was cut, too large or unreadable.',
    ],
    [
      { status: 500, body: '<html>', contentType: 'text/html' },
      'The gateway answered 500 with an HTML or XML page.',
    ],
    [{ status: 500, body: ' ', contentType: 'image/png; x=y' }, 'The gateway answered 500 with image/png.'],
    [{ status: 500, body: {} }, 'The gateway answered 500 without an error message.'],
    [{ status: 500, body: 'Upstream is down' }, 'Upstream is down'],
  ])('describes %o', (reply, message) => {
    expect(decode(reply).message).toBe(message);
  });

  test('is retryable by its status, unless no channel has the model', () => {
    const statuses = [400, 401, 404, 408, 409, 422, 425, 429, 500, 502, 503, 504, 599];
    expect(statuses.filter(isRetryableStatus)).toEqual([408, 425, 429, 500, 502, 503, 504, 599]);
    expect(decode({ status: 503 })).toMatchObject({ retry: 'LATER' });
    expect(decode({ status: 503, body: { error: { code: 'model_not_found' } } })).toMatchObject({
      retry: 'FIX_INPUT',
    });
  });

  test('under 200 is a refusal also without a message, unless it is no document', () => {
    expect(decode({ status: 200, body: { success: false } })).toMatchObject({ retry: 'FIX_INPUT' });
    expect(decode({ status: 200, body: '' })).toMatchObject({ retry: 'NEVER' });
    const overloaded = { status: 200, body: { code: 503, message: 'x' } };
    expect(decode(overloaded)).toMatchObject({ retry: 'LATER', status: 200, upstreamCode: '503' });
    expect(decode({ ...overloaded, isInStream: true })).toMatchObject({ retry: 'MAY_CHARGE_AGAIN' });
  });

  test('carries retryAfterSeconds', () => {
    expect(decode({ status: 429, retryAfter: '2' })).toMatchObject({ retryAfterSeconds: 2 });
    expect(decode({ status: 503, retryAfter: '2.5' })).toMatchObject({ retryAfterSeconds: 2.5 });
  });

  test('redacts the credential from message and code, in every encoding', () => {
    const error = decode({
      status: 500,
      credential: 'sk"a b',
      body: {
        error: { message: 'sk"a b, sk%22a%20b, sk%22a+b and {\\"k\\":\\"sk\\"a b\\"}', code: 'sk"a b' },
      },
    });
    expect(JSON.stringify([error.message, error])).not.toMatch(/sk.{1,4}a/);
  });

  test('abbreviates a long message', () => {
    expect(decode({ body: 'x'.repeat(100_000) }).message).toHaveLength(1000);
    const { message } = decode({ body: `${'x'.repeat(998)}😀😀` });
    expect(message.isWellFormed()).toBe(true);
    expect(decode({ body: { error: { code: 'x'.repeat(5000) } } })).toHaveProperty(
      'upstreamCode.length',
      200,
    );
  });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  [' ', undefined],
  ['0', 0],
  ['120', 120],
  ['-1', undefined],
  ['soon', undefined],
  // `Date.parse` reads these as days in 2001.
  ['try again in 5', undefined],
  ['5, 10', undefined],
  ['max-age=5', undefined],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 0],
  // A time in place of seconds.
  ['1795176030', 30],
  ['1795176030500', 31],
  ['1795175000', 0],
  // Timers of JavaScript wait no longer, and fire at once beyond it.
  ['99999999', 2_147_483],
  ['1e300', 2_147_483],
  ['Fri, 31 Dec 9999 00:00:00 GMT', 2_147_483],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
});

test('an empty credential redacts nothing', () => {
  expect(redact('text', '')).toBe('text');
});

describe('a body under HTTP 200', () => {
  test.each<[unknown]>([
    [{ error: { message: 'x' } }],
    [{ error: 'x' }],
    [{ success: false }],
    [{ success: false, data: {} }],
    [{ detail: 'x' }],
    [{ code: 1, message: 'x' }],
    [{ code: 'bad', message: 'x', data: null }],
    [{ code: 'bad', message: 'x', data: '' }],
    [{ code: 1, msg: 'x' }],
    [{ type: 'error', message: 'x' }],
    [{ status: 500, error: 'Internal Server Error' }],
    [{ status: 400, message: 'x' }],
    [{ type: 'about:blank', title: 'x', status: 400 }],
    [{ status: 'error', message: 'x' }],
    [{ status: 'Fail', msg: 'x' }],
    [{ ok: false }],
    [{ error: true, message: 'x' }],
    [{ errors: [{ message: 'x' }] }],
    [[{ error: { message: 'x' } }]],
    [{ error: 'x', task_id: '' }],
    [{ error: 'x', task_id: null }],
  ])('%j is an error', (body) => {
    expect(isErrorBody(body)).toBe(true);
  });

  test.each<[unknown]>([
    [{}],
    [[]],
    ['x'],
    [null],
    [{ success: true, message: '' }],
    [{ code: 0, message: 'ok' }],
    [{ code: 201, message: 'created' }],
    [{ code: '202', message: 'accepted' }],
    [{ code: '200', message: 'x' }],
    [{ code: 'Success', message: 'x' }],
    [{ code: 1, message: 'x', data: [] }],
    [{ code: 0, msg: 'ok' }],
    [{ id: 't', status: 'failed', error: 'x' }],
    [{ task_id: 't', state: 'failed', error: 'x' }],
    [{ task_id: 7, state: 'failed', error: { message: 'x' } }],
    [{ choices: [] }],
    [{ error: null }],
    [{ error: '' }],
    [{ type: 'error', message: 'x', id: 't' }],
    [{ status: 8, error: 'x' }],
    [{ status: 8, message: 'x' }],
    [{ ok: true, message: 'x' }],
    [{ status: 'error', message: 'x', task_id: 't' }],
    [{ status: 'error', message: 'x', request_id: 't' }],
    [{ status: 'error' }],
    [{ status: 'failed', message: 'x' }],
    [{ ok: false, id: 't' }],
    [{ errors: [] }],
    [{ errors: [{ message: 'x' }], data: { url: 'y' } }],
    [{ errors: [{ message: 'x' }], candidates: [{}] }],
    [[{ error: { message: 'x' }, id: 't' }]],
    [{ status: 500, error: 'x', task_id: 't' }],
    [{ detail: 'x', id: 't' }],
  ])('%j is not an error', (body) => {
    expect(isErrorBody(body)).toBe(false);
  });
});

describe('an envelope', () => {
  test.each<[unknown]>([
    [{ code: 1200, message: 'x', data: {} }],
    [{ code: '1' }],
    [{ code: 2000 }],
    [{ code: 2049 }],
    [{ ErrCode: 500044 }],
    [{ base_resp: { status_code: 1008 } }],
    [{ code: 0, ErrCode: -1 }],
  ])('%j has a failure code', (body) => {
    expect(hasFailureCode(body)).toBe(true);
  });

  test.each<[unknown]>([
    [{}],
    [null],
    ['x'],
    [[]],
    [{ code: 0 }],
    [{ code: '200' }],
    [{ code: 201, data: {} }],
    [{ code: 'SUCCESS', data: {} }],
    [{ code: null, ErrCode: 0, base_resp: null }],
    [{ base_resp: { status_code: 0, status_msg: 'success' } }],
    [{ base_resp: {} }],
  ])('%j has no failure code', (body) => {
    expect(hasFailureCode(body)).toBe(false);
  });
});
