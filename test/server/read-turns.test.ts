import { expect, test } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { type Caller, sandboxKey, startApp } from '../support/app.ts';

const crowdSize = 20;

const manyLists = `{ ${Array.from(
  { length: 100 },
  (_, index) => `a${index}: generations(first: 1) { edges { node { id } } }`,
).join(' ')} }`;

function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` };
}

/** Starts the lists of a crowd and then that of a single owner at once, and counts those that are read before the last one. */
function gateLists() {
  const crowdWaits = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const crowd = new Set<string>();
  let read = 0;
  const single = { readBefore: Infinity };
  return {
    crowdWaits: crowdWaits.promise,
    single,
    wrapStore: (records: Store): Store => ({
      ...records,
      async listGenerations(owner, ...rest) {
        const isSingle = crowd.size === crowdSize && !crowd.has(owner);
        if (isSingle) gate.resolve();
        else if (crowd.add(owner).size === crowdSize) crowdWaits.resolve();
        await gate.promise;
        const list = await records.listGenerations(owner, ...rest);
        if (isSingle) single.readBefore = read;
        read += 1;
        return list;
      },
    }),
  };
}

interface Crowd {
  readonly name: string;
  readonly callerOf: (index: number) => Caller;
  readonly single: Caller;
}

const accepted: Caller = { headers: sandboxKey };

const crowds: readonly Crowd[] = [
  {
    name: 'end users of one credential',
    callerOf: (index) => ({ headers: { ...sandboxKey, 'x-end-user': `${index}` } }),
    single: { headers: bearer('sk-new') },
  },
  {
    name: 'new credentials of one address',
    callerOf: (index) => ({ headers: bearer(`sk-new-${index}`) }),
    single: accepted,
  },
];

test.each(crowds)('$name take one turn together in reads of records', async ({ callerOf, single }) => {
  const lists = gateLists();
  await using app = await startApp({ overrides: { wrapStore: lists.wrapStore } });
  const { errors: refusal } = await app.run('{ voices(first: 1) { totalCount } }', {}, accepted);
  expect(refusal).toBeUndefined();
  const crowd = Promise.all(
    Array.from({ length: crowdSize }, (_, index) => app.run(manyLists, {}, callerOf(index))),
  );
  await lists.crowdWaits;
  const list = await app.run('{ generations(first: 1) { edges { node { id } } } }', {}, single);
  expect(list).toEqual({ data: { generations: { edges: [] } } });
  // Reads of the first slice, before others wait, and one turn.
  expect(lists.single.readBefore).toBeLessThanOrEqual(2);
  for (const { errors } of await crowd) expect(errors).toBeUndefined();
});
