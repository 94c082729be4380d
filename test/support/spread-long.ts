import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take longest because they wait, for leases, outages and starts of processes, the longest first. Vitest itself knows
 * durations only from an earlier run on the same machine.
 */
const longest = [
  'test/stream-contract/one-process.test.ts',
  'test/server/graphiql.browser.test.ts',
  'test/frontends/matrix.test.ts',
  'test/process/database-outage.test.ts',
  'test/stream-contract/cut-off.test.ts',
  'test/process/restart.test.ts',
  'test/playground/chat.browser.test.ts',
  'test/frontends/react-hooks.test.ts',
  'test/frontends/package.test.ts',
  'test/playground/make.browser.test.ts',
  'test/playground/page.browser.test.ts',
  'test/client/reconnecting.test.ts',
  'test/deploy/prometheus.test.ts',
  'test/store/postgres-store.test.ts',
  'test/process/kill.test.ts',
  'test/server/pages/graphiql/graphiql-tabs.test.ts',
  'test/process/fleet/rolling-restart.test.ts',
  'test/process/shared-directory.test.ts',
  'test/process/fleet/held-owners.test.ts',
  'test/generations/false-deaths.test.ts',
  'test/store/interleavings.test.ts',
  'test/federation/sign-in.test.ts',
  'test/process/engines.test.ts',
  'test/process/start.test.ts',
  'test/streams/remote/following.test.ts',
  'test/generations/database-failures.test.ts',
  'test/frontends/react-chat.test.ts',
  'test/process/long-chat.test.ts',
  'test/generations/database-away.test.ts',
  'test/frontends/ai-sdk.test.ts',
  'test/process/owner.test.ts',
  'test/process/stop.test.ts',
  'test/process/producer-death.test.ts',
  'test/process/unread-output.test.ts',
  'test/generations/busy-owner.test.ts',
  'test/process/pause.test.ts',
  'test/server/receiver-addresses.test.ts',
  'test/process/build.test.ts',
  'test/federation/local.test.ts',
  'test/process/stop-without-database.test.ts',
  'test/process/full-disk.test.ts',
];

/**
 * So many others start after each of them. Together they would leave the processors idle, and a worker that starts one at the end
 * would be left alone with it.
 */
const othersPerLong = 6;

/**
 * Files with a process of their own come before all others. A worker whose next file is of another project ends, and the program
 * is imported again.
 */
export class SpreadLong extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      longest.findIndex((path) => moduleId.endsWith(path));
    const [alone, shared] = partition(await super.sort(files), ({ project }) => project.config.isolate);
    const [long, others] = partition(shared, (file) => rank(file) !== -1);
    const spread = long
      .toSorted((one, other) => rank(one) - rank(other))
      .flatMap((file, index) => [file, ...others.slice(index * othersPerLong, (index + 1) * othersPerLong)]);
    return [...alone, ...spread, ...others.slice(long.length * othersPerLong)];
  }
}

function partition<Item>(
  items: readonly Item[],
  isFirst: (item: Item) => boolean,
): [first: Item[], second: Item[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
