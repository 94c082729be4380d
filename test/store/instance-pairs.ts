import type { Store } from '../../src/store/store.ts';
import { createManualClock, type ManualClock } from '../support/manual-clock.ts';
import type { Backend } from './store.conformance.ts';
import { buildCreation, buildGeneration, recoverAll, type StoreLocation } from './support.ts';
import { sharingOf } from '../support/sharing.ts';

/** As in the product: the timeout of a renewal depends on it, and a busy machine is slow. */
export const leaseMs = 10_000;

export interface Pair {
  readonly location: StoreLocation;
  readonly clock: ManualClock;
  readonly first: Store;
  readonly second: Store;
}

export async function openPair({ createLocation }: Backend): Promise<Pair> {
  const location = await createLocation();
  const clock = createManualClock();
  const first = await location.open({ clock, leaseMs });
  return { location, clock, first, second: await location.open({ clock, leaseMs }) };
}

/** Ends the life of the first instance: its lease expires, but not that of the second. */
export async function expireFirst({ clock, second }: Pair): Promise<void> {
  for (let renewals = 0; renewals < 4; renewals += 1) {
    clock.advance(leaseMs / 4);
    await sharingOf(second).renewLease();
  }
}

/** The second instance has marked as UNKNOWN what the first is still sending. */
export async function openGivenUp(
  backend: Backend,
  { isVisible = true, key = 'client:k' }: { readonly isVisible?: boolean; readonly key?: string | null } = {},
) {
  const pair = await openPair(backend);
  const { first, second } = pair;
  const generation = buildGeneration({ isVisible });
  const creation = buildCreation(generation.id, { key: key ?? undefined });
  await first.claim(creation, generation);
  await expireFirst(pair);
  await recoverAll(second);
  return { first, second, generation, creation };
}
