import { type GraphQLSchema, isEnumType, parse, printSchema, validate, validateSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { chat } from '../src/capabilities/chat/index.ts';
import { capabilities } from '../src/capabilities/index.ts';
import { music } from '../src/capabilities/music/index.ts';
import { voice } from '../src/capabilities/voice/index.ts';
import { loadConfig } from '../src/config.ts';
import type { Capability, KindDefinition } from '../src/graphql/capability.ts';
import { packId } from '../src/lib/ids.ts';
import { type ApiSchema, createSchema } from '../src/schema.ts';
import { graphiqlTabs } from '../src/server/pages/graphiql/graphiql-tabs.ts';
import { findPathProblems } from '../src/tasks/task-reads.ts';
import { startApp } from './support/app.ts';

const full = createSchema(capabilities);
const small = createSchema([chat, music]);

function valuesOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name);
  return isEnumType(type) ? type.getValues().map((value) => value.name) : [];
}

function membersOf(schema: GraphQLSchema, name: string): readonly string[] {
  const type = schema.getType(name);
  const members = type && 'getTypes' in type ? type.getTypes() : [];
  return members.map((member) => member.name);
}

describe('two schemas of different capabilities in one process', () => {
  test('are valid, and come out the same whichever is built first', () => {
    expect(validateSchema(full.subgraphSchema)).toEqual([]);
    expect(validateSchema(small.subgraphSchema)).toEqual([]);
    expect(printSchema(createSchema([chat, music]).schema)).toBe(printSchema(small.schema));
    expect(printSchema(createSchema(capabilities).schema)).toBe(printSchema(full.schema));
  });

  test('have the fields, kinds and outputs of their own capabilities', () => {
    expect(Object.keys(small.schema.getMutationType()?.getFields() ?? {})).toEqual([
      'createChatCompletion',
      'startChat',
      'createSong',
      'createSongCover',
      'adjustSongSpeed',
      'cancelGeneration',
      'deleteGenerations',
      'deleteConversation',
      'createWebhook',
      'deleteWebhook',
      'redeliverWebhookEvents',
      'createUpload',
    ]);
    expect(valuesOf(small.schema, 'GenerationKind')).toEqual(['CHAT', 'SONG', 'SONG_COVER', 'SONG_SPEED']);
    const allKinds = capabilities.flatMap(({ kinds }) => Object.keys(kinds ?? {}));
    expect(valuesOf(full.schema, 'GenerationKind')).toEqual(allKinds);
    expect(membersOf(small.schema, 'GenerationOutput')).toEqual(['ChatCompletion', 'SongList']);
    const allOutputs = new Set(
      capabilities.flatMap(({ kinds = {} }) => Object.values(kinds).map(({ output }) => output)),
    );
    expect(membersOf(full.schema, 'GenerationOutput')).toHaveLength(allOutputs.size);
    expect(small.schema.getType('Voice')).toBeUndefined();
  });

  test('have the entities of their own capabilities', () => {
    expect(small.entityNames).toEqual(['Generation', 'Task']);
    expect(membersOf(small.subgraphSchema, '_Entity')).toEqual(['Generation', 'Task']);
    expect(full.entityNames).toContain('Voice');
    expect(membersOf(full.subgraphSchema, '_Entity')).toEqual(full.entityNames);
  });

  test('know the task ids and the task paths of their own kinds', () => {
    const song = packId('task', ['SONG', 'a']);
    const speech = packId('task', ['SPEECH', 'a']);
    const chatTask = packId('task', ['CHAT', 'a']);
    expect(small.taskKinds.handleOf(song)).toEqual({ kind: 'SONG', upstreamId: 'a' });
    expect(full.taskKinds.handleOf(song)).toEqual({ kind: 'SONG', upstreamId: 'a' });
    expect(small.taskKinds.handleOf(speech)).toBeUndefined();
    expect(full.taskKinds.handleOf(speech)).toEqual({ kind: 'SPEECH', upstreamId: 'a' });
    expect(full.taskKinds.handleOf(chatTask)).toBeUndefined();
    const paths = { SPEECH: '/v1/speech/{id}' };
    expect(findPathProblems(paths, full.taskKinds)).toEqual([]);
    expect(findPathProblems(paths, small.taskKinds)).toEqual([
      'tasks of kind SPEECH cannot be read by a path',
    ]);
  });

  test('have the GraphiQL tabs of their own capabilities, which fit the schema', () => {
    const namesOf = ({ operations }: ApiSchema) => graphiqlTabs(operations).map(({ name }) => name);
    expect(namesOf(full)).toContain('create-speech');
    expect(namesOf(small)).not.toContain('create-speech');
    const own = [...chat.operations, { name: 'refused-input' }, ...music.operations];
    expect(namesOf(small).slice(0, own.length)).toEqual(own.map(({ name }) => name));
    for (const { query } of graphiqlTabs(small.operations).slice(0, own.length))
      expect(validate(small.schema, parse(query))).toEqual([]);
  });
});

describe('two programs of different capabilities in one process', () => {
  const createSong = `mutation ($text: String!) {
    createSong(input: { description: $text, model: SONG_V5 }) {
      ... on Generation { kind task { id kind } }
      ... on InvalidInputError { issues { path } }
    }
  }`;
  const createSpeech =
    'mutation { createSpeech(input: {text: "Hi.", voice: {id: "en-us-ava"}}) { __typename } }';
  const readNode = 'query ($id: ID!) { node(id: $id) { __typename } }';

  test('run at once, each with its own operations', async () => {
    await using fullApp = await startApp();
    await using smallApp = await startApp({ overrides: { schema: small } });
    for (const app of [smallApp, fullApp]) {
      const created = await app.run<{ createSong: { task: { id: string } } }, object>(createSong, {
        text: 'x',
      });
      expect(created.data?.createSong).toMatchObject({ kind: 'SONG', task: { kind: 'SONG' } });
      const id = created.data?.createSong.task.id;
      expect(await app.run(readNode, { id })).toEqual({ data: { node: { __typename: 'Task' } } });
      // Both builders know the same error classes.
      expect(await app.run(createSong, { text: '' })).toEqual({
        data: { createSong: { issues: [{ path: ['input', 'description'] }] } },
      });
    }
    expect(await fullApp.run(createSpeech)).toEqual({ data: { createSpeech: { __typename: 'Generation' } } });
    expect((await smallApp.run(createSpeech)).errors?.[0]?.message).toContain(
      'Cannot query field "createSpeech"',
    );
    const id = packId('voice', ['preset', 'en-us-ava']);
    expect(await fullApp.run(readNode, { id })).toEqual({ data: { node: { __typename: 'Voice' } } });
    expect(await smallApp.run(readNode, { id })).toEqual({ data: { node: null } });
  });

  test('accept a task path for the kinds that they have', async () => {
    const env = { GATEWAY_TASK_PATHS: 'SPEECH=/v1/speech/{id}' };
    await using _full = await startApp({ env });
    const starting = createApp(loadConfig(env), { schema: small });
    await expect(starting).rejects.toThrow('GATEWAY_TASK_PATHS');
  });

  test("read tasks at the sandbox's own endpoints only for the kinds that they have", async () => {
    const env = { GATEWAY_URL: '' };
    await using app = await startApp({ env, overrides: { schema: small } });
    expect(await app.run('{ __typename }')).toEqual({ data: { __typename: 'Query' } });
  });
});

function kindOf({ kinds }: Capability, name: string): KindDefinition {
  const kind = kinds?.[name];
  if (!kind) throw new Error(`No kind ${name}`);
  return kind;
}

describe('a schema of capabilities that disagree', () => {
  const other: Capability = { name: 'other', operations: [], extend: () => undefined };

  test('is refused with the name that two of them define', () => {
    const build = (clash: Partial<Capability>) => () => createSchema([chat, voice, { ...other, ...clash }]);
    const { output } = kindOf(music, 'SONG');
    expect(build({ kinds: { CHAT: { description: 'Another chat.', output } } })).toThrow(
      'chat and other both define the kind CHAT',
    );
    const clashing = { description: 'Another kind.', output: { ...output, type: 'chat-completion' } };
    expect(build({ kinds: { OTHER: clashing } })).toThrow(
      'chat and other both define the output chat-completion',
    );
    const find = () => Promise.resolve(undefined);
    expect(build({ nodes: [{ prefix: 'voice', typeName: 'Other', find }] })).toThrow(
      'voice and other both define the id prefix voice',
    );
  });

  test('is built when they share one value', () => {
    const { output } = kindOf(chat, 'CHAT');
    const kinds = { OTHER: { description: 'Another chat.', output } };
    const shared = createSchema([chat, { ...other, kinds }]);
    expect(membersOf(shared.schema, 'GenerationOutput')).toEqual(['ChatCompletion']);
  });
});
