import { describe, expect, test } from 'vitest';
import { createKey, readError, startSandbox } from '../support.ts';
import { createContentClient } from './support.ts';

const sandbox = await startSandbox({ taskSeconds: 0 });

async function ask(word: string): Promise<{ response: Response; paid: number | undefined }> {
  const key = await createKey(sandbox, { remain_quota: 10_000 });
  const response = await createContentClient(sandbox, key).post(`Tell me about owls fault:${word}`);
  return { response, paid: sandbox.findToken(key)?.usedQuota };
}

describe('a fault in place of a reply', () => {
  test.each([
    ['refused', 400],
    ['rate-limit', 429],
    ['empty-401', 401],
    ['html-502', 502],
  ])('fault:%s is %i and costs nothing', async (word, status) => {
    const { response, paid } = await ask(word);
    expect([response.status, paid]).toEqual([status, 0]);
  });

  test('fault:refused names the content policy', async () => {
    expect(await readError((await ask('refused')).response)).toMatchObject({
      code: 'content_policy_violation',
    });
  });

  test('fault:rate-limit says when to try again', async () => {
    expect((await ask('rate-limit')).response.headers.get('retry-after')).toBe('2');
  });

  test('fault:cut loses the reply and debits the quota', async () => {
    const key = await createKey(sandbox, { remain_quota: 10_000 });
    await expect(createContentClient(sandbox, key).post('fault:cut')).rejects.toThrow('fetch failed');
    expect(sandbox.findToken(key)?.usedQuota).toBeGreaterThan(0);
  });

  test('fault:slow answers after three seconds', async () => {
    const startedAt = performance.now();
    expect((await ask('slow')).response.status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(2900);
  });

  test('fault:blocked is 200 without a candidate, and costs nothing', async () => {
    const { response, paid } = await ask('blocked');
    expect(paid).toBe(0);
    expect([response.status, await response.json()]).toEqual([
      200,
      {
        promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
        usageMetadata: { promptTokenCount: expect.any(Number), totalTokenCount: expect.any(Number) },
        modelVersion: 'gemini-2.5-flash',
        responseId: expect.any(String),
      },
    ]);
  });

  test('affects only the last content: the conversation can continue after it', async () => {
    const contents = ['fault:refused', 'Hm', 'Go on'].map((text, index) => ({
      role: index === 1 ? 'model' : 'user',
      parts: [{ text }],
    }));
    expect((await createContentClient(sandbox).post({ contents })).status).toBe(200);
  });
});
