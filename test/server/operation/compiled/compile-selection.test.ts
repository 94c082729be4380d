import {
  buildSchema,
  execute,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  parse,
  printSchema,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import type { ChatChoice, ChatDelta, ChatState } from '../../../../src/capabilities/chat/completion.ts';
import { capabilities } from '../../../../src/capabilities/index.ts';
import { StreamError } from '../../../../src/errors.ts';
import {
  type Charge,
  createSelectionCompiler,
} from '../../../../src/server/operation/compiled/compile-selection.ts';
import { AnswerBudget } from '../../../../src/graphql/answer-budget.ts';
import type { Context } from '../../../../src/graphql/context.ts';
import { limitAnswers } from '../../../../src/graphql/limit-answers.ts';
import { createSchema } from '../../../../src/schema.ts';
import { toEventArgs } from '../../../../src/server/operation/event-execution.ts';
import { fragmentsOf } from '../../../../src/server/operation/operation-limits.ts';
import type { GenerationEvent } from '../../../../src/streams/follow-stream.ts';
import { createRandom } from '../../../support/random.ts';
import {
  type Dice,
  type FragmentTexts,
  pick,
  randomSelection,
  randomValue,
} from '../../../support/random-selection.ts';
import { firstSeed } from '../../../support/seeds.ts';

/** `npm run test:long` sets a larger number. */
const count = Number(process.env['SELECTIONS'] ?? 2000);

const { schema: clientSchema, subgraphSchema } = createSchema(capabilities);

/** The types of the product with default resolvers, so that any value can be their source. */
const plainSchema = limitAnswers(withRootFields(buildSchema(printSchema(clientSchema))));

/** Adds a root field for each composite type. */
function withRootFields(schema: GraphQLSchema): GraphQLSchema {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => isCompositeType(type) && !type.name.startsWith('__'),
  );
  for (const type of types)
    if (isAbstractType(type))
      type.resolveType = ({ __typename }: { readonly __typename: string }) => __typename;
  const fields = types.flatMap((type) => (isCompositeType(type) ? [[type.name, { type }] as const] : []));
  return new GraphQLSchema({
    ...schema.toConfig(),
    query: new GraphQLObjectType({ name: 'Root', fields: Object.fromEntries(fields) }),
    mutation: null,
    subscription: null,
    types,
  });
}

const noContext = new Proxy({} as Context, {
  get() {
    throw new Error('a resolver read the context');
  },
});

/** The text of the compiled operation. Undefined if only graphql-js can execute it. */
function write({ schema, document, rootValue }: ExecutionArgs, maxBytes: number): string | undefined {
  const [operation] = document.definitions;
  const root = schema.getQueryType();
  if (operation?.kind !== Kind.OPERATION_DEFINITION || !root) throw new Error('no operation');
  const charge: Charge = { maxBytes, bytes: 0, objects: 0 };
  const compiler = createSelectionCompiler(schema, Object.fromEntries(fragmentsOf(document)));
  try {
    return compiler.compileObject(root, [operation.selectionSet])(rootValue, noContext, charge);
  } catch {
    return undefined;
  }
}

/** Executes in both ways. Returns whether the compiled operation wrote the answer: the same as graphql-js, without errors. */
async function compare(args: ExecutionArgs, maxBytes: number): Promise<boolean> {
  const text = write(args, maxBytes);
  if (text === undefined) return false;
  const contextValue = { ...noSources, budget: new AnswerBudget(maxBytes) };
  const result: ExecutionResult = await execute({ ...args, contextValue });
  expect(result.errors).toBeUndefined();
  expect(text).toBe(JSON.stringify(result.data));
  return true;
}

/** What resolvers of the product read from their context before they return a generation. */
const noSources = { loaders: { usesTasks: false, taskSelections: { findReads: () => undefined } } };

describe('a compiled selection', () => {
  test('writes what graphql-js executes, for random selections and values of all types', async () => {
    const fields = Object.values(plainSchema.getQueryType()?.getFields() ?? {});
    let written = 0;
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const dice: Dice = { next: createRandom(seed), aliases: 0 };
      const field = fields[seed % fields.length];
      if (!field) throw new Error('no field');
      const fragments: FragmentTexts = new Map();
      const selection = randomSelection(plainSchema, getNamedType(field.type), { dice, depth: 3, fragments });
      const condition = dice.next() < 0.1 ? '@include(if: true)' : '';
      const document = parse(
        [`{ ${field.name} ${condition} ${selection} }`, ...fragments.values()].join('\n'),
      );
      const rootValue = { [field.name]: randomValue(plainSchema, field.type, dice, 4) };
      const maxBytes = dice.next() < 0.3 ? Math.floor(dice.next() * 400) : 1e9;
      if (await compare({ schema: plainSchema, document, rootValue }, maxBytes)) written += 1;
    }
    expect(written).toBeGreaterThan(count / 3);
  });

  test('writes what the resolvers of the product return, for random selections and events of chats', async () => {
    const type = subgraphSchema.getType('ChatEvent');
    if (!isCompositeType(type)) throw new Error('no type');
    let written = 0;
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const dice: Dice = { next: createRandom(seed), aliases: 0 };
      const fragments: FragmentTexts = new Map();
      const selection = randomSelection(subgraphSchema, type, { dice, depth: 4, fragments });
      const text = [`subscription { chatEvents(id: "1") ${selection} }`, ...fragments.values()].join('\n');
      const args = toEventArgs({
        schema: subgraphSchema,
        document: parse(text),
        rootValue: randomEvent(dice),
      });
      if (await compare(args, dice.next() < 0.2 ? Math.floor(dice.next() * 300) : 1e9)) written += 1;
    }
    expect(written).toBeGreaterThan(count / 3);
  });

  test('leaves a resolver that reads the context to graphql-js', () => {
    const document = parse('subscription { chatEvents(id: "1") { soFar { messages { content } } } }');
    const rootValue = { type: 'snapshot', sequence: 0, state: { choices: [] }, generation: undefined };
    expect(write(toEventArgs({ schema: subgraphSchema, document, rootValue }), 1e9)).toBeUndefined();
  });

  test('leaves an answer beyond its budget to graphql-js', () => {
    const document = parse(
      'subscription { chatEvents(id: "1") { soFar { choices { message { content } } } } }',
    );
    const state = { choices: [{ index: 0, content: 'x'.repeat(500) }] };
    const rootValue = { type: 'snapshot', sequence: 0, state, generation: undefined };
    const args = toEventArgs({ schema: subgraphSchema, document, rootValue });
    expect(write(args, 600)).toContain('xxx');
    expect(write(args, 500)).toBeUndefined();
  });
});

function randomEvent(dice: Dice): GenerationEvent<ChatState, ChatDelta> {
  const state = { model: pick(dice, [undefined, 'gpt-4o']), choices: randomChoices(dice) };
  const base = { sequence: Math.floor(dice.next() * 9), state, generation: undefined };
  const delta = { choices: randomChoices(dice) };
  const error = new StreamError('STREAM_CUT', 'The connection broke.');
  const event = pick<GenerationEvent<ChatState, ChatDelta>>(dice, [
    { ...base, type: 'snapshot' },
    { ...base, type: 'delta', fromSequence: 1, delta },
    { ...base, type: 'delta', fromSequence: 1, delta },
    { ...base, type: 'completed' },
    { ...base, type: 'failed', error },
  ]);
  if (!event) throw new Error('no event');
  return event;
}

function randomChoices(dice: Dice): readonly ChatChoice[] {
  const text = () => pick(dice, [undefined, '', 'Hello', '"\n\u2028', '😀', '日本語']);
  return Array.from({ length: Math.floor(dice.next() * 3) }, (_, index) => ({
    index,
    role: pick(dice, [undefined, 'assistant', 'tool'] as const),
    content: text(),
    reasoningContent: text(),
    refusal: text(),
    finishReason: pick(dice, [undefined, 'stop']),
    toolCalls: pick(dice, [undefined, [], [{ index: 0, id: 'call', name: text(), arguments: text() }]]),
    functionCall: pick(dice, [undefined, { name: text(), arguments: text() }]),
  }));
}
