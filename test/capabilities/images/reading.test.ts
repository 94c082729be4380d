import { describe, expect, test } from 'vitest';
import type { CreateImageInput } from '../../../src/client/documents.generated.ts';
import { asArray, asRecord, type Json } from '../../../src/lib/json.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import type { TestApp } from '../../support/app.ts';
import { make, plainByResolution, plainByCount, reply } from '../../support/images.ts';

const { created } = reply;

/** The images of a stream whose gateway answers with one document. */
async function stream(app: TestApp): Promise<unknown> {
  const query = `subscription ($input: ImageByResolutionInput!) {
    streamImages(input: $input) { __typename soFar { images { url base64 } } }
  }`;
  const request = { query, variables: { input: plainByResolution } };
  let last: unknown;
  for await (const { data } of app.wsClient().iterate<{ readonly streamImages: unknown }>(request))
    last = data?.streamImages;
  return last;
}

const createdAt = '2025-11-20T16:00:00.000Z';
const aDayLater = '2025-11-21T16:00:00.000Z';
/** Base64 text that is long enough to count as media. */
const base64 = Buffer.alloc(3000, 'image').toString('base64');

describe('createImage decodes', () => {
  test('a text of nine million characters of base64', async () => {
    const large = 'QUJD'.repeat(2_250_000);
    await using gateway = await startAnswering({ created, data: [large] });
    const made = await make(gateway.app, { byCount: plainByCount });
    const output = made && 'output' in made ? asRecord(made.output) : undefined;
    const image = asRecord(asArray(output?.['images'] as Json)[0]);
    // A failed `toBe` would print the text.
    expect(image?.['base64'] === large).toBe(true);
  });

  test('every member of a reply to byResolution, whose addresses expire after 24 hours', async () => {
    await using gateway = await startAnswering({
      model: 'seedream-4',
      created,
      data: [{ url: 'http://x/1.jpg' }, { url: 'http://x/2.jpg', size: '2048x1536' }],
      usage: {
        prompt_tokens: 3,
        completion_tokens: 40,
        total_tokens: 43,
        output_tokens: 39,
        prompt_tokens_details: { cached_tokens_details: {} },
        completion_tokens_details: { x: 1 },
      },
    });
    const image = { url: 'http://x/1.jpg', contentType: 'image/jpeg', expiresAt: aDayLater, base64: null };
    expect(await make(gateway.app, { byResolution: plainByResolution })).toMatchObject({
      kind: 'IMAGE',
      status: 'SUCCEEDED',
      model: 'seedream-4',
      prompt: 'a fox',
      collection: 'g',
      isTerminal: true,
      task: null,
      error: null,
      output: {
        __typename: 'ImageSet',
        createdAt,
        request: null,
        images: [
          { ...image, width: null, height: null, revisedPrompt: null, contentFilterResults: null },
          { ...image, url: 'http://x/2.jpg', width: 2048, height: 1536 },
        ],
      },
      assets: [
        { ...image, kind: 'IMAGE' },
        { ...image, kind: 'IMAGE', url: 'http://x/2.jpg', width: 2048, height: 1536 },
      ],
      usage: {
        promptTokens: 3,
        completionTokens: 40,
        totalTokens: 43,
        outputTokens: 39,
        promptTokensDetails: { cached_tokens_details: {} },
        completionTokensDetails: { x: 1 },
      },
    });
  });

  test('every member of a reply to byCount, whose addresses have no known expiry', async () => {
    const verdict = (severity: string) => ({ filtered: severity === 'high', severity });
    const filters = {
      hate: verdict('safe'),
      self_harm: verdict('low'),
      sexual: verdict('medium'),
      violence: verdict('high'),
    };
    const shownVerdict = (severity: string) => ({ isFiltered: severity === 'high', severity });
    const shown = {
      hate: shownVerdict('safe'),
      selfHarm: shownVerdict('low'),
      sexual: shownVerdict('medium'),
      violence: shownVerdict('high'),
    };
    const profanity = { detected: true, filtered: false };
    await using gateway = await startAnswering({
      created,
      data: [
        {
          url: 'http://x/1.png',
          revised_prompt: 'A red fox.',
          content_filter_results: filters,
          prompt_filter_results: { ...filters, profanity },
        },
      ],
    });
    expect(await make(gateway.app, { byCount: { ...plainByCount, model: 'dall-e-3' } })).toMatchObject({
      model: 'dall-e-3',
      usage: null,
      output: {
        createdAt,
        images: [
          {
            url: 'http://x/1.png',
            expiresAt: null,
            contentType: 'image/png',
            revisedPrompt: 'A red fox.',
            contentFilterResults: shown,
            promptFilterResults: { ...shown, profanity: { isDetected: true, isFiltered: false } },
          },
        ],
      },
    });
  });

  test('inline images, which the recorded reply replaces by size and hash', async () => {
    await using gateway = await startAnswering({ created, data: [{ b64_json: base64 }] });
    const byResolution = {
      ...plainByResolution,
      delivery: 'BASE64',
      extra: { image: `data:image/png;base64,${base64}` },
    };
    const made = await make(gateway.app, { byResolution } as CreateImageInput);
    const inline = { base64, contentType: 'image/jpeg', url: null, expiresAt: null };
    expect(made).toMatchObject({ assets: [{ kind: 'IMAGE', ...inline }], output: { images: [inline] } });
    expect(gateway.received[0]?.body).toMatchObject({ image: byResolution.extra.image });
    expect(made?.['input']).toMatchObject({ image: expect.stringMatching(/^data:.+: 3000 bytes, sha256 /) });
    expect(made?.['raw']).toEqual({
      created,
      data: [{ b64_json: expect.stringMatching(/^base64: 3000 bytes, sha256 [\da-f]{64}$/) }],
    });
  });

  test('the media type of an inline image from its bytes', async () => {
    await using gateway = await startAnswering({
      data: [{ b64_json: 'data:image/png;base64,iVBORw0KGgo=' }],
    });
    expect(await make(gateway.app, { byCount: plainByCount })).toMatchObject({
      assets: [{ base64: 'iVBORw0KGgo=', contentType: 'image/png' }],
    });
  });

  test('images of byResolution as JPEG, unless their bytes show another type', async () => {
    await using gateway = await startAnswering({
      data: [{ b64_json: 'iVBORw0KGgo=' }, { url: 'http://x/2.png' }],
    });
    expect(await make(gateway.app, { byResolution: plainByResolution })).toMatchObject({
      output: { images: ['png', 'jpeg'].map((type) => ({ contentType: `image/${type}` })) },
    });
  });

  test('an inline image in place of an address', async () => {
    await using gateway = await startAnswering({
      created,
      data: [{ url: 'data:image/png;base64,iVBORw0KGgo=' }],
    });
    const inline = { base64: 'iVBORw0KGgo=', contentType: 'image/png', url: null, expiresAt: null };
    expect(await make(gateway.app, { byResolution: plainByResolution })).toMatchObject({
      assets: [{ kind: 'IMAGE', ...inline }],
      output: { images: [inline] },
    });
  });

  const url = 'https://x.example/a.png';
  test.each<[object, readonly object[]]>([
    [{ data: [url] }, [{ url }]],
    [{ data: [base64, url] }, [{ base64, url: null }, { url }]],
    [{ data: ['data:image/png;base64,iVBORw0KGgo='] }, [{ base64: 'iVBORw0KGgo=' }]],
    [{ data: url }, [{ url }]],
    [{ data: { url } }, [{ url }]],
    [{ images: [{ url }, url] }, [{ url }, { url }]],
    [{ data: [], images: [{ url }] }, [{ url }]],
    [{ data: { images: [{ b64_json: base64 }] } }, [{ base64 }]],
  ])('images in other places: %j', async (body, images) => {
    await using gateway = await startAnswering({ created, ...body });
    for (const input of [{ byResolution: plainByResolution }, { byCount: plainByCount }])
      expect(await make(gateway.app, input)).toMatchObject({
        status: 'SUCCEEDED',
        error: null,
        output: { images },
        assets: images,
      });
    expect(await stream(gateway.app)).toMatchObject({ __typename: 'ImageCompleted', soFar: { images } });
  });

  test('addresses that are relative to the reply', async () => {
    const addresses = ['/files/a.png?sig=1', './b.png', '../c.png', '//cdn.example/d.png'];
    await using gateway = await startAnswering({ data: [...addresses.map((at) => ({ url: at })), '/e.png'] });
    const { gatewayUrl } = gateway;
    const urls = [
      `${gatewayUrl}/files/a.png?sig=1`,
      `${gatewayUrl}/v1/images/b.png`,
      `${gatewayUrl}/v1/c.png`,
      'http://cdn.example/d.png',
      `${gatewayUrl}/e.png`,
    ];
    expect(await make(gateway.app, { byCount: plainByCount })).toMatchObject({
      status: 'SUCCEEDED',
      assets: urls.map((at) => ({ url: at })),
    });
    expect(await stream(gateway.app)).toMatchObject({ soFar: { images: urls.map((at) => ({ url: at })) } });
  });

  test.each([
    [
      'invalid addresses',
      {
        created,
        data: ['', 'not a url', 'n/a', '/', '/a b', 'javascript:alert(1)', 'ftp://x/1'].map((url) => ({
          url,
        })),
      },
    ],
    ['an empty object', {}],
    ['null members', { created: null, data: null, usage: null }],
    ['members of wrong types', { created: 'now', data: 'x', usage: [] }],
    ['an empty list', { created, data: [] }],
    [
      'items that are not images',
      { created, data: [null, 4, 'x', [], {}, { url: '' }, { url: 5, b64_json: {} }] },
    ],
    ['a list', [1]],
  ])('%s as a failure that keeps the reply', async (_name, body) => {
    await using gateway = await startAnswering(body);
    expect(await make(gateway.app, { byResolution: plainByResolution })).toMatchObject({
      __typename: 'Generation',
      status: 'FAILED',
      isTerminal: true,
      output: null,
      assets: [],
      raw: body,
      error: { code: 'GATEWAY_ERROR', message: 'The gateway replied without an image.' },
    });
  });

  test('the message of one image when all images failed', async () => {
    const error = { code: 'OutputImageSensitiveContentDetected', message: 'Refused by the content policy' };
    await using gateway = await startAnswering({ created, data: [{ error }], usage: { total_tokens: 5 } });
    expect(await make(gateway.app, { byResolution: plainByResolution })).toMatchObject({
      status: 'FAILED',
      error: { code: 'GATEWAY_ERROR', message: error.message, upstreamCode: error.code },
      usage: { totalTokens: 5 },
    });
  });

  test('the valid members of irregular images', async () => {
    const odd = {
      url: 'http://x/1',
      size: 'large',
      revised_prompt: 5,
      content_filter_results: { hate: 'no', self_harm: { filtered: 'yes', severity: 3 }, jailbreak: {} },
      prompt_filter_results: [],
      unheard: 'of',
    };
    const nothing = {
      url: 'http://x/2',
      content_filter_results: null,
      prompt_filter_results: { profanity: 1 },
    };
    await using gateway = await startAnswering({ created: 9e15, data: [odd, { error: {} }, nothing] });
    expect(await make(gateway.app, { byResolution: plainByResolution })).toMatchObject({
      status: 'SUCCEEDED',
      output: {
        createdAt: null,
        images: [
          {
            url: 'http://x/1',
            expiresAt: null,
            width: null,
            revisedPrompt: null,
            contentFilterResults: {
              hate: null,
              selfHarm: { isFiltered: null, severity: null },
              sexual: null,
            },
            promptFilterResults: null,
          },
          { url: 'http://x/2', contentFilterResults: null, promptFilterResults: { profanity: null } },
        ],
      },
    });
  });
});

describe('createImage', () => {
  test.each([
    ['a status', 400, { error: { message: 'no', code: 'bad' } }, 'GatewayError'],
    ['an error body under 200', 200, { error: { message: 'no', code: 'bad' } }, 'GatewayError'],
    ['success: false under 200', 200, { success: false, message: 'no' }, 'GatewayError'],
    ['an empty 401', 401, '', 'AuthenticationError'],
    ['a spent quota', 403, { error: { message: 'no', code: 'insufficient_quota' } }, 'QuotaError'],
    ['a rate limit', 429, { error: { message: 'no' } }, 'RateLimitError'],
  ])('refused by %s leaves no generation and releases its key', async (_name, status, body, typename) => {
    await using gateway = await startAnswering(body, status);
    expect(await make(gateway.app, { byCount: plainByCount }, 'k')).toMatchObject({
      __typename: typename,
    });
    expect(await make(gateway.app, { byCount: plainByCount }, 'k')).toMatchObject({
      __typename: typename,
    });
    expect(gateway.requests).toHaveLength(2);
  });

  test('with an unreadable reply has an unknown outcome and is not sent again', async () => {
    await using gateway = await startAnswering('<html>');
    for (let round = 0; round < 2; round += 1)
      expect(await make(gateway.app, { byResolution: plainByResolution }, 'k')).toMatchObject({
        code: 'OUTCOME_UNKNOWN',
      });
    expect(gateway.requests).toHaveLength(1);
  });

  test('with the same key returns the same generation, and different input conflicts', async () => {
    await using gateway = await startAnswering(reply);
    const first = await make(gateway.app, { byResolution: plainByResolution }, 'k');
    expect(await make(gateway.app, { byResolution: plainByResolution }, 'k')).toEqual(first);
    expect(await make(gateway.app, { byCount: plainByCount }, 'k')).toMatchObject({
      __typename: 'IdempotencyConflictError',
    });
    expect(gateway.requests).toHaveLength(1);
  });
});
