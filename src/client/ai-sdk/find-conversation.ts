import type { ChatMessageInput } from '../documents.generated.ts';
import type { Gengraph } from '../gengraph.ts';
import type { ChatRequests, OpenRequest, SentRequest } from './requests.ts';
import { findByKey, findNewest, readThread, type RecordedMessage, type Turn } from './thread.ts';

export interface FoundConversation {
  /** On the branch of the newest one, oldest first. */
  readonly turns: readonly Turn[];
  /** The last turn, if it may still change. */
  readonly open?: OpenTurn | undefined;
}

export type OpenTurn =
  /** This page asked for it before a reload, and there is no outcome yet. */
  | { readonly sent: SentRequest; readonly id?: never }
  /** It runs, or ended after this page saw it running. */
  | { readonly sent?: never; readonly id: string };

export interface FindOptions {
  readonly chatId: string;
  readonly requests: ChatRequests;
  readonly withRaw: boolean;
}

/** The conversation of a chat as recorded, with what this page has sent and the record does not have yet. */
export async function findConversation(gengraph: Gengraph, options: FindOptions): Promise<FoundConversation> {
  const { chatId, requests } = options;
  const known = requests.findOpen(chatId);
  const found = await readConversation(gengraph, options, known);
  if (!found.open?.sent) requests.replaceOpen(chatId, known, found.open && { generationId: found.open.id });
  return found;
}

async function readConversation(
  gengraph: Gengraph,
  { chatId, requests, withRaw }: FindOptions,
  open: OpenRequest | undefined,
): Promise<FoundConversation> {
  const read = async (id: string): Promise<readonly Turn[]> =>
    (await readThread(gengraph, id, withRaw)) ?? [];
  const sent = open && 'input' in open ? open : undefined;
  const { key } = sent ? gengraph.chat(sent.input, { id: sent.name, attempt: sent.attempt }) : {};
  const startedId = key === undefined ? undefined : await findByKey(gengraph, key);
  if (sent && startedId === undefined) {
    const { continueFrom } = sent.input;
    const before = continueFrom ? await read(String(continueFrom)) : [];
    return { turns: [...before, toTurn(sent)], open: { sent } };
  }
  const openId = startedId ?? (open && 'generationId' in open ? open.generationId : undefined);
  if (sent && startedId !== undefined) requests.note(sent, { generationId: startedId });
  const newest = await findNewest(gengraph, chatId);
  if (!newest) return { turns: [] };
  const { id, isTerminal } = newest;
  return { turns: await read(id), open: isTerminal && id !== openId ? undefined : { id } };
}

/** The turn that the record will have. */
function toTurn({ name, attempt, input }: SentRequest): Turn {
  return {
    id: `${name}:${attempt}`,
    status: 'QUEUED',
    isTerminal: false,
    usage: null,
    error: null,
    output: { messages: input.messages.map(toRecorded) },
  };
}

function toRecorded({
  role,
  content,
  reasoningContent = null,
  toolCalls,
  toolCallId,
}: ChatMessageInput): RecordedMessage {
  return {
    role,
    content: content?.text ?? null,
    parts:
      content?.parts?.map(({ text, imageUrl }) =>
        imageUrl ? { url: imageUrl.url } : { text: text ?? '' },
      ) ?? null,
    reasoningContent,
    refusal: null,
    toolCalls:
      toolCalls?.map(({ id, function: called, extraContent }) => ({
        ...called,
        id: String(id),
        extraContent,
      })) ?? null,
    toolCallId: toolCallId === null || toolCallId === undefined ? null : String(toolCallId),
  };
}
