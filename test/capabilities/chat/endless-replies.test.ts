import { expect, test } from 'vitest';
import { ask, findGeneration, type GenerationView, made, startChat, type Text } from '../../support/chats.ts';
import { longestPieceMs } from '../../support/longest-piece.ts';
import { chunk, type Exchange, startScripted } from '../../support/scripted-gateway.ts';

/** Sends events until the server leaves. Fails after more characters than any stream may have. */
async function sendEndlessly(exchange: Exchange, next: (count: number) => object): Promise<void> {
  let isClosed = false;
  void exchange.closed.then(() => {
    isClosed = true;
  });
  let sent = 0;
  for (let count = 0; !isClosed && sent < 200_000_000;) {
    let events = '';
    for (; events.length < 200_000; count += 1) events += `data: ${JSON.stringify(next(count))}\n\n`;
    exchange.write(events);
    sent += events.length;
    // One read of the server at a time, as from a gateway elsewhere.
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(isClosed).toBe(true);
}

type Recorded = Pick<GenerationView, 'error' | 'output'>;

const recordQuery = /* GraphQL */ `
  query ($id: ID!) {
    generation(by: { id: $id }) {
      error {
        code
        message
      }
      output {
        ... on ChatCompletion {
          choices {
            message {
              content
              reasoningContent
              toolCalls {
                arguments
              }
            }
          }
        }
      }
    }
  }
`;

const million = 1024 * 1024;

/** What the gateway sends endlessly, the message of the error, and the least that is kept. */
test.each<[string, (count: number) => object, string, (message: Text) => number, number]>([
  [
    'text',
    () => chunk({ content: '漢字'.repeat(5000) }),
    '8388608 characters',
    ({ content }) => content?.length ?? 0,
    8 * million,
  ],
  [
    'reasoning',
    () => chunk({ reasoning_content: 'x'.repeat(10_000) }),
    '8388608 characters',
    ({ reasoningContent }) => reasoningContent?.length ?? 0,
    8 * million,
  ],
  [
    'arguments of one tool call',
    () =>
      chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: 'x'.repeat(10_000) } }] }),
    '8388608 characters',
    ({ toolCalls }) => toolCalls?.[0]?.arguments?.length ?? 0,
    8 * million - 10_000,
  ],
  [
    'tool calls',
    (count) =>
      chunk({ tool_calls: [{ index: 0, id: `c${count}`, function: { name: 'f', arguments: '{}' } }] }),
    '8388608 characters',
    ({ toolCalls }) => toolCalls?.length ?? 0,
    1000,
  ],
])(
  'an endless stream of %s is stopped, and what arrived is kept',
  async (_name, next, limit, sizeOf, least) => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    let id = '';
    let requests = 0;
    const pieceMs = await longestPieceMs(async () => {
      const starting = startChat(app, { input: ask('Hello') });
      const exchange = await gateway.exchange(requests);
      requests += 1;
      exchange.accept();
      ({ id } = made(await starting));
      await sendEndlessly(exchange, next);
      // Without its text: the test's own reading would count.
      const status = 'query ($id: ID!) { generation(by: { id: $id }) { status } }';
      await expect
        .poll(async () => (await app.run(status, { id })).data)
        .toEqual({ generation: { status: 'FAILED' } });
    }, 300);
    expect(pieceMs).toBeLessThan(300);
    const { data } = await app.run<{ readonly generation: Recorded }, object>(recordQuery, { id });
    const recorded = data?.generation;
    expect(recorded?.error).toMatchObject({ code: 'GATEWAY_ERROR', message: expect.stringContaining(limit) });
    const message = recorded?.output?.choices[0]?.message;
    expect(message && sizeOf(message)).toBeGreaterThanOrEqual(least);
  },
);

test('endless members without a field are dropped after 8 million characters', async () => {
  await using scripted = await startScripted();
  const { app, gateway } = scripted;
  const starting = startChat(app, { input: ask('Hello') });
  const exchange = await gateway.exchange(0);
  exchange.accept();
  const { id } = made(await starting);
  for (let count = 0; count < 30; count += 1)
    exchange.send(chunk({ content: 'a', notes: ['n'.repeat(500_000)] }));
  for (let count = 0; count < 30_000; count += 1000)
    exchange.send(...Array.from({ length: 1000 }, (_, name) => ({ choices: [], [`k${count + name}`]: 1 })));
  exchange.send('[DONE]');
  await expect.poll(async () => (await findGeneration(app, id))?.status).toBe('SUCCEEDED');
  const recorded = await findGeneration(app, id);
  expect(recorded?.output?.choices[0]?.message.content).toBe('a'.repeat(30));
  const raw = recorded?.raw as { choices: [{ message: { notes: readonly string[] } }] };
  expect(raw.choices[0].message.notes).toHaveLength(16);
  expect(Object.keys(raw).length).toBeLessThan(1000);
});
