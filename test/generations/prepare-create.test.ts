import { expect, test } from 'vitest';
import { NotContinuableError } from '../../src/errors.ts';
import { prepareCreate } from '../../src/generations/prepare-create.ts';
import type { Creation } from '../../src/store/records.ts';
import { buildCreation, buildGeneration } from '../store/support.ts';

const generation = buildGeneration();
const creation = buildCreation(generation.id);
const gone = new NotContinuableError('ANCESTOR_DELETED', 'gone', 'generation_1');

/** A store whose key is held by these creates, one lookup after the other. */
function storeWith(...holders: readonly (Creation | undefined)[]) {
  const remaining = [...holders];
  return { findCreation: async () => remaining.shift(), claim: async () => undefined };
}

const holderOf = (members: Partial<Creation>): Creation =>
  buildCreation('generation_2', { ...creation, ...members });

test('a create whose key is in use is not prepared', async () => {
  const holder = holderOf({ phase: 'SETTLED' });
  const prepare = () => Promise.reject(gone);
  expect(await prepareCreate(storeWith(holder), creation, { prepare })).toEqual({ holder });
});

test('the claim decides about a key whose create may never have been sent', async () => {
  const prepare = async () => generation;
  const store = storeWith(holderOf({ phase: 'CLAIMED' }));
  expect(await prepareCreate(store, creation, { prepare })).toEqual({ generation });
});

test('a create that cannot be prepared attaches to a duplicate that was sent meanwhile', async () => {
  const holder = holderOf({ phase: 'SENDING' });
  const prepare = () => Promise.reject(gone);
  expect(await prepareCreate(storeWith(undefined, holder), creation, { prepare })).toEqual({ holder });
  // Another create with the key proves nothing about this one.
  const other = holderOf({ phase: 'SENDING', fingerprint: 'other' });
  await expect(prepareCreate(storeWith(undefined, other), creation, { prepare })).rejects.toBe(gone);
  await expect(prepareCreate(storeWith(), { ...creation, key: undefined }, { prepare })).rejects.toBe(gone);
});
