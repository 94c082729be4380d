import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  CreateImageDocument,
  DeleteGenerationsDocument,
  GenerationsDocument,
  TaskDocument,
  type UsageFilter,
  UsageTotalsDocument,
} from '../../src/client/documents.generated.ts';
import { sandboxKey, startApp, type TestApp } from '../support/app.ts';
import {
  ask,
  cancelGeneration,
  chatEvents,
  createChatCompletion,
  made,
  startChat,
  toEnd,
} from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { finishedSong } from '../support/fake-music.ts';
import { codeOf } from '../support/http.ts';
import { plainByResolution, reply } from '../support/images.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

const usageTotals = /* GraphQL */ `
  query ($filter: UsageFilter, $groupBy: [UsageDimension!]! = []) {
    usageTotals(filter: $filter, groupBy: $groupBy) {
      day
      kind
      model
      collection
      isOther
      generations
      succeeded
      failed
      canceled
      unknown
      withUsage
      promptTokens
      completionTokens
      totalTokens
      cachedTokens
      reasoningTokens
      outputTokens
    }
  }
`;

interface Variables {
  readonly filter?: UsageFilter;
  readonly groupBy?: readonly string[];
}

/** The totals without the members that are null, false or zero. */
async function totals(app: TestApp, variables: Variables = {}, headers: Record<string, string> = sandboxKey) {
  const { data, errors } = await app.run<{ usageTotals: readonly object[] }, object>(usageTotals, variables, {
    headers,
  });
  expect(errors).toBeUndefined();
  return data?.usageTotals.map((total) =>
    Object.fromEntries(Object.entries(total).filter(([, value]) => value)),
  );
}

const chatUsage = {
  prompt_tokens: 10,
  completion_tokens: 20,
  total_tokens: 30,
  prompt_tokens_details: { cached_tokens: 4 },
  completion_tokens_details: { reasoning_tokens: 5 },
};

const createSong = /* GraphQL */ `
  mutation {
    createSong(input: { description: "x", model: SONG_V5 }, collection: "album") {
      ... on Generation {
        id
        task {
          id
        }
      }
    }
  }
`;

describe('usageTotals', () => {
  test('counts chats, images and tasks with the usage that the gateway reported', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    expect(await totals(app)).toEqual([{}]);

    const starting = startChat(app, { input: ask('Hello', { model: 'm' }) });
    const chat = await gateway.exchange(0);
    chat.send(...words('a'));
    const { id } = made(await starting);
    expect(await totals(app)).toEqual([{ generations: 1 }]);
    chat.send({ id: 'c1', model: 'm', choices: [], usage: chatUsage }, '[DONE]');
    await toEnd(chatEvents(app.wsClient(), { id }));
    const done = { generations: 1, succeeded: 1 };
    const tokens = {
      promptTokens: 10,
      completionTokens: 20,
      totalTokens: 30,
      cachedTokens: 4,
      reasoningTokens: 5,
    };
    expect(await totals(app)).toEqual([{ ...done, withUsage: 1, ...tokens }]);

    const refusing = createChatCompletion(app, { input: ask('Hello', { model: 'm' }) });
    (await gateway.exchange(1)).reply(400, { error: { message: 'no' } });
    await refusing;

    const imaging = app.run(CreateImageDocument, { input: { byResolution: plainByResolution } });
    (await gateway.exchange(2)).reply(200, { ...reply, usage: { total_tokens: 7, output_tokens: 6 } });
    await imaging;

    const submitting = app.run<{ createSong: { id: string; task: { id: string } } }, object>(createSong);
    (await gateway.exchange(3)).reply(200, { code: 'success', data: 'song-1' });
    const song = (await submitting).data?.createSong;
    const reading = app.run(TaskDocument, { id: song?.task.id ?? '' });
    (await gateway.exchange(4)).reply(200, { code: 'success', data: [finishedSong('song-1')] });
    await reading;

    const ids = [id, song?.id ?? ''];
    expect(
      (await app.run(DeleteGenerationsDocument, { ids })).data?.deleteGenerations?.deletedIds.toSorted(),
    ).toEqual(ids.toSorted());
    expect(await totals(app, { groupBy: ['KIND', 'MODEL', 'COLLECTION'] })).toEqual([
      { kind: 'CHAT', model: 'm', ...done, withUsage: 1, ...tokens },
      {
        kind: 'IMAGE',
        model: plainByResolution.model,
        ...done,
        withUsage: 1,
        completionTokens: 6,
        totalTokens: 7,
        outputTokens: 6,
      },
      { kind: 'SONG', model: 'song-v5', collection: 'album', ...done },
    ]);
    expect((await app.run(GenerationsDocument, {})).data?.generations?.edges).toHaveLength(1);
    expect(await totals(app, {}, { authorization: 'Bearer sk-other' })).toEqual([{}]);
  });

  test('counts a canceled chat and a lost reply', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const starting = startChat(app, { input: ask('Hello') });
    (await gateway.exchange(0)).send(...words('a'));
    await cancelGeneration(app, { id: made(await starting).id });
    const losing = createChatCompletion(app, { input: ask('Hello') });
    (await gateway.exchange(1)).cut();
    await losing;
    expect(await totals(app)).toEqual([{ generations: 2, canceled: 1, unknown: 1 }]);
  });

  test('groups by day and reads the last 30 days by default', async () => {
    const clock = createManualClock(Date.parse('2026-11-20T23:59:59.999Z'));
    await using app = await startApp({ overrides: { clock } });
    const chat = () => createChatCompletion(app, { input: ask('Hello', { model: 'm', maxTokens: 3 }) });
    made(await chat());
    clock.advance(1);
    made(await chat());
    const days = async (filter?: UsageFilter) =>
      (await totals(app, { groupBy: ['DAY'], ...(filter && { filter }) }))?.map(({ day }) => day);
    expect(await days()).toEqual(['2026-11-20', '2026-11-21']);
    expect(await days({ fromDay: '2026-11-21' })).toEqual(['2026-11-21']);
    expect(await days({ toDay: '2026-11-20' })).toEqual(['2026-11-20']);
    expect(await days({ kinds: ['SONG'] })).toEqual([]);
    expect(await days({ models: ['m'], kinds: null })).toEqual(['2026-11-20', '2026-11-21']);
    clock.advance(29 * 86_400_000);
    expect(await days()).toEqual(['2026-11-21']);
  });

  test.each<[string, UsageFilter, string]>([
    ['more than 366 days', { fromDay: '2025-11-19', toDay: '2026-11-20' }, 'LIMIT_EXCEEDED'],
    ['more than 100 models', { models: Array.from({ length: 101 }, String) }, 'LIMIT_EXCEEDED'],
    ['a model of more than 200 characters', { models: ['m', '😀'.repeat(201)] }, 'LIMIT_EXCEEDED'],
    ['a collection of more than 200 characters', { collection: 'a'.repeat(201) }, 'LIMIT_EXCEEDED'],
    ['days in reverse order', { fromDay: '2026-11-20', toDay: '2026-11-19' }, 'BAD_REQUEST'],
    ['a day that does not exist', { fromDay: '2026-02-30' }, 'BAD_REQUEST'],
    ['a time', { fromDay: '2026-02-20T00:00:00Z' }, 'BAD_REQUEST'],
  ])('refuses %s', async (_what, filter, code) => {
    await using app = await startApp();
    expect(codeOf(await app.run(UsageTotalsDocument, { filter, groupBy: [] }))).toBe(code);
  });

  test('refuses a request without a credential, and accepts 366 days', async () => {
    await using app = await startApp();
    expect(codeOf(await app.run(UsageTotalsDocument, { groupBy: [] }, { headers: {} }))).toBe(
      'UNAUTHENTICATED',
    );
    expect(await totals(app, { filter: { fromDay: '2025-11-20', toDay: '2026-11-20' } })).toEqual([{}]);
  });

  test('counts a kind that its filter repeats very often once', async () => {
    await using app = await startApp();
    const kinds = Array.from({ length: 40_000 }, () => 'CHAT');
    const query =
      'query ($kinds: [GenerationKind!]) { usageTotals(filter: { kinds: $kinds }) { generations } }';
    expect(await app.run(query, { kinds })).toEqual({ data: { usageTotals: [{ generations: 0 }] } });
  });

  test('refuses a result of more than 1000 groups', async () => {
    const directory = await createDirectory();
    await using app = await startApp({ env: { DATA_DIR: directory } });
    made(await createChatCompletion(app, { input: ask('Hello', { model: 'm', maxTokens: 3 }) }));
    const database = new DatabaseSync(join(directory, 'gengraph.db'));
    onTestFinished(() => database.close());
    const columns = database
      .prepare("select name from pragma_table_info('usage_days')")
      .all()
      .map(({ name }) => String(name));
    const copied = columns.map((name) => ({ day: 'day - n % 3', model: `'"m' || n || '"'` })[name] ?? name);
    database.exec(`
      insert into usage_days with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 1000)
      select ${copied.join(', ')} from usage_days, numbers
    `);
    expect(await totals(app)).toMatchObject([{ generations: 1001 }]);
    expect(codeOf(await app.run(UsageTotalsDocument, { groupBy: ['MODEL'] }))).toBe('LIMIT_EXCEEDED');
    const filter = { models: Array.from({ length: 100 }, (_, index) => `m${index + 1}`) };
    expect(await totals(app, { groupBy: ['MODEL'], filter })).toHaveLength(100);
  });
});
