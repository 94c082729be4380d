import type { UIMessage } from 'ai';
import type { ChatInput } from '../documents.generated.ts';
import type { Gengraph } from '../gengraph.ts';
import { type Entry, isSame, toEntries } from './entries.ts';
import type { ChatMemory } from './memory.ts';
import { readThread } from './thread.ts';
import { toMessages } from './to-messages.ts';

/** Everything of a chat's input but its messages. */
export type ChatSettings = Omit<
  ChatInput,
  'messages' | 'continueFrom' | 'continueChoice' | 'continuePartial' | 'streamOptions'
>;

export interface Conversation {
  readonly chatId: string;
  readonly messages: readonly UIMessage[];
  readonly instructions: string | undefined;
  readonly settings: ChatSettings;
}

export interface PreparedChat {
  readonly entries: readonly Entry[];
  /** With the new messages only, if the record has the others. */
  readonly input: ChatInput;
  /** With all messages, for a record that cannot be continued. */
  readonly whole: ChatInput;
}

/** Compares the messages of a page with the record. */
export async function prepare(
  gengraph: Gengraph,
  memory: ChatMemory,
  { chatId, messages, instructions, settings }: Conversation,
): Promise<PreparedChat> {
  const entries: Entry[] = [
    ...(instructions ? [{ message: { role: 'SYSTEM', content: { text: instructions } } } as const] : []),
    ...toEntries(messages),
  ];
  const whole = { ...settings, messages: entries.map(({ message }) => message) };
  const end = entries.findLastIndex(({ generationId }) => generationId !== undefined);
  const continueFrom = entries[end]?.generationId;
  const added = entries.slice(end + 1);
  if (continueFrom === undefined || added.length === 0) return { entries, input: whole, whole };
  const recorded = await readRecorded(gengraph, memory, { chatId, generationId: continueFrom });
  if (!recorded || !isSame(recorded, entries.slice(0, end + 1))) return { entries, input: whole, whole };
  const continuePartial = recorded.at(-1)?.isPartial;
  const input = {
    ...settings,
    continueFrom,
    ...(continuePartial && { continuePartial }),
    messages: added.map(({ message }) => message),
  };
  return { entries, input, whole };
}

/** The recorded conversation up to this reply. Undefined if the record has no such reply. */
async function readRecorded(
  gengraph: Gengraph,
  { recorded }: ChatMemory,
  { chatId, generationId }: { readonly chatId: string; readonly generationId: string },
): Promise<readonly Entry[] | undefined> {
  const known = upTo(recorded.get(chatId) ?? [], generationId);
  if (known) return known;
  const turns = (await readThread(gengraph, generationId, false)) ?? [];
  const entries = toEntries(toMessages(turns), 'all');
  recorded.set(chatId, entries);
  return upTo(entries, generationId);
}

function upTo(entries: readonly Entry[], generationId: string): readonly Entry[] | undefined {
  const end = entries.findIndex((entry) => entry.generationId === generationId);
  return end < 0 ? undefined : entries.slice(0, end + 1);
}
