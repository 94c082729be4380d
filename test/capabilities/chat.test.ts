import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ChatDocument, CreateChatCompletionDocument } from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';

const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Hello, who are you?' } }],
  seed: 7,
} as const;

describe('a chat', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('reads the same streamed as in one piece', async () => {
    const whole = await app.run(CreateChatCompletionDocument, { input: hello });
    const events = await collect(subscribe(app.wsClient(), ChatDocument, { input: hello }));
    const last = events.at(-1)?.data?.chat;
    expect(last?.__typename).toBe('ChatCompleted');
    const generation = whole.data?.createChatCompletion;
    if (generation?.__typename !== 'Generation') throw new Error(JSON.stringify(whole));
    expect(generation.output?.choices[0]?.message.content).toBe(last?.soFar.choices[0]?.message.content);
  });
});
