import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';

/** Accounts whose credential the gateway has accepted since the process started. */
export interface AcceptedCallers {
  add(caller: Caller): void;
  has(caller: Caller): boolean;
}

const maxAccounts = 20_000;

export function createAcceptedCallers(): AcceptedCallers {
  const accounts = new LRUCache<string, true>({ max: maxAccounts });
  return {
    add: (caller) => void accounts.set(accountOf(caller), true),
    has: (caller) => accounts.get(accountOf(caller)) === true,
  };
}

/** The gateway's account of a caller. All end users of one credential share it. */
export function accountOf({ credential, userId }: Caller): string {
  return userId === undefined ? credential : `${userId}\n${credential}`;
}
