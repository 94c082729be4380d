import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Redactor } from '../../src/gateway/redact.ts';
import { largeChars, pieceChars } from '../../src/lib/json-size.ts';
import { nameOf } from '../capabilities/members/request-members.ts';
import { requests } from '../capabilities/members/requests.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { ask, type ChatEvent, made, createChatCompletion, streamChat, toEnd } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { addEmptyTables } from '../support/empty-tables.ts';
import { sendEvents, sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { foldedText } from '../support/fold-chat.ts';
import { postJson } from '../support/http.ts';
import { makesGeneration } from '../support/every-create.ts';
import { findRootField, operationOf } from '../support/request-members.ts';
import { chunk, words } from '../support/scripted-gateway.ts';

// Contains characters that JSON and URLs escape.
const secret = 'sk-ec"ho/9876543210';
const headers = { authorization: `Bearer ${secret}`, 'new-api-user': '1' };
const plainPart = '9876543210';

/** A reply that every family accepts and that echoes the credential in several encodings. */
const echo = {
  id: 'w-1',
  task_id: 'w-1',
  request_id: 'w-1',
  status: 'pending',
  logs: `authorized by Bearer ${secret}`,
  request: { prompt: 'p', authorization: secret },
  input: { key: secret },
  [secret]: { [`x-${secret}`]: [secret, { deep: secret }] },
  address: `https://x.test/a?key=${encodeURIComponent(secret)}&b=${new URLSearchParams({ secret }).toString()}`,
  embedded: JSON.stringify({ headers: JSON.stringify({ authorization: secret }) }),
  urls: { web: `https://x.test/w?key=${encodeURIComponent(secret).toLowerCase()}` },
  data: [{ url: `https://x.test/1.png?key=${encodeURIComponent(secret)}`, revised_prompt: secret }],
  choices: [{ index: 0, message: { role: 'assistant', content: `You use ${secret}.` } }],
  candidates: [{ content: { parts: [{ text: `You use ${secret}.` }] } }],
  Resp: { video_id: 1 },
};

/** Escapes every character of every string. */
function escapeAll(json: string): string {
  return json.replaceAll(plainPart, (text) =>
    Array.from(text, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join(''),
  );
}

const everything = /* GraphQL */ `
  {
    generations {
      edges {
        node {
          id
          raw
          error {
            message
          }
          assets {
            url
          }
          task {
            id
            raw
            request
            logs
            links {
              web
            }
          }
        }
      }
    }
  }
`;

interface Recorded extends AsyncDisposable {
  readonly app: TestApp;
  /** Everything that a client, the log and the database contain. */
  readAll(): Promise<string>;
}

async function startRecorded(gatewayUrl: string): Promise<Recorded> {
  const log: string[] = [];
  const directory = await createDirectory();
  await addEmptyTables(directory);
  const app = await startApp({
    gatewayUrl,
    env: { DATA_DIR: directory },
    onLog: (line) => void log.push(JSON.stringify(line)),
  });
  return {
    app,
    async readAll() {
      const { text } = await postJson(app.url, { query: everything }, headers);
      expect(text).toContain('"data"');
      const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
      expect(files.join()).toContain('CREATE TABLE');
      return [text, ...log, ...files].join('\n');
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

const creates = requests.filter(({ field }) => findRootField(field)?.kind === 'mutation');

describe('a credential that the gateway echoes in a successful reply', () => {
  test.each(
    creates.flatMap((request) => [
      [nameOf(request), request, JSON.stringify(echo)] as const,
      [`${nameOf(request)}, fully escaped`, request, escapeAll(JSON.stringify(echo))] as const,
    ]),
  )('is redacted: %s', async (_name, { field, calls }, body) => {
    const gateway = await startFakeGateway((_request, response) => sendJson(response, body));
    await using recorded = await startRecorded(gateway.url);
    const root = findRootField(field);
    const [variables = {}] = calls;
    if (!root) throw new Error('no such field');
    const { text } = await postJson(
      recorded.app.url,
      { query: operationOf(root, variables), variables },
      headers,
    );
    expect(text).not.toContain('"errors"');
    expect(gateway.requests).toHaveLength(1);
    const all = await recorded.readAll();
    expect(all.includes('[credential]')).toBe(makesGeneration(field));
    expect(text + all).not.toContain(plainPart);
  });

  test('is redacted in the reply of a task that is read later', async () => {
    const gateway = await startFakeGateway((request, response) => {
      const body = request.method === 'POST' ? { request_id: 'q-1', status: 'IN_QUEUE' } : echo;
      sendJson(response, body);
    });
    await using recorded = await startRecorded(gateway.url);
    await postJson(
      recorded.app.url,
      { query: 'mutation { queueImage(input: {prompt: "p"}) { __typename } }' },
      headers,
    );
    const all = await recorded.readAll();
    expect(gateway.requests).toHaveLength(2);
    expect(all).toContain('[credential]');
    expect(all).not.toContain(plainPart);
  });

  test('is redacted in an event of a stream, also in the text', async () => {
    const gateway = await startFakeGateway((_request, response) =>
      sendEvents(response, [
        { ...chunk({ role: 'assistant', content: `Your key is ${secret}.` }), note: secret },
        chunk({}, 'stop'),
        '[DONE]',
      ]),
    );
    await using recorded = await startRecorded(gateway.url);
    const client = recorded.app.wsClient({ connectionParams: headers });
    const events = await toEnd(streamChat(client, { input: ask('Hello') }));
    expect(foldedText(events)).toBe('Your key is [credential].');
    expect(JSON.stringify(events) + (await recorded.readAll())).not.toContain(plainPart);
  });

  test('is removed from the record of a stream that splits it', async () => {
    const gateway = await startFakeGateway((_request, response) =>
      sendEvents(response, [...words('It is ', secret.slice(0, 12), secret.slice(12), '.'), '[DONE]']),
    );
    await using recorded = await startRecorded(gateway.url);
    const client = recorded.app.wsClient({ connectionParams: headers });
    const events: readonly ChatEvent[] = await toEnd(streamChat(client, { input: ask('Hello') }));
    const end = events.at(-1);
    if (end?.__typename !== 'ChatCompleted') throw new Error(end?.__typename);
    expect(end.ended.output?.choices[0]?.message.content).toBe('It is [credential].');
    expect(end.ended.raw).toMatchObject({ choices: [{ message: { content: 'It is [credential].' } }] });
    expect(await recorded.readAll()).not.toContain(plainPart);
  });

  test('is kept if it has fewer than 8 characters, because words could contain it', async () => {
    const gateway = await startFakeGateway((_request, response) =>
      sendJson(response, { choices: [{ message: { content: 'A tenable position.' } }] }),
    );
    await using recorded = await startRecorded(gateway.url);
    const created = made(
      await createChatCompletion(recorded.app, { input: ask('Hello') }, { authorization: 'Bearer tenable' }),
    );
    expect(created.output?.choices[0]?.message.content).toBe('A tenable position.');
  });
});

describe('a redactor', () => {
  const redactor = new Redactor(secret);

  test('returns a value without the credential as it is', () => {
    const value = { a: [{ b: 'sk-echo', n: 1n, c: null }], size: 5 };
    expect(redactor.value(value)).toBe(value);
  });

  test('leaves words alone that equal a part of the credential', () => {
    const short = new Redactor('sk-bench1');
    expect(short.mayChange('{"id":"chatcmpl-bench1"}')).toBe(false);
    expect(short.parse('{"id":"chatcmpl-bench1","text":"ask bench1"}')).toEqual({
      id: 'chatcmpl-bench1',
      text: 'ask bench1',
    });
    for (const spelling of ['sk-bench1', 'sk%2Dbench1', String.raw`sk\\u002dbench1`])
      expect(short.parse(`{"text":"${spelling}"}`)).toEqual({ text: '[credential]' });
  });

  test('parses a large reply without the credential', () => {
    const text = JSON.stringify({
      data: Array.from({ length: 100 }, () => ({ b64_json: 'A'.repeat(100_000) })),
    });
    const value = redactor.parse(text);
    expect(value).toEqual(JSON.parse(text));
  });

  test.each([0, 1, 5, 10, 15])('finds the credential on the border of two pieces (%i)', async (shift) => {
    const credential = 'sk-1234567890abcdef';
    const head = '{"text":"';
    const text = `${head}${'x'.repeat(pieceChars - head.length - shift)}${credential}${'y'.repeat(largeChars)}"}`;
    const value = await new Redactor(credential).tryParseInSteps(text);
    expect(JSON.stringify(value).includes(credential.slice(3))).toBe(false);
    expect(JSON.stringify(value).includes('[credential]')).toBe(true);
  });

  test('is linear in a text of backslashes', () => {
    const text = `sk-ec${'\\'.repeat(200_000)}`.repeat(3) + plainPart;
    expect(redactor.value(text)).toBe(text);
  });
});
