import { ApiError, GoogleGenAI } from '@google/genai';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { startSandbox } from '../support.ts';
import { drawImage } from '../tasks/support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });
const genai = new GoogleGenAI({
  apiKey: sandbox.apiKey,
  apiVersion: 'v1beta',
  httpOptions: { baseUrl: sandbox.url },
});
const model = 'gemini-2.5-flash';

describe('content by the Google Gen AI SDK', () => {
  test('is generated', async () => {
    const response = await genai.models.generateContent({ model, contents: 'Tell me about owls' });
    expect(response.text).toContain('owls');
    expect(response.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    expect(response.modelVersion).toBe(model);
  });

  test('is generated with every common option', async () => {
    const response = await genai.models.generateContent({
      model,
      contents: [{ role: 'user', parts: [{ text: 'Tell me about owls' }] }],
      config: {
        systemInstruction: 'You are Ada.',
        temperature: 0,
        topP: 0.9,
        topK: 40,
        seed: 3,
        candidateCount: 2,
        maxOutputTokens: 20,
        stopSequences: ['END'],
        thinkingConfig: { thinkingBudget: 0 },
        tools: [{ googleSearch: {} }],
      },
    });
    expect(response.candidates).toHaveLength(2);
    expect(response.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
  });

  test('sees inline data', async () => {
    const image = await drawImage({ width: 64, height: 32 });
    const data = image.slice(image.indexOf(',') + 1);
    const response = await genai.models.generateContent({
      model,
      contents: ['What is this?', { inlineData: { mimeType: 'image/png', data } }],
    });
    expect(response.text).toContain('a PNG image of 64×32 pixels');
  });

  test('has read the pages that its prompt names', async () => {
    const response = await genai.models.generateContent({
      model,
      contents: 'Summarise https://example.com/report',
      config: { tools: [{ urlContext: {} }] },
    });
    expect(response.candidates?.[0]?.urlContextMetadata?.urlMetadata).toEqual([
      { retrievedUrl: 'https://example.com/report', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
    ]);
  });

  test('can be an image', async () => {
    const response = await genai.models.generateContent({
      model: 'gemini-2.5-flash-image',
      contents: 'Draw a fox',
    });
    const parts = response.candidates?.[0]?.content?.parts ?? [];
    const bytes = Buffer.from(parts.at(-1)?.inlineData?.data ?? '', 'base64');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1024 });
  });

  test('is a conversation', async () => {
    const chat = genai.chats.create({ model });
    await chat.sendMessage({ message: 'My name is Ada.' });
    const response = await chat.sendMessage({ message: 'What is my name?' });
    expect(response.text).toContain('Ada');
  });

  test('reports that it is blocked', async () => {
    const response = await genai.models.generateContent({ model, contents: 'fault:blocked' });
    expect(response.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
    expect(response.text).toBeUndefined();
  });

  test('fails with its status if refused', async () => {
    const failure = genai.models.generateContent({ model: 'unknown-model', contents: 'Hi' });
    const error: unknown = await failure.catch((cause: unknown) => cause);
    if (!(error instanceof ApiError)) throw new Error('Expected an ApiError');
    expect(error.status).toBe(503);
  });
});
