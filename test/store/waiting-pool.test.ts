import type { PoolClient } from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { RecordsUnavailableError } from '../../src/errors.ts';
import { createWaitingPool } from '../../src/store/postgres/waiting-pool.ts';

const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const wrong = Object.assign(new Error('password authentication failed'), { code: '28P01' });

function createClient() {
  return { query: async () => {}, release: vi.fn<(error?: boolean) => void>() };
}

/** A pool whose connections are these, in order: refused, made, or made when the test says so. */
function createPool(answers: readonly (Error | ReturnType<typeof createClient> | Promise<unknown>)[]) {
  const waiting = [...answers];
  const connect = vi.fn<() => Promise<PoolClient>>(async () => {
    const answer = waiting.shift() ?? away;
    if (answer instanceof Error) throw answer;
    // The waiting pool uses `query` and `release` only.
    return (await answer) as PoolClient;
  });
  return { connect, pool: createWaitingPool({ connect, end: async () => {} }) };
}

describe('a pool that waits for its database', () => {
  test('connects again when an attempt succeeds, whose own connection it gives back', async () => {
    const [attempt, client] = [createClient(), createClient()];
    const { pool, connect } = createPool([away, attempt, client]);
    expect(await pool.connect(performance.now() + 10_000)).toBe(client);
    expect(attempt.release).toHaveBeenCalledTimes(1);
    expect(client.release).not.toHaveBeenCalled();
    expect(connect).toHaveBeenCalledTimes(3);
  });

  test('shares its attempts among all who wait', async () => {
    const [attempt, one, other] = [createClient(), createClient(), createClient()];
    const { pool, connect } = createPool([away, away, away, attempt, one, other]);
    const deadline = performance.now() + 10_000;
    expect(await Promise.all([pool.connect(deadline), pool.connect(deadline)])).toEqual([one, other]);
    // Two at first, two attempts, and one each.
    expect(connect).toHaveBeenCalledTimes(6);
  });

  test('does not ask the database for one who comes while it waits', async () => {
    const attempt = Promise.withResolvers<ReturnType<typeof createClient>>();
    const [one, other] = [createClient(), createClient()];
    const { pool, connect } = createPool([away, attempt.promise, one, other]);
    const deadline = performance.now() + 10_000;
    const first = pool.connect(deadline);
    await expect.poll(() => connect).toHaveBeenCalledTimes(2);
    const second = pool.connect(deadline);
    await new Promise((resolve) => setImmediate(resolve));
    expect(connect).toHaveBeenCalledTimes(2);
    attempt.resolve(createClient());
    expect(await Promise.all([first, second])).toEqual([one, other]);
  });

  test('fails at the deadline, and gives back a connection that comes later', async () => {
    const late = Promise.withResolvers<ReturnType<typeof createClient>>();
    const client = createClient();
    const { pool } = createPool([away, createClient(), late.promise]);
    await expect(pool.connect(performance.now() + 200)).rejects.toThrow(RecordsUnavailableError);
    late.resolve(client);
    await expect.poll(() => client.release).toHaveBeenCalledTimes(1);
  });

  test('fails at the deadline while its attempts are refused', async () => {
    const { pool } = createPool([]);
    await expect(pool.connect(performance.now() + 120)).rejects.toThrow(RecordsUnavailableError);
  });

  test('fails at once without a deadline, or if the configuration is wrong', async () => {
    const refused = createPool([away]);
    await expect(refused.pool.connect(undefined)).rejects.toThrow(RecordsUnavailableError);
    expect(refused.connect).toHaveBeenCalledTimes(1);
    const misconfigured = createPool([wrong]);
    await expect(misconfigured.pool.connect(performance.now() + 10_000)).rejects.toThrow(
      'The record store is unavailable',
    );
    expect(misconfigured.connect).toHaveBeenCalledTimes(1);
  });
});
