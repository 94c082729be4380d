import { buildSchema, type ExecutionResult, GraphQLError, parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import type { Context } from '../../src/graphql/context.ts';
import type { Engine } from '../../src/generations/engine.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import type { Callers } from '../../src/server/callers/callers.ts';
import { type OperationArgs, runOperation } from '../../src/server/operation/execution.ts';
import { isOpen, openSubscription } from '../../src/server/operation/subscription.ts';
import { follow } from '../../src/lib/follow.ts';
import { AnswerBudget } from '../../src/graphql/answer-budget.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { freePermit } from '../support/admission.ts';
import { postJson } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';
import {
  eventWriters,
  introspections,
  type Line,
  preparation,
  startTransports,
  stubEngine,
} from '../support/transports.ts';

const systemClock = createSystemClock();

function internal(requestId: string): object {
  return {
    message: `Internal error. Find it in the server log by request id ${requestId}. Try again later.`,
    extensions: { code: 'INTERNAL', retry: 'LATER', requestId },
  };
}

/** The error of a create, which may already be charged. */
function internalCreate(requestId: string): object {
  return {
    message: `Internal error. Find it in the server log by request id ${requestId}. The request may already be charged. Repeat it only with the same idempotency key; without one, check \`generations\` first.`,
    extensions: { code: 'INTERNAL', retry: 'MAY_CHARGE_AGAIN', requestId },
  };
}

const input = '{model: "m", messages: [{role: USER, content: {text: "Hello"}}]}';

describe('a defect', () => {
  test.each([
    ['HTTP', `mutation { startChat(input: ${input}) { __typename } }`],
    ['server-sent events', `subscription { streamChat(input: ${input}, idempotencyKey: "k") { sequence } }`],
  ])(
    'is masked over %s: the client gets the request id, and the log has it once',
    async (_transport, query) => {
      const lines: Line[] = [];
      let hasStarted = false;
      const now = (): number => {
        if (hasStarted) throw new TypeError('what only the log may say');
        return systemClock.now();
      };
      await using app = await startApp({
        overrides: { clock: { ...systemClock, now } },
        onLog: (line) => void lines.push(line),
      });
      hasStarted = true;
      const reply = await postJson(app.url, { query }, { ...sandboxKey, 'x-request-id': 'one' });
      const text = /^data: (.+)$/m.exec(reply.text)?.[1] ?? reply.text;
      expect((JSON.parse(text) as ExecutionResult).errors).toMatchObject([internalCreate('one')]);
      expectLoggedOnce(lines, 'one');

      const socket = await openRawSocket(app.url, { headers: { 'x-request-id': 'two' } });
      await socket.init();
      socket.subscribe('a', query.replace('"k"', '"l"'));
      const { payload } = await socket.waitForMessage('a');
      expect((payload as ExecutionResult).errors).toMatchObject([internalCreate('two')]);
      expectLoggedOnce(lines, 'two');
      socket.subscribe('b', '{ __typename }');
      expect(await socket.waitForEnd('b')).toHaveLength(2);
      expect(JSON.stringify([reply, payload])).not.toMatch(/only the log|TypeError|\.ts/);
    },
  );
});

function expectLoggedOnce(lines: readonly Line[], requestId: string): void {
  const errors = lines.filter((line) => Number(line['level']) >= 50 && line['requestId'] === requestId);
  expect(errors).toHaveLength(1);
  expect(errors[0]?.['err']).toMatchObject({ type: 'TypeError', message: 'what only the log may say' });
}

const schema = buildSchema('type Query { a: Int } type Subscription { a: Int }');

describe('a failure to identify the caller', () => {
  const callers: Callers = { find: () => Promise.reject(new TypeError('no records')), checksTokens: false };

  test('is masked and logged once, over HTTP and over a WebSocket', async () => {
    const { url, lines } = await startTransports(schema, { callers });
    const reply = await postJson(url, { query: '{ a }' });
    expect(reply.status).toBe(500);
    expect(reply.json.errors).toEqual([internal('one')]);
    expect(lines).toMatchObject([{ requestId: 'one', err: { message: 'no records' } }]);

    const socket = await openRawSocket(url, { headers: { 'x-request-id': 'two' } });
    await socket.init();
    socket.subscribe('a', '{ a }');
    expect(await socket.waitForEnd('a')).toEqual([{ id: 'a', type: 'error', payload: [internal('two')] }]);
    expect(lines.slice(1)).toMatchObject([{ requestId: 'two', err: { message: 'no records' } }]);
    socket.terminate();
  });
});

function toArgs(engine: Engine, document: string, rootValue: object): OperationArgs {
  const budget = new AnswerBudget(1000);
  const contextValue = { engine, requestId: 'one', caller: undefined, budget } as unknown as Context; // Only these members are read.
  return { schema, document: parse(document), rootValue, contextValue };
}

const run = async (args: OperationArgs): Promise<ExecutionResult> =>
  (await runOperation(args, { introspections })).result;
const subscribe = (args: OperationArgs) => openSubscription(args, freePermit, { preparation, eventWriters });

describe('an operation never throws', () => {
  test('if graphql-js throws', async () => {
    const { engine, lines } = stubEngine();
    const args = { ...toArgs(engine, '{ a }', {}), variableValues: 'none' as never };
    expect((await run(args)).errors).toMatchObject([internal('one')]);
    expect(await subscribe({ ...args, document: parse('subscription { a }') })).toMatchObject({
      errors: [internal('one')],
    });
    expect(lines).toHaveLength(2);
    expect(engine.executions.count).toBe(0);
  });

  test('an expected error keeps its message', async () => {
    const { engine, lines } = stubEngine();
    const a = (): never => {
      throw new GraphQLError('Not so.', { extensions: { code: 'BAD_REQUEST' } });
    };
    const { errors } = await run(toArgs(engine, '{ a }', { a }));
    expect(errors).toMatchObject([{ message: 'Not so.', extensions: { code: 'BAD_REQUEST' } }]);
    expect(lines).toEqual([]);
  });
});

describe('a failing event source', () => {
  test('ends the subscription with a masked error and is returned', async () => {
    const { engine, lines } = stubEngine();
    let isReturned = false;
    const source = follow({
      open: () => () => (isReturned = true),
      take() {
        throw new TypeError('a broken source');
      },
    });
    const events = await subscribe(toArgs(engine, 'subscription { a }', { a: () => source }));
    if (!isOpen(events)) throw new Error(JSON.stringify(events));
    await expect(events.next()).rejects.toMatchObject(internal('one'));
    expect(isReturned).toBe(true);
    expect(lines).toMatchObject([{ err: { message: 'a broken source' } }]);
  });
});
