import { GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString, parse } from 'graphql';
import { expect, test } from 'vitest';
import {
  createEventWriters,
  maxWrittenChars,
} from '../../../../src/server/operation/compiled/event-writers.ts';

function createWriters(maxAnswerBytes = 1000) {
  let written = 0;
  const query = new GraphQLObjectType({
    name: 'Query',
    fields: {
      text: {
        type: new GraphQLNonNull(GraphQLString),
        resolve(event: { readonly text: string }) {
          written += 1;
          return event.text;
        },
      },
    },
  });
  const writers = createEventWriters(maxAnswerBytes);
  const operation = { schema: new GraphQLSchema({ query }), document: parse('{ text }') };
  return {
    find: (origin: object) => writers.find(operation, origin),
    get written() {
      return written;
    },
  };
}

test('the watchers of one stream share the text of an event', () => {
  const writers = createWriters();
  const stream = {};
  const all = [writers.find(stream), writers.find(stream), writers.find(stream)];
  const [event, next] = [{ text: 'a' }, { text: 'b' }];
  expect(all.map((write) => write?.(event))).toEqual(Array.from(all, () => '{"text":"a"}'));
  expect(all.map((write) => write?.(next))).toEqual(Array.from(all, () => '{"text":"b"}'));
  expect(writers.written).toBe(2);
});

test('a single watcher keeps no text, until a second one comes', () => {
  const writers = createWriters();
  const stream = {};
  const first = writers.find(stream);
  const other = writers.find({});
  const event = { text: 'a' };
  for (const write of [first, first, other]) expect(write?.(event)).toBe('{"text":"a"}');
  expect(writers.written).toBe(3);
  const second = writers.find(stream);
  const next = { text: 'b' };
  for (const write of [first, second]) expect(write?.(next)).toBe('{"text":"b"}');
  expect(writers.written).toBe(4);
});

test('a long text is not written in one step, whatever an answer may have', () => {
  const write = createWriters(10 * maxWrittenChars).find({});
  const half = 'a'.repeat(maxWrittenChars / 2);
  expect(write?.({ text: half })).toBe(`{"text":"${half}"}`);
  expect(write?.({ text: half + half })).toBeUndefined();
});
