import { expect, test } from 'vitest';
import { NotContinuableError } from '../../src/errors.ts';
import { prepareCreate } from '../../src/generations/prepare-create.ts';
import type { Creation } from '../../src/store/records.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { buildCreation, buildGeneration } from '../store/support.ts';

const generation = buildGeneration();
const creation = buildCreation(generation.id);
const clock = createManualClock();
const options = { clock, keepsRefusal: () => true };
const gone = new NotContinuableError('ANCESTOR_DELETED', 'gone', 'generation_1');

/** A store whose key is held by these creates, one lookup after the other. */
function storeWith(...holders: readonly (Creation | undefined)[]) {
  const remaining = [...holders];
  const claimed: Creation[] = [];
  const claim = async (claiming: Creation): Promise<undefined> => void claimed.push(claiming);
  return { findCreation: async () => remaining.shift(), claim, claimed };
}

const holderOf = (members: Partial<Creation>): Creation =>
  buildCreation('generation_2', { ...creation, ...members });

test('a create whose key is in use is not prepared', async () => {
  const holder = holderOf({ phase: 'SETTLED' });
  const prepare = () => Promise.reject(gone);
  expect(await prepareCreate(storeWith(holder), creation, { prepare, ...options })).toEqual({ holder });
});

test('a create that cannot be prepared attaches to a duplicate that was sent meanwhile', async () => {
  const holder = holderOf({ phase: 'SENDING' });
  const prepare = () => Promise.reject(gone);
  expect(await prepareCreate(storeWith(undefined, holder), creation, { prepare, ...options })).toEqual({
    holder,
  });
  // Another create with the key proves nothing about this one.
  const other = holderOf({ phase: 'SENDING', fingerprint: 'other' });
  await expect(prepareCreate(storeWith(undefined, other), creation, { prepare, ...options })).rejects.toBe(
    gone,
  );
  await expect(
    prepareCreate(storeWith(), { ...creation, key: undefined }, { prepare, ...options }),
  ).rejects.toBe(gone);
});

test('a refusal is kept as of its own time, however long the create has waited', async () => {
  const store = { ...storeWith(), sharing: {} };
  const running = new NotContinuableError('RUNNING', 'runs', 'generation_1');
  const prepare = () => {
    clock.advance(600_000);
    return Promise.reject(running);
  };
  await expect(prepareCreate(store, creation, { prepare, ...options })).rejects.toBe(running);
  expect(store.claimed).toMatchObject([{ id: creation.id, phase: 'SETTLED', createdAt: clock.now() }]);
});
