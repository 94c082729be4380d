import { describe, expect, test } from 'vitest';
import { createKey, readError, startSandbox } from '../support.ts';
import { drawImage } from '../tasks/support.ts';
import { createContentClient, say, toInlineData } from './support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const { post } = createContentClient(sandbox);
const image = toInlineData(await drawImage({ width: 4, height: 3 }));
const { mime_type: mimeType, data } = image.inline_data;

describe('the credential', () => {
  test('is the key in the query', async () => {
    expect((await post('Hi', { query: `?key=${sandbox.apiKey}` })).status).toBe(200);
    const unknown = await readError(await post('Hi', { query: '?key=sk-unknown' }));
    expect(unknown).toMatchObject({ status: 401, code: 'invalid_api_key', message: 'key: unknown API key' });
  });

  test('may be in the header that SDKs send', async () => {
    const headers = { 'x-goog-api-key': sandbox.apiKey };
    expect((await post('Hi', { query: '', headers })).status).toBe(200);
    expect((await post('Hi', { query: '?key=sk-unknown', headers })).status).toBe(401);
  });

  test.each<[string, Record<string, string>]>([
    ['', {}],
    ['?key=', {}],
    ['', { authorization: `Bearer ${sandbox.apiKey}` }],
    ['', { 'api-key': sandbox.apiKey }],
  ])('is missing with query "%s" and headers %j', async (query, headers) => {
    expect(await readError(await post('Hi', { query, headers }))).toMatchObject({
      status: 401,
      code: 'missing_credential',
    });
  });

  test('has the limits of its token', async () => {
    const key = await createKey(sandbox, { model_limits_enabled: true, model_limits: 'gemini-3-pro' });
    const limited = createContentClient(sandbox, key);
    expect((await limited.post('Hi', { model: 'gemini-3-pro' })).status).toBe(200);
    expect(await readError(await limited.post('Hi'))).toMatchObject({ code: 'model_not_allowed' });
    const poor = createContentClient(sandbox, await createKey(sandbox, { remain_quota: 0 }));
    expect(await readError(await poor.post('Hi'))).toMatchObject({ code: 'insufficient_user_quota' });
    expect((await post('Hi', { model: 'unknown-model' })).status).toBe(503);
  });

  test('is checked before the body', async () => {
    expect((await post({ contents: 5 }, { query: '' })).status).toBe(401);
  });
});

describe('the address', () => {
  test.each(['gemini-2.5-flash', 'gemini-1.5-pro-002', 'tuned:model'])('accepts model %s', async (model) => {
    expect((await post('Hi', { model })).status).toBe(200);
  });

  test('accepts one key and no other parameter', async () => {
    const key = `key=${sandbox.apiKey}`;
    expect((await readError(await post('Hi', { query: `?${key}&${key}` }))).status).toBe(400);
    expect((await readError(await post('Hi', { query: `?${key}&alt=sse` }))).message).toBe(
      'alt: unknown query parameter',
    );
  });

  test('has one method and one verb', async () => {
    const address = `${sandbox.url}/v1beta/models/gemini`;
    expect((await fetch(`${address}:generateContent`)).status).toBe(405);
    const send = { method: 'POST', body: '{}' };
    expect((await fetch(`${address}:streamGenerateContent`, send)).status).toBe(404);
    expect((await fetch(address, send)).status).toBe(404);
  });
});

describe('the body', () => {
  test.each<[string, object]>([
    ['a text', say('Hi')],
    ['no role', { contents: [{ parts: [{ text: 'Hi' }] }] }],
    ['an empty text', say('')],
    ['inline data', say('What is this?', image)],
    ['inline data as SDKs spell it', say({ inlineData: { mimeType, data } })],
    ['inline data in both alphabets', say({ inline_data: { mime_type: 'text/plain', data: 'A-_/+AA=' } })],
    ['inline data of another type', say({ inline_data: { mime_type: 'application/pdf', data: 'JVBERi0=' } })],
    ['URL context', { ...say('Hi'), tools: [{ urlContext: {} }] }],
    ['URL context in the other spelling', { ...say('Hi'), tools: [{ url_context: {} }] }],
    [
      'what SDKs send besides',
      {
        contents: [
          ...say('Hi').contents,
          {
            role: 'model',
            parts: [
              { text: 'Hm', thought: true },
              { text: 'Hello', thoughtSignature: 'x' },
            ],
          },
          { role: 'user', parts: [{ fileData: { fileUri: 'https://example.com/a' } }, { text: 'And?' }] },
        ],
        systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
        generationConfig: {
          temperature: 2,
          topP: 1,
          topK: 40,
          candidateCount: 2,
          maxOutputTokens: 100,
          stopSequences: ['END'],
          seed: 7,
          responseModalities: ['TEXT'],
          thinkingConfig: { includeThoughts: false },
          mediaResolution: 'MEDIA_RESOLUTION_LOW',
        },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
        toolConfig: { functionCallingConfig: { mode: 'NONE' } },
        tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'f', description: 'd' }] }],
      },
    ],
  ])('may have %s', async (_name, request) => {
    expect((await post(request)).status).toBe(200);
  });

  test.each<[string, object]>([
    ['contents', {}],
    ['contents', { contents: [] }],
    ['contents', { contents: 'Hi' }],
    ['contents[0].parts', { contents: [{ role: 'user' }] }],
    ['contents[0].parts', { contents: [{ parts: [] }] }],
    ['contents[0].role', { contents: [{ role: 5, parts: [{ text: 'Hi' }] }] }],
    ['contents[0].name', { contents: [{ name: 'x', parts: [{ text: 'Hi' }] }] }],
    ['contents[0].parts[0]', say({})],
    ['contents[0].parts[0]', say({ text: 'Hi', ...image })],
    ['contents[0].parts[0].text', say({ text: 5 })],
    ['contents[0].parts[0].txt', say({ txt: 'Hi' })],
    ['contents[0].parts[0].inline_data.data', say({ inline_data: { mime_type: mimeType } })],
    ['contents[0].parts[0].inline_data.mime_type', say({ inline_data: { data } })],
    ['contents[0].parts[0].inline_data.mimeType', say({ inline_data: { mimeType, data } })],
    ['contents[0].parts[0].inlineData.mime_type', say({ inlineData: { mime_type: mimeType, data } })],
    ['contents[0].parts[0].inline_data.data', say({ inline_data: { mime_type: mimeType, data: '***' } })],
    ['contents[0].parts[0].inline_data.data', say({ inline_data: { mime_type: mimeType, data: '' } })],
    ['contents[0].parts[0].inline_data.data', say({ inline_data: { mime_type: mimeType, data: 'AAAAA' } })],
    [
      'contents[0].parts[1].inline_data.data',
      say('Hi', { inline_data: { mime_type: mimeType, data: 'AAAA' } }),
    ],
    ['tools', { ...say('Hi'), tools: { urlContext: {} } }],
    ['tools[0].urlContext.urls', { ...say('Hi'), tools: [{ urlContext: { urls: [] } }] }],
    ['tools[0].urlContext', { ...say('Hi'), tools: [{ urlContext: true }] }],
    ['tools[0].urlcontext', { ...say('Hi'), tools: [{ urlcontext: {} }] }],
    ['tools[0].functionDeclarations[0].name', { ...say('Hi'), tools: [{ functionDeclarations: [{}] }] }],
    ['generationConfig.temperature', { ...say('Hi'), generationConfig: { temperature: 2.1 } }],
    ['generationConfig.candidateCount', { ...say('Hi'), generationConfig: { candidateCount: 0 } }],
    ['generationConfig.maxOutputTokens', { ...say('Hi'), generationConfig: { maxOutputTokens: '9' } }],
    ['safetySettings', { ...say('Hi'), safetySettings: {} }],
    ['messages', { ...say('Hi'), messages: [] }],
    ['model', { ...say('Hi'), model: 'gemini' }],
  ])('is refused for %s', async (member, request) => {
    const error = await readError(await post(request));
    expect(error).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(error.message).toContain(`${member}:`);
  });

  test.each([undefined, 'text/plain'])('is refused with Content-Type %s', async (type) => {
    const response = await fetch(
      `${sandbox.url}/v1beta/models/gemini:generateContent?key=${sandbox.apiKey}`,
      {
        method: 'POST',
        body: new TextEncoder().encode(JSON.stringify(say('Hi'))),
        ...(type !== undefined && { headers: { 'content-type': type } }),
      },
    );
    expect((await readError(response)).message).toBe('Content-Type: must be application/json');
  });
});
