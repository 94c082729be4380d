import { LRUCache } from 'lru-cache';
import { limitEntries } from '../lib/cache-limits.ts';
import type { Caller } from './caller.ts';

/** Accounts whose credential the gateway has accepted since the process started. */
export interface AcceptedCallers {
  add(caller: Caller): void;
  has(caller: Caller): boolean;
}

const maxAccounts = 20_000;

export function createAcceptedCallers(): AcceptedCallers {
  const accounts = new LRUCache<string, true>(limitEntries(maxAccounts));
  return {
    add: (caller) => void accounts.set(accountOf(caller), true),
    // A verified token proves as much as an accepted request.
    has: (caller) =>
      caller.token !== undefined || caller.isRecorded === true || accounts.get(accountOf(caller)) === true,
  };
}

/** The gateway's account of a caller. All end users of one credential share it, except those of the server's own key. */
export function accountOf({ credential, userId, heldKey, owner }: Caller): string {
  if (heldKey || credential === '') return owner;
  return userId === undefined ? credential : `${userId}\n${credential}`;
}
