import type { Conversation } from './conversation.ts';

const name = 'gengraph-playground:pending';

/** Keeps a conversation whose last requests have no id yet, so that a reload before the first token goes on with them. */
export function keepPending(conversation: Conversation): void {
  if (conversation.turns.some(({ id, isRefused }) => id === undefined && !isRefused))
    sessionStorage.setItem(name, JSON.stringify(conversation));
  else sessionStorage.removeItem(name);
}

export function restorePending(): Conversation | undefined {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as Conversation); // Written above.
}
