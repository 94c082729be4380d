import { describe, expect, test } from 'vitest';
import { taskIdOf } from '../../../src/tasks/task-kinds.ts';
import { sandboxKey, startApp } from '../../support/app.ts';
import { postJson } from '../../support/http.ts';
import { openRawSocket } from '../../support/raw-socket.ts';

const repeat = (count: number, toText: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => toText(index)).join(' ');

describe('an operation with many errors', () => {
  test.each([
    ['lines', '\n', 100_000],
    ['characters', ' ', 900_000],
  ])('costs little, although its document has many %s', async (_what, filler, count) => {
    await using app = await startApp();
    const query = `${filler.repeat(count)}{ ${repeat(100, (i) => `a${i}: generations { totalCount }`)} }`;
    const before = process.cpuUsage();
    const { json } = await postJson(app.url, { query });
    const { user, system } = process.cpuUsage(before);
    expect(json.errors).toHaveLength(100);
    expect(json.errors?.[0]).toMatchObject({ extensions: { code: 'UNAUTHENTICATED' } });
    expect((user + system) / 1000).toBeLessThan(1000);
  });

  test('has the locations of its errors, if the document has few lines', async () => {
    await using app = await startApp();
    const { json } = await postJson(app.url, { query: '\n\n{ generations { totalCount } }' });
    expect(json.errors).toMatchObject([{ locations: [{ line: 3, column: 3 }] }]);
  });

  test('has an answer of bounded size, although its alias is part of every error', async () => {
    await using app = await startApp();
    const ids = Array.from({ length: 100 }, (_, index) =>
      taskIdOf({ kind: 'SONG', upstreamId: String(index) }),
    );
    const rejected = { authorization: 'Bearer sk-rejected' };
    const alias = 'a'.repeat(200_000);
    const body = {
      query: `query ($ids: [ID!]!) { ${alias}: tasks(ids: $ids) { status } }`,
      variables: { ids },
    };
    const { json, text } = await postJson(app.url, body, rejected);
    expect(text.length).toBeLessThan(2_000_000);
    const last = {
      message: expect.stringMatching(/^\d\d more errors are left out: .* limited to 1000000 characters/),
      extensions: { code: 'LIMIT_EXCEEDED', retry: 'FIX_INPUT', requestId: expect.any(String) as string },
    };
    expect(json.errors?.[0]).toMatchObject({ extensions: { code: 'AUTHENTICATION_FAILED' } });
    expect(json.errors?.at(-1)).toMatchObject(last);
    const socket = await openRawSocket(app.url);
    await socket.init(rejected);
    socket.subscribe('a', body);
    const message = JSON.stringify(await socket.waitForMessage('a'));
    expect(message.length).toBeLessThan(2_000_000);
    expect(message).toContain('more errors are left out');
    const short = { ...body, query: body.query.replace(alias, 'a') };
    expect((await postJson(app.url, short, rejected)).json.errors).toHaveLength(100);
    expect((await postJson(app.url, { query: '{ __typename }' }, sandboxKey)).json.errors).toBeUndefined();
  });

  test.each([
    [
      'tasks that the gateway refuses',
      'tasks(ids: $list)',
      '[ID!]!',
      100,
      (index: number) => taskIdOf({ kind: 'SONG', upstreamId: String(index) }),
    ],
    ['references that are malformed', '_entities(representations: $list)', '[_Any!]!', 1000, () => ({})],
  ])('has an error for each of 2000 of 9000 %s', async (_what, field, type, length, toItem) => {
    await using app = await startApp();
    const query = `query ($list: ${type}) { ${repeat(9000 / length, (index) => `a${index}: ${field} { ... on Task { status } }`)} }`;
    const list = Array.from({ length }, (_, index) => toItem(index));
    const { json } = await postJson(
      app.url,
      { query, variables: { list } },
      { authorization: 'Bearer sk-rejected' },
    );
    expect(Object.values(json.data ?? {}).flat()).toEqual(Array.from({ length: 9000 }, () => null));
    expect(json.errors).toHaveLength(2001);
    expect(json.errors?.at(-1)).toMatchObject({
      message: expect.stringMatching(/^7000 more errors are left out: .* items of lists /),
      extensions: { code: 'LIMIT_EXCEEDED', retry: 'FIX_INPUT' },
    });
  });
});
