import DataLoader from 'dataloader';
import type { Caller } from '../gateway/caller.ts';
import type { AccessToken, Generation } from '../store/records.ts';
import type { Store } from '../store/store.ts';

/** Reads by key, batched within one execution. Made anew for every event of a subscription, since records change. */
export interface Loaders {
  readonly generation: DataLoader<string, Generation | undefined>;
  readonly accessToken: DataLoader<string, AccessToken | undefined>;
}

export function createLoaders(store: Store, caller: Caller | undefined): Loaders {
  const owner = caller?.owner;
  return {
    generation: new DataLoader(async (ids) =>
      owner === undefined ? ids.map(() => undefined) : store.findGenerations(owner, ids),
    ),
    accessToken: new DataLoader(async (ids) =>
      owner === undefined ? ids.map(() => undefined) : store.findAccessTokens(owner, ids),
    ),
  };
}
