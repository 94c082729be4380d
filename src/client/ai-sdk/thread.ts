import type { ChatUsage } from '../chat-events.ts';
import type { ChatRole, TaskStatus } from '../documents.generated.ts';
import type { Gengraph } from '../gengraph.ts';
import { type Operation, type Outcome, runNonNull } from '../operate.ts';
import type { GengraphProblem } from '../problem.ts';
import { GengraphChatError } from './message.ts';

/** A tool call of a message, or of a reply. */
export interface RecordedCall {
  readonly id: string | null;
  readonly name: string | null;
  readonly arguments: string | null;
  readonly extraContent?: unknown;
}

export interface RecordedMessage {
  readonly role: ChatRole | null;
  readonly content: string | null;
  /** Texts and images. */
  readonly parts: readonly { readonly text?: string; readonly url?: string }[] | null;
  readonly reasoningContent: string | null;
  readonly refusal: string | null;
  readonly toolCalls: readonly RecordedCall[] | null;
  readonly toolCallId: string | null;
}

/** A turn of a conversation as recorded. */
export interface Turn {
  readonly id: string;
  readonly status: TaskStatus;
  readonly isTerminal: boolean;
  readonly usage: ChatUsage | null;
  readonly error: GengraphProblem | null;
  /** Null if it was not a chat. */
  readonly output: {
    readonly messages?: readonly RecordedMessage[];
    readonly choices?: readonly {
      readonly index: number;
      readonly message: RecordedMessage;
      readonly finishReason: string | null;
    }[];
    readonly raw?: unknown;
  } | null;
}

const messageFields =
  'role content parts{...on ChatTextPart{text}...on ChatImagePart{url}}reasoningContent refusal toolCalls{id name arguments extraContent}toolCallId';
const turnFields = `id status isTerminal usage{promptTokens completionTokens totalTokens}error{code message retry retryAfterSeconds}output{...on ChatCompletion{messages{${messageFields}}choices{index message{${messageFields}}finishReason}raw@include(if:$withRaw)}}`;

export const threadText = `query ChatThread($ids:[ID!]!$withRaw:Boolean!){nodes(ids:$ids){...on Generation{thread{${turnFields}}}}}`;
export const newestText =
  'query NewestChat($collection:ID!){generations(first:1 filter:{kinds:[CHAT]collection:$collection}){edges{node{id isTerminal}}}}';
export const keyText = 'query ChatOfKey($key:ID!){generation(by:{idempotencyKey:$key}){id}}';
export const rawText =
  'query ChatRaw($ids:[ID!]!){nodes(ids:$ids){...on Generation{output{...on ChatCompletion{raw}}}}}';

/** The turns up to this one, oldest first. Undefined if it is unknown. */
export async function readThread(
  gengraph: Gengraph,
  id: string,
  withRaw: boolean,
): Promise<readonly Turn[] | undefined> {
  const variables = { ids: [id], withRaw };
  const [found] = await read<readonly ({ readonly thread?: readonly Turn[] } | null)[]>(gengraph, {
    query: threadText,
    variables,
  });
  return found?.thread;
}

export interface NewestChat {
  readonly id: string;
  readonly isTerminal: boolean;
}

/** The chat of the collection that was created last, on any branch. */
export async function findNewest(gengraph: Gengraph, collection: string): Promise<NewestChat | undefined> {
  const { edges } = await read<{ readonly edges: readonly { readonly node: NewestChat }[] }>(gengraph, {
    query: newestText,
    variables: { collection },
  });
  return edges[0]?.node;
}

/** The chat that this key has made. Undefined if there is none yet. */
export async function findByKey(gengraph: Gengraph, key: string): Promise<string | undefined> {
  const operation = { query: keyText, variables: { key } };
  return toValue(await gengraph.run<Pick<Turn, 'id'> | null>(operation))?.id;
}

/** The gateway's reply in one document, with the members that have no field in the graph. */
export async function readRaw(gengraph: Gengraph, id: string): Promise<unknown> {
  const [found] = await read<readonly (Partial<Pick<Turn, 'output'>> | null)[]>(gengraph, {
    query: rawText,
    variables: { ids: [id] },
  });
  return found?.output?.raw;
}

async function read<Value extends object>({ client }: Gengraph, operation: Operation): Promise<Value> {
  return toValue(await runNonNull<Value>(client, operation));
}

function toValue<Value>({ problem, value }: Outcome<Value>): Value {
  if (problem) throw new GengraphChatError(problem);
  return value;
}
