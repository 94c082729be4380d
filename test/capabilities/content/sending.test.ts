import { describe, expect, test } from 'vitest';
import type { GenerateContentInput } from '../../../src/client/documents.generated.ts';
import { startAnswering } from '../../support/answering-gateway.ts';
import { startApp } from '../../support/app.ts';
import { base64, everything, make, plain, reply } from '../../support/content.ts';
import { startFakeGateway } from '../../support/fake-gateway.ts';

describe('generateContent sends', () => {
  test('a minimal request, with the key only as a query parameter', async () => {
    await using gateway = await startAnswering(reply);
    expect(await make(gateway.app, plain)).toMatchObject({
      kind: 'CONTENT',
      status: 'SUCCEEDED',
      model: 'gemini-2.5-flash',
      prompt: 'Hello',
      isTerminal: true,
      task: null,
      error: null,
      input: { contents: [{ parts: [{ text: 'Hello' }] }] },
    });
    expect(gateway.requests).toEqual(['POST /v1beta/models/gemini-2.5-flash:generateContent?key=sk-sandbox']);
    expect(gateway.received[0]?.headers).not.toHaveProperty('authorization');
    expect(gateway.received[0]?.body).toEqual({ contents: [{ parts: [{ text: 'Hello' }] }] });
  });

  test('every member under its wire name with unchanged files, and records only their size and hash', async () => {
    await using gateway = await startAnswering(reply);
    const made = await make(gateway.app, {
      model: 'a+b:c@1%2F',
      contents: [
        { role: 'user', parts: [{ text: 'Draw' }, { inlineData: { mimeType: 'image/png', data: base64 } }] },
        { role: 'model', parts: [{ text: 'Done' }] },
      ],
      urlContext: true,
      extra: { generationConfig: { temperature: 0 }, safetySettings: [] },
    });
    const rest = {
      tools: [{ urlContext: {} }],
      generationConfig: { temperature: 0 },
      safetySettings: [],
    };
    const done = { role: 'model', parts: [{ text: 'Done' }] };
    const drawing = (data: unknown) => ({
      role: 'user',
      parts: [{ text: 'Draw' }, { inline_data: { mime_type: 'image/png', data } }],
    });
    expect(gateway.requests).toEqual([
      'POST /v1beta/models/a%2Bb%3Ac%401%252F:generateContent?key=sk-sandbox',
    ]);
    expect(gateway.received[0]?.body).toEqual({ ...rest, contents: [drawing(base64), done] });
    const described: unknown = expect.stringMatching(/^base64: 3000 bytes, sha256 [\da-f]{64}$/);
    expect(made?.['input']).toEqual({ ...rest, contents: [drawing(described), done] });
    expect(made?.['prompt']).toBe('Draw');
  });

  test.each([
    ['no tools without URL context', { ...plain, urlContext: false }, undefined],
    ['tools of extra', { ...plain, extra: { tools: [{ googleSearch: {} }] } }, [{ googleSearch: {} }]],
    ['tools in extra with the URL context off', { ...plain, urlContext: false, extra: { tools: [] } }, []],
  ] satisfies [string, GenerateContentInput, unknown][])('%s', async (_name, input, tools) => {
    await using gateway = await startAnswering(reply);
    expect(await make(gateway.app, input)).toMatchObject({ __typename: 'Generation' });
    expect(gateway.received[0]?.body).toEqual({ contents: plain.contents, ...(tools && { tools }) });
  });
});

describe('generateContent', () => {
  test.each([
    [
      'an error body with status 200',
      200,
      { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } },
      'GatewayError',
    ],
    [
      'a bad key',
      403,
      { error: { code: 403, message: 'bad key', status: 'PERMISSION_DENIED' } },
      'AuthenticationError',
    ],
    ['a rate limit', 429, { error: { code: 429, message: 'slow down' } }, 'RateLimitError'],
  ])('refused by %s leaves no generation and releases its key', async (_name, status, body, typename) => {
    await using gateway = await startAnswering(body, status);
    expect(await make(gateway.app, plain, 'k')).toMatchObject({ __typename: typename });
    expect(await make(gateway.app, plain, 'k')).toMatchObject({ __typename: typename });
    expect(gateway.requests).toHaveLength(2);
  });

  test('with the same key returns the same generation; another model is a conflict', async () => {
    await using gateway = await startAnswering(reply);
    const first = await make(gateway.app, plain, 'k');
    expect(await make(gateway.app, plain, 'k')).toEqual(first);
    expect(await make(gateway.app, { ...plain, model: 'other' }, 'k')).toMatchObject({
      __typename: 'IdempotencyConflictError',
    });
    expect(gateway.requests).toHaveLength(1);
  });

  test('never shows the key from its URL', async () => {
    const secret = 'sk-a/b+c';
    const lines: object[] = [];
    const gateway = await startFakeGateway((request, response) => {
      if (gateway.requests.length > 1) return void response.destroy();
      response.writeHead(400, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { message: `bad request: ${request.url}` } }));
    });
    await using app = await startApp({ gatewayUrl: gateway.url, onLog: (line) => lines.push(line) });
    const caller = { headers: { authorization: `Bearer ${secret}` } };
    const answers = [
      await app.run(everything, { input: plain }, caller),
      await app.run(everything, { input: plain }, caller),
    ];
    expect(gateway.requests).toHaveLength(2);
    const reported = JSON.stringify([answers, lines]);
    expect(reported).toContain('OUTCOME_UNKNOWN');
    expect(reported).not.toMatch(/sk-a/);
  });
});
