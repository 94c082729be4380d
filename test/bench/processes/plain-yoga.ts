import { createServer } from 'node:http';
import { createParser } from 'eventsource-parser';
import { createSchema, createYoga } from 'graphql-yoga';
import { Pool } from 'undici';
import { chatPath, voicesPath } from '../workload.ts';
import { listen, serveServerCalls } from './server-calls.ts';
import { serveSockets } from './yoga-sockets.ts';

/** The same two operations, implemented as in the documentation of graphql-yoga and graphql-ws. */

interface VoicesPage {
  readonly data: readonly { readonly task_result: { readonly voices: readonly WireVoice[] } }[];
}

interface WireVoice {
  readonly voice_id: string;
  readonly voice_name: string;
  readonly language: string;
  readonly gender: string;
}

interface Chunk {
  readonly choices: readonly {
    readonly index: number;
    readonly delta: { readonly content?: string };
    readonly finish_reason: string | null;
  }[];
}

interface ChatArguments {
  readonly input: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: { readonly text: string } }[];
  };
}

const pool = new Pool(process.argv[2] ?? '', { connections: 4096 });

const typeDefs = /* GraphQL */ `
  type Query {
    voices(first: Int): VoiceConnection!
  }
  type VoiceConnection {
    edges: [VoiceEdge!]!
  }
  type VoiceEdge {
    node: Voice!
  }
  type Voice {
    id: ID!
    voiceId: String!
    name: String
    language: String
    gender: String
  }
  type Subscription {
    streamChat(input: ChatInput!): ChatEvent!
  }
  input ChatInput {
    model: String!
    messages: [ChatMessageInput!]!
  }
  input ChatMessageInput {
    role: ChatRole!
    content: ChatContentInput
  }
  enum ChatRole {
    USER
  }
  input ChatContentInput {
    text: String
  }
  interface ChatEvent {
    sequence: Int!
  }
  type ChatSnapshot implements ChatEvent {
    sequence: Int!
  }
  type ChatDelta implements ChatEvent {
    sequence: Int!
    fromSequence: Int!
    choices: [ChatChoiceDelta!]!
  }
  type ChatChoiceDelta {
    index: Int!
    content: String
    finishReason: String
  }
  type ChatCompleted implements ChatEvent {
    sequence: Int!
  }
`;

interface YogaContext {
  readonly request: Request | undefined;
}

const yoga = createYoga({
  schema: createSchema<YogaContext>({
    typeDefs,
    resolvers: {
      Query: {
        voices: (_root: unknown, { first }: { first: number }, { request }) =>
          readVoices(first, request?.headers.get('authorization') ?? ''),
      },
      Subscription: {
        streamChat: {
          subscribe: (_root: unknown, { input }: ChatArguments) => chatEvents(input),
          resolve: (event: unknown) => event,
        },
      },
    },
  }),
  logging: false,
});

async function readVoices(pageSize: number, authorization: string) {
  const { body } = await pool.request({
    method: 'GET',
    path: `${voicesPath}?pageNum=1&pageSize=${pageSize}`,
    headers: { authorization },
  });
  const page = (await body.json()) as VoicesPage;
  const voices = page.data.flatMap((entry) => entry.task_result.voices);
  return {
    edges: voices.map((voice) => ({
      node: {
        id: voice.voice_id,
        voiceId: voice.voice_id,
        name: voice.voice_name,
        language: voice.language,
        gender: voice.gender,
      },
    })),
  };
}

async function* chatEvents({ model, messages }: ChatArguments['input']) {
  const wireMessages = messages.map(({ role, content }) => ({
    role: role.toLowerCase(),
    content: content.text,
  }));
  const { body } = await pool.request({
    method: 'POST',
    path: chatPath,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: wireMessages, stream: true }),
    bodyTimeout: 120_000,
  });
  let sequence = 0;
  yield { __typename: 'ChatSnapshot', sequence };
  let events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes as Buffer, { stream: true }));
    for (const data of events) {
      if (data === '[DONE]') {
        yield { __typename: 'ChatCompleted', sequence };
        return;
      }
      const { choices } = JSON.parse(data) as Chunk;
      if (choices.length === 0) continue;
      sequence += 1;
      yield {
        __typename: 'ChatDelta',
        sequence,
        fromSequence: sequence,
        choices: choices.map(({ index, delta, finish_reason: finishReason }) => ({
          index,
          content: delta.content,
          finishReason,
        })),
      };
    }
    events = [];
  }
}

const server = createServer((request, response) => void yoga(request, response));
serveSockets(yoga, server);
serveServerCalls(await listen(server));
