import { describe, expect, test } from 'vitest';
import { startAnswering } from '../../support/answering-gateway.ts';
import { base64, make, plain, reply } from '../../support/content.ts';

const fullReply = {
  candidates: [
    {
      index: 0,
      content: {
        role: 'model',
        parts: [
          { text: 'Let me see.', thought: true },
          { text: 'A page ' },
          { inlineData: { mimeType: 'image/png', data: base64 } },
          { text: 'about foxes.' },
          { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
          { functionCall: { name: 'f' } },
        ],
      },
      finishReason: 'STOP',
      finishMessage: 'Done.',
      urlContextMetadata: {
        urlMetadata: [{ retrievedUrl: 'https://x/', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' }],
      },
      groundingMetadata: { webSearchQueries: ['fox'] },
      safetyRatings: [{ category: 'C', probability: 'LOW' }],
    },
    { index: 1, finishReason: 'SAFETY' },
  ],
  promptFeedback: { safetyRatings: [] },
  usageMetadata: {
    promptTokenCount: 10,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 5,
    cachedContentTokenCount: 4,
    totalTokenCount: 35,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: 10 }],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 20 }],
  },
  modelVersion: 'v2',
  responseId: 'r1',
};

/** The same reply with the member names of requests. */
function toSnakeCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSnakeCase);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      name === 'groundingMetadata' ? member : toSnakeCase(member),
    ]),
  );
}

describe('generateContent decodes', () => {
  test.each([
    ['camelCase', fullReply],
    ['snake_case', toSnakeCase(fullReply)],
  ])('every member of a reply in %s', async (_spelling, body) => {
    await using gateway = await startAnswering(body);
    const made = await make(gateway.app, plain);
    const [first] = fullReply.candidates;
    const picture = { kind: 'IMAGE', contentType: 'image/png', base64 };
    const text = (words: string) => ({ text: words, isThought: null, inlineData: null, asset: null });
    expect(made?.['output']).toEqual({
      __typename: 'ContentResponse',
      text: 'A page about foxes.',
      modelVersion: 'v2',
      responseId: 'r1',
      candidates: [
        {
          ...first,
          content: {
            role: 'model',
            parts: [
              { ...text('Let me see.'), isThought: true },
              text('A page '),
              {
                text: null,
                isThought: null,
                inlineData: { mimeType: 'image/png', data: base64 },
                asset: picture,
              },
              text('about foxes.'),
              {
                text: null,
                isThought: null,
                inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' },
                asset: null,
              },
              { text: null, isThought: null, inlineData: null, asset: null },
            ],
          },
        },
        {
          index: 1,
          content: null,
          finishReason: 'SAFETY',
          finishMessage: null,
          urlContextMetadata: null,
          groundingMetadata: null,
          safetyRatings: null,
        },
      ],
      promptFeedback: { blockReason: null, blockReasonMessage: null, safetyRatings: [] },
    });
    expect(made?.['assets']).toEqual([{ ...picture, url: null }]);
    expect(made?.['usage']).toMatchObject({
      promptTokens: 10,
      outputTokens: 20,
      reasoningTokens: 5,
      completionTokens: 25,
      cachedTokens: 4,
      totalTokens: 35,
    });
    expect(JSON.stringify(made?.['raw'])).toContain('base64: 3000 bytes, sha256 ');
    expect(JSON.stringify(made?.['raw'])).not.toContain(base64);
  });

  test('a blocked prompt as a failure with its reason', async () => {
    const promptFeedback = { blockReason: 'PROHIBITED_CONTENT', blockReasonMessage: 'Not this.' };
    await using gateway = await startAnswering({ promptFeedback, usageMetadata: { promptTokenCount: 3 } });
    expect(await make(gateway.app, plain)).toMatchObject({
      status: 'FAILED',
      isTerminal: true,
      error: {
        code: 'GATEWAY_ERROR',
        upstreamCode: 'PROHIBITED_CONTENT',
        message: 'The prompt was blocked (PROHIBITED_CONTENT). Not this.',
      },
      output: { text: null, candidates: [], promptFeedback },
      usage: { promptTokens: 3, completionTokens: null },
      raw: { promptFeedback },
    });
  });

  test.each([
    ['an empty object', {}],
    ['null members', { candidates: null, promptFeedback: null, usageMetadata: null, modelVersion: null }],
    ['members of wrong types', { candidates: { text: 'x' }, promptFeedback: 5, usageMetadata: 'none' }],
    ['candidates that are none', { candidates: [null, 'x', 4, []] }],
    ['a list', [reply]],
  ])('%s as a failure that keeps the reply', async (_name, body) => {
    await using gateway = await startAnswering(body);
    expect(await make(gateway.app, plain)).toMatchObject({
      status: 'FAILED',
      output: null,
      usage: null,
      raw: body,
      error: {
        code: 'GATEWAY_ERROR',
        message: 'The gateway replied without a candidate.',
        upstreamCode: null,
      },
    });
  });

  test('the valid members of irregular candidates', async () => {
    const parts = [
      null,
      'x',
      { text: 5, thought: 'yes' },
      { inlineData: { mimeType: 4, data: 'AAAA' } },
      { inlineData: { mimeType: 'constructor/x', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/png' } },
      { inlineData: 'AAAA' },
    ];
    await using gateway = await startAnswering({
      candidates: [
        {
          content: { role: 1, parts },
          finishReason: {},
          urlContextMetadata: { urlMetadata: [3, {}, { retrievedUrl: 'javascript:alert(1)' }] },
        },
        null,
        { content: 'x', urlContextMetadata: [] },
      ],
      usageMetadata: { promptTokenCount: 'three', totalTokenCount: 1.5, thoughtsTokenCount: 2 },
    });
    const nothing = { text: null, isThought: null, inlineData: null, asset: null };
    const part = (mimeType: string | null) => ({ ...nothing, inlineData: { mimeType, data: 'AAAA' } });
    expect(await make(gateway.app, plain)).toMatchObject({
      status: 'SUCCEEDED',
      assets: [],
      output: {
        text: null,
        candidates: [
          {
            index: 0,
            finishReason: null,
            content: { role: null, parts: [nothing, part(null), part('constructor/x'), nothing, nothing] },
            urlContextMetadata: {
              urlMetadata: [
                { retrievedUrl: null, urlRetrievalStatus: null },
                { retrievedUrl: null, urlRetrievalStatus: null },
              ],
            },
          },
          { index: 2, content: null, urlContextMetadata: null },
        ],
      },
      usage: { promptTokens: null, totalTokens: null, outputTokens: null, completionTokens: 2 },
    });
  });
});

test('a file has the same index in its part and among the assets', async () => {
  const file = { inlineData: { mimeType: 'image/png', data: base64 } };
  const pdf = { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } };
  await using gateway = await startAnswering({
    candidates: [
      { content: { parts: [file, { text: 'and' }, pdf, file] } },
      { finishReason: 'SAFETY' },
      { content: { parts: [file] } },
    ],
  });
  const { data } = await gateway.app.run<{ made: unknown }, object>(
    `mutation ($input: GenerateContentInput!) { made: generateContent(input: $input) { ... on Generation {
      assets { index }
      output { ... on ContentResponse { candidates { content { parts { asset { index } } } } } }
    } } }`,
    { input: plain },
  );
  const parts = (...indexes: (number | null)[]) => ({
    content: { parts: indexes.map((index) => ({ asset: index === null ? null : { index } })) },
  });
  expect(data?.made).toEqual({
    assets: [{ index: 0 }, { index: 1 }, { index: 2 }],
    output: { candidates: [parts(0, null, null, 1), { content: null }, parts(2)] },
  });
});
