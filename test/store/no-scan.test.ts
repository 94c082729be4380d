import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrate } from '../../src/store/sql/migrations/migrations.ts';
import { createInstances } from '../../src/store/sql/instances/instances.ts';
import { createSqlStore } from '../../src/store/sql/sql-store.ts';
import type { Tables } from '../../src/store/sql/basics/tables.ts';
import { createLockWait } from '../../src/store/sqlite/lock-wait.ts';
import { createSqliteDialect } from '../../src/store/sqlite/sqlite-dialect.ts';
import { createSqliteWrites } from '../../src/store/sqlite/sqlite-writes.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  buildCreation,
  buildGeneration,
  buildAccessToken,
  buildTask,
  noneAbandoned,
  owner,
  record,
  recovery,
} from './support.ts';
import { sharingOf } from '../support/sharing.ts';

/**
 * Small tables that are scanned by design. The partial indexes of creations and of deliveries contain only unfinished ones. The
 * rows of `counted` are those of a search with a limit, those of `outputs`, `wanted` and `roots` are parameters of the statement, those of `path` are
 * the turns of a thread, and those of `pending` the webhooks with pending deliveries. `file_deletions` is a queue, and the oldest
 * files are read up to a limit.
 */
const small =
  /^SCAN (\d-ROW VALUES|instances$|file_deletions( USING INDEX sqlite_autoindex_file_deletions_1)?$|file_objects USING INDEX file_objects_by_time$|webhook_deliveries USING INDEX webhook_deliveries_failing$|secrets |creations USING INDEX creations_under_way$|counted$|outputs$|wanted$|roots$|path$|below$|pending$)/;

/** Grouping sorts the sums of a few days, or the turns of a few threads, whose numbers are limited. */
const grouping = /^select "\w+" as .* from usage_days |^with recursive "path" /;

/** A store whose statements are known. */
async function openObserved() {
  const database = new DatabaseSync(':memory:');
  const statements = new Set<string>();
  const db = new Kysely<Tables>({ dialect: createSqliteDialect(database) });
  await migrate(db);
  const prepare = database.prepare.bind(database);
  database.prepare = (text) => {
    statements.add(text);
    return prepare(text);
  };
  const clock = createManualClock();
  const writes = createSqliteWrites({ database, writer: db, lockWait: createLockWait() });
  const shared = { reader: db, writes, clock, instanceId: 'instance_1' };
  const instances = createInstances({
    ...shared,
    leaseWrites: writes,
    leaseMs: 1000,
    leaseClock: () => sql`0`,
    leaseTimer: clock.elapsed,
    sharesTime: false,
    leaseIntervals: { renewMs: 250, retryMs: 250, recoverMs: 250 },
    holdsLock: sql`1 = 0`,
  });
  const store = createSqlStore({
    ...shared,
    instances,
    probeWrite: instances.renewLease,
    minuteClock: 'instance',
    recordLimits: { maxRecords: 2, maxBytes: 1_000_000 },
    stopWaiting: () => {},
    close: () => db.destroy(),
  });
  /** What its statements scan or sort, although it is not small. */
  const findScans = (): readonly string[] =>
    [...statements].flatMap((sql) => {
      if (/^(begin|commit|rollback|pragma)/.test(sql)) return [];
      const plan = database.prepare(`explain query plan ${sql}`);
      const values = Array.from({ length: sql.split('?').length - 1 }, () => 1);
      return plan
        .all(...values)
        .map(({ detail }) => String(detail))
        .filter((detail) => detail !== 'USE TEMP B-TREE FOR GROUP BY' || !grouping.test(sql.trim()))
        .filter((detail) => /^SCAN (?!.*CONSTANT ROW)|TEMP B-TREE/.test(detail) && !small.test(detail))
        .map((detail) => `${detail}: ${sql}`);
    });
  return { store, db, clock, statements, findScans };
}

test('no method of the store scans a whole table or sorts', async () => {
  const { store, db, clock, statements, findScans } = await openObserved();
  await store.secret();
  await sharingOf(store).renewLease();
  await db.insertInto('instances').values({ id: 'instance_2', expires_at: 0 }).execute();
  const [mine, theirs] = [buildGeneration(), buildGeneration()];
  const creation = buildCreation(mine.id);
  await store.claim(creation, mine);
  await store.claim(buildCreation(theirs.id), theirs);
  await store.findCreation(owner, 'client:k');
  await store.saveOutput(mine.id, { type: 'x' });
  for (const chars of [10_000, 10_001, 30_000])
    await store.saveOutput(mine.id, { type: 'x', text: 'x'.repeat(chars) } as never);
  await store.findGenerations(owner, [mine.id]);
  await store.findContents(owner, [{ id: mine.id, name: 'output' }]);
  await store.measureContents(owner, [{ id: mine.id, name: 'output' }]);
  await store.findEnded([mine.id]);
  await store.settle(creation.id, {
    phase: 'SETTLED',
    generation: { raw: 1, output: undefined, finishedAt: 5 },
    task: buildTask({ generationId: mine.id }),
    accessToken: buildAccessToken(),
  });
  await db.updateTable('generations').set({ instance_id: 'instance_2' }).where('id', '=', mine.id).execute();
  for (let renewals = 0; renewals < 4; renewals += 1) {
    clock.advance(250);
    await sharingOf(store).renewLease();
  }
  const orphans = await store.findOrphans();
  expect(orphans).toEqual([{ type: 'generation', id: mine.id, owner }]);
  await store.recover([...orphans, { type: 'creation', id: creation.id, owner }], recovery);
  await store.release((await record(store)).id);
  const refused = buildCreation('generation_x', { key: 'refused' });
  await store.claim(refused);
  await store.release(refused.id, { refusal: { failure: { code: '', message: '' }, at: 1, keepsKey: true } });
  await store.findTasks(owner, ['task_1']);
  await store.findUnfinishedTasks(owner, { createdAfter: 5, skippedKinds: ['SPEECH'], limit: 5 });
  await store.findUnfinishedOwners({ createdAfter: 5, skippedKinds: ['SPEECH'], after: '', limit: 5 });
  await store.saveTask(buildTask({ id: 'task_2', updatedAt: 1 }));
  await store.settle(creation.id, { phase: 'SETTLED', clonedVoiceId: 'v' });
  await store.hasClonedVoice(owner, 'v');
  // Its renewal makes the other instance a live one.
  await db.insertInto('instances').values({ id: 'instance_3', expires_at: 5 }).execute();
  const round = { owner, round: 'task_1' };
  await sharingOf(store).polls.claim(round);
  await sharingOf(store).polls.claim(round, 'instance_1');
  await sharingOf(store).polls.saveRequests(round, [{ id: 'task_1', isWatched: true, followedUntil: 5 }]);
  await sharingOf(store).polls.endFollowing(owner, ['task_1']);
  await sharingOf(store).polls.saveReadings(round, [
    { id: 'task_1', freshMs: 5 },
    { id: 'task_2', freshMs: 0, isOver: true },
  ]);
  await sharingOf(store).polls.findPolled(owner, ['task_1']);
  await sharingOf(store).polls.findOwners(['instance_1']);
  await sharingOf(store).polls.release(round);
  await store.findAccessTokens(owner, ['token_1']);
  await store.listAccessTokens(owner, { limit: 5, after: { createdAt: 5, id: 'a' } });
  await store.listGenerations(owner, {}, { limit: 5 });
  await store.hasGenerations(owner, { statuses: ['SUCCEEDED', 'QUEUED'] });
  await store.countGenerations(owner, { kinds: ['CHAT'] }, 5);
  await store.countAccessTokens(owner, 5);
  await store.findThread(owner, 'generation_1');
  await store.measureThreads(owner, ['generation_1', 'generation_2']);
  await store.listContinuations(owner, 'generation_1', { limit: 5, after: { createdAt: 5, id: 'a' } });
  await store.countContinuations(owner, 'generation_1', 5);
  await store.findNewestTurns(owner, ['generation_1', 'generation_2']);
  await store.listTurns(owner, 'generation_1', 5);
  await store.measureInlineImages(owner);
  for (const groupBy of [[], ['DAY', 'KIND', 'MODEL', 'COLLECTION']] as const) {
    const filter = { kinds: ['CHAT'], models: ['m'], collection: 'c' };
    await store.sumUsage(owner, { fromDay: 0, toDay: 3, ...filter, groupBy, limit: 5 });
  }
  await store.makeRoom(owner, { abandonment: noneAbandoned });
  await store.isReady();
  const expiry = { ...noneAbandoned, keysBefore: 1e6, refusedBefore: 1e6, generationsBefore: 1e6, limit: 10 };
  await store.sweep(expiry);
  await store.deleteGenerations(owner, [(await record(store)).id]);
  expect(statements.size).toBeGreaterThan(30);

  expect(findScans()).toEqual([]);
  await store.close();
});

test('nor does any method of the records of files', async () => {
  const { store, statements, findScans } = await openObserved();
  const generation = buildGeneration();
  const creation = buildCreation(generation.id);
  await store.claim(creation, generation);
  const end = { finishedAt: 5, filesDueAt: 5, output: { type: 'x' }, isVisible: true };
  await store.settle(creation.id, { phase: 'SETTLED', generation: end });
  statements.clear();
  const files = await store.openFiles();
  const limits = { maxBytesPerOwner: 10, maxTotalBytes: 10 };
  const [due] = await files.findDue(10, 5);
  await files.findDueOf([generation.id]);
  if (due) await files.plan(due, [{ position: 0 }, { position: 1, sourceUrl: 'https://a.example/b' }]);
  const claimed = await files.claim(1e15, { limit: 5, active: new Set(['file_1']) });
  expect(claimed).toHaveLength(2);
  await files.measurePending();
  const [first, second] = claimed;
  if (!first || !second) return;
  const content = { hash: 'h', contentType: 'image/png', sizeBytes: 4, now: 5, limits };
  await files.findSame(owner, 'h');
  await files.commit(first, { ...content, isWritten: true });
  await files.commit(second, { ...content, hash: 'i', sizeBytes: 40, isWritten: true });
  await files.postpone(second, 5);
  await files.fail(second, 'NO_ROOM');
  await files.find(owner, [generation.id]);
  await files.findStored(first.id);
  await files.makeRoom(owner, 'owner', 0);
  // Nothing is left.
  await files.makeRoom(owner, 'total', -1);
  const upload = { id: 'upload_1', owner, contentType: 'image/png', sizeBytes: 4 };
  await files.createUpload({ ...upload, createdAt: 1, expiresAt: 9 }, { maxUploads: 5 });
  await files.claimUpload('upload_1', 2);
  await files.isReceived('upload_1');
  await files.findUsable(owner, 'upload_1');
  await files.use(owner, generation.id, [{ id: 'upload_1', key: first.id }], 5);
  await files.expireUploads(10, 5);
  const keys = await files.findDeletions(5, 0);
  await files.findUnknown(keys);
  await files.finishDeletions(await files.release(keys));
  expect(statements.size).toBeGreaterThan(20);
  expect(findScans()).toEqual([]);
  await store.close();
});

test('nor does any method of webhooks scan their deliveries', async () => {
  const { store, statements, findScans } = await openObserved();
  const webhooks = await store.setUpWebhooks({ operator: [], forOwners: true });
  if (!webhooks) throw new Error('owners may have webhooks');
  const webhook = { id: 'webhook_1', owner, url: 'https://a.example', hasContent: false, sealedSecret: '' };
  // The start reads all webhooks.
  statements.clear();
  await webhooks.insert({ ...webhook, createdAt: 1 }, 10);
  const generation = buildGeneration();
  const creation = buildCreation(generation.id);
  await store.claim(creation, generation);
  await store.settle(creation.id, { phase: 'SETTLED', generation: { finishedAt: 5, isVisible: true } });
  await webhooks.findQueues();
  await webhooks.holdQueues([webhook.id]);
  const [delivery] = (await webhooks.takeDue(webhook.id, { limit: 5, except: [] })).deliveries;
  const eventId = delivery?.event.id ?? '';
  await webhooks.saveAttempt({ webhookId: webhook.id, eventId }, { state: 'PENDING', delayMs: 5 });
  await webhooks.markFailing(webhook.id);
  await webhooks.retryAll(webhook.id);
  await webhooks.giveUp(5);
  await webhooks.listDeliveries(webhook.id, 5);
  await webhooks.redeliver(webhook.id);
  await webhooks.redeliver(webhook.id, [eventId]);
  await webhooks.disable(webhook, 'gone');
  await webhooks.trim(webhook.id);
  await webhooks.listOf(owner);
  await webhooks.find(owner, webhook.id);
  await webhooks.releaseQueues([webhook.id]);
  await webhooks.measurePending();
  await webhooks.delete(owner, webhook.id);
  expect(statements.size).toBeGreaterThan(10);
  expect(findScans()).toEqual([]);
  await store.close();
});
