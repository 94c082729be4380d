import { join } from 'node:path';
import { expect, describe, test } from 'vitest';
import {
  AccessTokensDocument,
  UsageTotalsDocument,
  VoiceDocument,
} from '../../src/client/documents.generated.ts';
import { startApp } from '../support/app.ts';
import { ask, createChatCompletion, findGeneration, made } from '../support/chats.ts';
import { chatId, readConversation, sendChat } from '../support/conversations.ts';
import { FeedClient, readList } from '../support/feed-client.ts';
import { createRecordsWithoutTables, engines } from '../support/records.ts';
import { createEarlierRecords } from '../support/upgrade.ts';

/** Rows that the version before conversations and feeds wrote on SQLite. */
const earlier = {
  file: join(import.meta.dirname, 'records-0013.json'),
  last: '0013-provisional-ends',
};

describe.each(engines)('%s', (engine) => {
  test('records of the version before conversations and feeds are shown, replayed, continued and followed', async () => {
    const records = await createRecordsWithoutTables(engine);
    const { generations = [] } = await createEarlierRecords(engine, records, earlier);
    await using app = await startApp({ env: { ...records.env } });
    const { listed } = await readList(app);
    const ended = generations.filter(({ status }) => status !== 'RUNNING');
    expect(listed.size).toBe(generations.length);
    expect(ended.length).toBeGreaterThan(4);
    expect(ended.map(({ id }) => listed.get(String(id)))).toEqual(ended.map(({ status }) => status));

    const idOf = (kind: string, status: string) =>
      String(generations.findLast((row) => row['kind'] === kind && row['status'] === status)?.['id']);
    const replayed = made(
      await createChatCompletion(app, { input: ask('Say hello'), idempotencyKey: 'chat' }),
    );
    expect(generations.map(({ id }) => id)).toContain(replayed.id);
    const chat = idOf('CHAT', 'SUCCEEDED');
    const shown = await findGeneration(app, chat);
    const text = shown?.output?.choices[0]?.message.content;
    expect(text).toBeTruthy();

    const feed = new FeedClient();
    const server = { api: app, socket: app.wsClient() };
    await feed.start(server);
    feed.connect(server);
    const next = await chatId(app, { continueFrom: chat });
    await feed.hasSeen(next);
    expect(await readConversation(app, next)).toMatchObject({
      canContinue: true,
      parent: { id: chat },
      thread: [{ id: chat }, { id: next }],
    });
    const canceled = { continueFrom: idOf('CHAT', 'CANCELED') };
    expect(await sendChat(app, canceled)).toMatchObject({ code: 'NOT_CONTINUABLE', reason: 'NO_REPLY' });
    expect(await sendChat(app, { continueFrom: idOf('SONG', 'SUCCEEDED') })).toMatchObject({
      code: 'NOT_CONTINUABLE',
      reason: 'NOT_A_CHAT',
    });
    await feed.cut();

    const headers = { authorization: 'Bearer sandbox-system', 'new-api-user': '1' };
    const tokens = await app.run(AccessTokensDocument, {}, { headers });
    expect(tokens.data?.accessTokens?.edges.map(({ node }) => node.name)).toEqual(['team']);
    const voice = await app.run(VoiceDocument, { id: 'voice-of-mine' });
    expect(voice.data?.voice).toMatchObject({ voiceId: 'voice-of-mine' });
    const totals = await app.run(UsageTotalsDocument, {
      filter: { fromDay: '2026-11-23', toDay: '2026-11-23' },
    });
    expect(Number(totals.data?.usageTotals?.[0]?.generations)).toBeGreaterThanOrEqual(generations.length);
  });
});
