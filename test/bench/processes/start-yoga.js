// A built program, like those of `start.ts`: a server as in the documentation of graphql-yoga and graphql-ws, with one query.
import { createServer } from 'node:http';
import { useServer } from 'graphql-ws/use/ws';
import { createSchema, createYoga } from 'graphql-yoga';
import { Pool } from 'undici';
import { WebSocketServer } from 'ws';

const { PORT, GATEWAY_URL = '' } = process.env;
const pool = new Pool(GATEWAY_URL, { connections: 64 });

const schema = createSchema({
  typeDefs: /* GraphQL */ `
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
  `,
  resolvers: {
    Query: {
      voices: async (_root, { first }, { request }) => {
        const { body } = await pool.request({
          method: 'GET',
          path: `/videoa/v1/general/presets-voices?pageNum=1&pageSize=${first}`,
          headers: { authorization: request.headers.get('authorization') ?? '' },
        });
        const { data } = await body.json();
        const voices = data.flatMap((entry) => entry.task_result.voices);
        return { edges: voices.map((voice) => ({ node: toVoice(voice) })) };
      },
    },
  },
});

function toVoice({ voice_id: id, voice_name: name, language, gender }) {
  return { id, voiceId: id, name, language, gender };
}

const yoga = createYoga({ schema, logging: false });
const server = createServer((request, response) => void yoga(request, response));
const sockets = new WebSocketServer({ server, path: '/graphql', perMessageDeflate: false });
useServer({ schema }, sockets);
server.listen(Number(PORT), '127.0.0.1', () => process.stderr.write('is ready\n'));
