import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { buildSchema, type ExecutionResult, GraphQLError, parse } from 'graphql';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createCompiledQueries } from '../../src/server/operation/compiled/compiled-queries.ts';
import type { Context } from '../../src/graphql/context.ts';
import type { Engine } from '../../src/generations/engine.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { createInFlight } from '../../src/lib/in-flight.ts';
import { outcomeOf } from '../../src/lib/once.ts';
import type { Callers } from '../../src/server/callers/callers.ts';
import { createDocuments } from '../../src/server/operation/documents.ts';
import { loadTrustedDocuments } from '../../src/server/operation/trusted-documents.ts';
import { createIntrospectionRuns } from '../../src/server/operation/introspection-runs.ts';
import { createOwnerGroups } from '../../src/server/admission/owner-groups.ts';
import { createEventPreparation } from '../../src/server/operation/event-preparation.ts';
import { createPauses } from '../../src/lib/pauses.ts';
import {
  executeOperation,
  type OperationArgs,
  subscribeOperation,
} from '../../src/server/operation/execution.ts';
import { createSendBuffers } from '../../src/server/sending/send-buffers.ts';
import { TrackedResponse } from '../../src/server/sending/tracked-response.ts';
import { createWebSocketTransport } from '../../src/server/websocket/websocket.ts';
import { createAnswerBudget } from '../../src/graphql/answer-budget.ts';
import { createYogaHandler } from '../../src/server/http/yoga.ts';
import { sandboxKey, startApp } from '../support/app.ts';
import { createSocketCounts } from '../../src/server/admission/socket-counts.ts';
import { createAddressOf } from '../../src/server/admission/client-address.ts';
import { anyBytes, freePermit, openAdmission } from '../support/admission.ts';
import { postJson } from '../support/http.ts';
import { openRawSocket } from '../support/raw-socket.ts';

const systemClock = createSystemClock();

type Line = Readonly<Record<string, unknown>>;

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

/** An engine with the parts that the transports need. Collects log lines in `lines`. */
function stubEngine(): { engine: Engine; lines: Line[] } {
  const lines: Line[] = [];
  // The line of the operation itself is not one of a defect.
  const write = (facts: object, message: string): void => {
    if (message !== 'operation') lines.push({ ...facts, message });
  };
  const log = { debug: () => {}, info: () => {}, warn: write, error: write };
  // These tests use neither the store nor the gateway.
  const engine = { log, clock: systemClock, executions: createInFlight(), store: {} } as unknown as Engine;
  return { engine, lines };
}

const introspections = createIntrospectionRuns({ ownerGroups: createOwnerGroups(), clock: systemClock });
const preparation = createEventPreparation({
  maxBytes: 1_000_000,
  pauses: createPauses(),
  clock: systemClock,
});
const schema = buildSchema('type Query { a: Int } type Subscription { a: Int }');

describe('a failure to identify the caller', () => {
  const callers: Callers = { find: () => Promise.reject(new TypeError('no records')), checksTokens: false };

  test('is masked and logged once, over HTTP and over a WebSocket', async () => {
    const { engine, lines } = stubEngine();
    const trusted = loadTrustedDocuments('off', []);
    const documents = createDocuments({ schema, trusted, clock: systemClock });
    const yoga = createYogaHandler({
      engine,
      schema,
      documents,
      introspections,
      queries: createCompiledQueries(schema),
      preparation,
    });
    const webSockets = createWebSocketTransport({
      engine,
      schema,
      documents,
      introspections,
      preparation,
      callers,
      recallCaller: () => undefined,
      admission: openAdmission(),
      addressOf: createAddressOf(),
      receivedBytes: anyBytes(),
      socketCounts: createSocketCounts({ maxSockets: Infinity, maxPerAddress: Infinity }),
      sendBuffers: createSendBuffers({
        maxBytes: 1_000_000,
        maxPartyBytes: 1_000_000,
        stallTimeoutMs: 60_000,
        clock: systemClock,
        log: engine.log,
      }),
      maxMessageBytes: 1000,
      clock: systemClock,
      heartbeatMs: 60_000,
      isDraining: () => false,
    });
    const server = createServer(
      { ServerResponse: TrackedResponse },
      (req, res) =>
        void buffer(req).then(async (body) =>
          yoga(req, res, {
            req,
            res,
            requestId: 'one',
            address: '127.0.0.1',
            transport: 'http',
            reportRefused: () => {},
            permit: freePermit,
            findCaller: await outcomeOf(callers.find({ headers: req.headers })),
            readJson: () => JSON.parse(body.toString()),
          }),
        ),
    );
    server.on('upgrade', webSockets.upgrade);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => {
      await webSockets.close();
      await new Promise((resolve) => server.close(resolve));
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`; // The address of a TCP server is an AddressInfo.

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
  const budget = createAnswerBudget(1000);
  const contextValue = { engine, requestId: 'one', caller: undefined, budget } as unknown as Context; // Only these members are read.
  return { schema, document: parse(document), rootValue, contextValue };
}

describe('an operation never throws', () => {
  test('if graphql-js throws', async () => {
    const { engine, lines } = stubEngine();
    const args = { ...toArgs(engine, '{ a }', {}), variableValues: 'none' as never };
    expect((await executeOperation(args, introspections)).errors).toMatchObject([internal('one')]);
    expect(
      await subscribeOperation({ ...args, document: parse('subscription { a }') }, { preparation }),
    ).toMatchObject({
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
    const { errors } = await executeOperation(toArgs(engine, '{ a }', { a }), introspections);
    expect(errors).toMatchObject([{ message: 'Not so.', extensions: { code: 'BAD_REQUEST' } }]);
    expect(lines).toEqual([]);
  });
});

describe('a failing event source', () => {
  test('ends the subscription with a masked error and is returned', async () => {
    const { engine, lines } = stubEngine();
    let isReturned = false;
    const source: AsyncIterableIterator<object> = {
      [Symbol.asyncIterator]: () => source,
      next: () => Promise.reject(new TypeError('a broken source')),
      async return() {
        isReturned = true;
        return { done: true, value: undefined };
      },
    };
    const events = await subscribeOperation(toArgs(engine, 'subscription { a }', { a: () => source }), {
      preparation,
    });
    if (!(Symbol.asyncIterator in events)) throw new Error(JSON.stringify(events));
    await expect(events.next()).rejects.toMatchObject(internal('one'));
    expect(isReturned).toBe(true);
    expect(lines).toMatchObject([{ err: { message: 'a broken source' } }]);
  });
});
