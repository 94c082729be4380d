import { onTestFinished } from 'vitest';
import type { Bus } from '../../src/bus/bus.ts';
import type { Store } from '../../src/store/store.ts';
import { startApp, type TestApp } from './app.ts';
import { type FakeMusic, type FakeMusicOptions, startFakeMusic } from './fake-music.ts';
import { createManualClock, type ManualClock } from './manual-clock.ts';
import { createRecords, type Engine, type Records } from './records.ts';
import type { PollRecords } from '../../src/store/poll-records.ts';
import { sharingOf } from './sharing.ts';

/** A server whose time only the test advances. A server whose time stands still does nothing by itself, as if frozen. */
export interface PollingServer extends TestApp {
  readonly clock: ManualClock;
  readonly instanceId: string;
}

export interface PollingServers {
  readonly servers: readonly PollingServer[];
  readonly gateway: FakeMusic;
  readonly records: Records;
  /** `aheadMs`: how far its clock is ahead of the shared one. */
  start(aheadMs?: number): Promise<PollingServer>;
  /** Advances the clocks of these servers in steps, and waits after each step until the servers are idle. */
  pass(servers: readonly PollingServer[], totalMs: number): Promise<void>;
  /** Advances the clocks of these servers until the condition holds. Returns the elapsed time. */
  until(servers: readonly PollingServer[], isDone: () => boolean, options?: UntilOptions): Promise<number>;
  /**
   * Ends the session of a server as the death of its process does, so that the server loses its lock and says nothing more,
   * and its lease, which lasts for real time. Its time must stand still from then on.
   */
  kill(server: PollingServer): Promise<void>;
}

export interface UntilOptions {
  /** Ages the readings and the requests too. Otherwise, the time of the database is real, and passes more slowly. */
  readonly agesRecords?: boolean;
}

export interface PollingServersOptions extends FakeMusicOptions {
  readonly engine: Engine;
  readonly count: number;
  /** Shared by all servers. @default none: each server hears only of its own changes */
  readonly bus?: Bus;
  readonly env?: Readonly<Record<string, string>>;
}

const stepMs = 250;
const agingMs = 1000;
/** After so many turns of the event loop without a call of the store, the servers have no work until the next timer. */
const idleTurns = 40;

/** Starts servers that share records and a gateway. */
export async function startPollingServers(options: PollingServersOptions): Promise<PollingServers> {
  const { engine, count, bus, env } = options;
  const records = await createRecords(engine);
  const gateway = await startFakeMusic(options);
  let calls = 0;
  let running = 0;
  /** Called when a call of the store has ended. */
  let wake = (): void => {};
  const track = <Result>(result: Result): Result => {
    if (!(result instanceof Promise)) return result;
    calls += 1;
    running += 1;
    const settled = (): void => {
      running -= 1;
      wake();
    };
    result.then(settled, settled);
    return result;
  };
  const dead = new Set<string>();
  const start = async (aheadMs = 0): Promise<PollingServer> => {
    const clock = createManualClock();
    clock.step(aheadMs);
    let instanceId = '';
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: {
        ...records.env,
        DATABASE_POOL_SIZE: '3',
        TASK_POLL_SECONDS: '1',
        TASK_POLL_MAX_SECONDS: '8',
        SHUTDOWN_SECONDS: '0.05',
        ...env,
      },
      overrides: {
        clock,
        ...(bus && { bus }),
        wrapStore(store) {
          ({ instanceId } = store);
          return {
            ...tracked(store, track),
            sharing: {
              ...sharingOf(store),
              now: () => clock.now() - aheadMs,
              polls: tracked(sharingOf(store).polls, track),
              async renewLease() {
                if (!dead.has(store.instanceId)) await track(sharingOf(store).renewLease());
              },
            },
          };
        },
      },
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return { ...app, clock, instanceId };
  };
  const settle = async (): Promise<void> => {
    for (let turns = 0, seen = calls + gateway.fetches.length; turns < idleTurns; turns += 1) {
      await new Promise<void>((resolve) => {
        if (running > 0) wake = resolve;
        else setImmediate(resolve);
      });
      const now = calls + gateway.fetches.length;
      if (running > 0 || now !== seen) turns = 0;
      seen = now;
    }
  };
  const until: PollingServers['until'] = async (advanced, isDone, { agesRecords = false } = {}) => {
    let elapsed = 0;
    while (!isDone()) {
      for (const { clock } of advanced) clock.advance(stepMs);
      elapsed += stepMs;
      if (agesRecords && elapsed % agingMs === 0)
        await records.query(
          `update polled_tasks set fresh_until = fresh_until - ${agingMs}, watched_until = watched_until - ${agingMs}`,
        );
      await settle();
    }
    return elapsed;
  };
  const servers: PollingServer[] = [];
  for (let index = 0; index < count; index += 1) servers.push(await start());
  return {
    servers,
    gateway,
    records,
    start,
    until,
    async kill({ instanceId }) {
      dead.add(instanceId);
      const ended = await records.query(
        `select pg_terminate_backend(pid, 10000) as is_ended from pg_locks where locktype = 'advisory'
          and objid = (hashtext('${instanceId}')::bigint & 4294967295)::oid`,
      );
      if (!ended.some((row) => row['is_ended'])) throw new Error('the server holds no lock');
      await records.query(`update instances set expires_at = 0 where id = '${instanceId}'`);
    },
    async pass(advanced, totalMs) {
      let steps = 0;
      await until(advanced, () => (steps += 1) > totalMs / stepMs);
    },
  };
}

/** The same object, whose methods report their results. */
function tracked<Part extends Store | PollRecords>(
  part: Part,
  track: <Result>(result: Result) => Result,
): Part {
  const members = Object.entries(part).map(([name, member]) => [
    name,
    typeof member === 'function' ? (...args: unknown[]) => track(member(...args)) : member,
  ]);
  // The members of `part`, with the same types.
  return Object.fromEntries(members) as Part;
}
