import { expect } from 'vitest';
import type { Api, TestApp } from './app.ts';

export interface MessagePart {
  readonly text?: string;
  readonly url?: string;
}

export interface Message {
  readonly content: string | null;
  readonly parts: readonly MessagePart[] | null;
  readonly toolCalls: readonly { readonly index: number; readonly extraContent: unknown }[] | null;
}

export interface ChatEventWithParts {
  readonly __typename: string;
  readonly generationId: string;
  readonly sequence: number;
  readonly fromSequence?: number;
  readonly soFar: { readonly choices: readonly { readonly message: Message }[] };
  readonly choices?: readonly Message[];
  readonly ended?: RecordWithParts;
}

export interface RecordWithParts {
  readonly id: string;
  readonly assets: readonly {
    readonly kind: string;
    readonly url: string | null;
    readonly contentType: string | null;
    readonly base64: string | null;
  }[];
  readonly raw: { readonly choices: readonly { readonly message: Readonly<Record<string, unknown>> }[] };
  readonly output: ChatEventWithParts['soFar'];
}

const fragments = /* GraphQL */ `
  fragment Parts on ChatContentPart {
    ... on ChatTextPart {
      text
    }
    ... on ChatImagePart {
      url
    }
  }
  fragment SoFar on ChatCompletion {
    choices {
      message {
        content
        parts {
          ...Parts
        }
        toolCalls {
          index
          extraContent
        }
      }
    }
  }
  fragment Recorded on Generation {
    id
    raw
    assets {
      kind
      url
      contentType
      base64
    }
    output {
      ...SoFar
    }
  }
`;

const selection = /* GraphQL */ `
  __typename
  generationId
  sequence
  soFar {
    ...SoFar
  }
  ... on ChatDelta {
    fromSequence
    choices {
      content
      parts {
        ...Parts
      }
      toolCalls {
        index
        extraContent
      }
    }
  }
  ... on ChatCompleted {
    ended: generation {
      ...Recorded
    }
  }
`;

type Client = ReturnType<Api['wsClient'] | Api['sseClient']>;

export async function* watch(client: Client, id: string, after?: number): AsyncGenerator<ChatEventWithParts> {
  const query = `subscription ($id: ID!, $after: Int) { chatEvents(id: $id, after: $after) { ${selection} } } ${fragments}`;
  for await (const result of client.iterate<{ chatEvents: ChatEventWithParts }>({
    query,
    variables: { id, after },
  })) {
    if (!result.data) throw new Error(JSON.stringify(result));
    yield result.data.chatEvents;
  }
}

export async function readRecord(app: TestApp, id: string): Promise<RecordWithParts> {
  const query = `query ($id: ID!) { generation(by: { id: $id }) { ...Recorded } } ${fragments}`;
  const result = await app.run<{ generation: RecordWithParts }, object>(query, { id });
  if (!result.data) throw new Error(JSON.stringify(result));
  return result.data.generation;
}

/** Folds events by the documented rules. Fails if `soFar` of an event differs. */
export function foldParts(events: readonly ChatEventWithParts[]): Pick<Message, 'content' | 'parts'> {
  let content: string | null = null;
  let parts: readonly MessagePart[] | null = null;
  for (const event of events) {
    const message = event.soFar.choices[0]?.message;
    if (event.__typename === 'ChatSnapshot') {
      content = message?.content ?? null;
      parts = message?.parts ?? null;
    }
    for (const delta of event.choices ?? []) {
      if (delta.parts) parts = join(parts ?? (content === null ? [] : [{ text: content }]), delta.parts);
      else if (parts && delta.content !== null) parts = join(parts, [{ text: delta.content }]);
      if (delta.content !== null) content = (content ?? '') + delta.content;
    }
    expect({ content, parts }).toEqual({ content: message?.content ?? null, parts: message?.parts ?? null });
  }
  return { content, parts };
}

function join(parts: readonly MessagePart[], added: readonly MessagePart[]): readonly MessagePart[] {
  return added.reduce<readonly MessagePart[]>((all, part) => {
    const last = all.at(-1);
    return last?.text !== undefined && part.text !== undefined
      ? [...all.slice(0, -1), { text: last.text + part.text }]
      : [...all, part];
  }, parts);
}
