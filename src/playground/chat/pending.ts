import type { Conversation, Turn } from './conversation.ts';

const name = 'gengraph-playground:pending';

/** Keeps a conversation whose last request may not have an id yet, so that a reload before the first token goes on with it. */
export function keepPending(conversation: Conversation, turns: readonly Turn[]): void {
  sessionStorage.setItem(name, JSON.stringify({ keys: turns.map(({ key }) => key), conversation }));
}

export function forgetPending(key: string): void {
  const pending = read();
  const keys = pending?.keys.filter((each) => each !== key) ?? [];
  if (keys.length === 0) sessionStorage.removeItem(name);
  else sessionStorage.setItem(name, JSON.stringify({ ...pending, keys }));
}

export function restorePending(): Conversation | undefined {
  return read()?.conversation;
}

function read(): { readonly keys: readonly string[]; readonly conversation: Conversation } | undefined {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as ReturnType<typeof read>); // Written above.
}
