import { describe, expect, test } from 'vitest';
import { FeedClient, readList } from '../support/feed-client.ts';
import {
  historyFilters,
  type Lane,
  RandomWrites,
  runHistories,
  startLanes,
} from '../support/feed-histories.ts';
import { createRandom } from '../support/random.ts';
import { type Engine, engines } from '../support/records.ts';

/** `npm run test:long` sets a larger number. A write of PostgreSQL waits for the disk, so it gets fewer. */
const histories = Number(process.env['FEED_HISTORIES'] ?? 30);
const countOf = (engine: Engine): number => (engine === 'SQLite' ? histories : Math.ceil(histories / 10));

/** Runs random writes, cuts and changes of the instance. The list of the client must equal a list that is read at the end. */
async function runHistory(lane: Lane, random: () => number): Promise<FeedClient> {
  const { instances } = lane;
  const writes = new RandomWrites(lane, random);
  for (let count = random() * 4; count > 0; count -= 1) await writes.write();

  const filter = writes.pick(historyFilters);
  const client = new FeedClient(filter);
  await client.start(writes.pick(instances));
  client.connect(writes.pick(instances));
  for (let steps = 3 + random() * 12; steps > 0; steps -= 1) {
    const choice = random();
    if (choice < 0.2) await client.cut();
    // While the client is away, or in the middle of its events.
    if (choice < 0.9) await writes.writeSome(Math.ceil(random() * 3));
    if (choice > 0.97) await writes.forgetLog();
    if (choice < 0.2) client.connect(writes.pick(instances), { repeats: random() < 0.3 });
  }
  await client.hasSeen(await writes.addLast());
  const fresh = await readList(instances[0].api, filter);
  expect(client.listed).toEqual(fresh.listed);
  await client.cut();
  await writes.removeAll();
  return client;
}

describe.each(engines)('%s', (engine) => {
  const count = countOf(engine);
  test(
    `a client that applies the feed has the list as it is read, in ${count} random histories`,
    { timeout: 60_000 + 1000 * count },
    async () => {
      let [events, resets] = [0, 0];
      await runHistories(await startLanes(engine, createRandom(0)), count, async (lane, seed) => {
        const { counts } = await runHistory(lane, createRandom(seed));
        events += counts.events;
        resets += counts.resets;
      });
      // The histories are not empty.
      expect(events).toBeGreaterThan(count);
      expect(resets).toBeGreaterThan(0);
    },
  );
});
