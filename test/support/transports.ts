import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GraphQLSchema } from 'graphql';
import { onTestFinished } from 'vitest';
import type { Engine } from '../../src/generations/engine.ts';
import { createSystemClock } from '../../src/lib/clock.ts';
import { noLimits } from '../../src/lib/fairness/fair-queue.ts';
import { createSlicedTurns } from '../../src/lib/fairness/fair-work.ts';
import { sliceMs } from '../../src/lib/fairness/slice.ts';
import { createInFlight } from '../../src/lib/in-flight.ts';
import { createMediaRanges } from '../../src/lib/media-ranges.ts';
import { createAddressOf } from '../../src/server/admission/client-address.ts';
import { createOwnerGroups } from '../../src/server/admission/owner-groups.ts';
import { createSocketCounts } from '../../src/server/admission/socket-counts.ts';
import type { Callers } from '../../src/server/callers/callers.ts';
import { createGraphqlHandler } from '../../src/server/http/graphql-over-http.ts';
import { createCompiledQueries } from '../../src/server/operation/compiled/compiled-queries.ts';
import { createEventWriters } from '../../src/server/operation/compiled/event-writers.ts';
import { createDocuments } from '../../src/server/operation/documents.ts';
import { createEventPreparation } from '../../src/server/operation/event-preparation.ts';
import { createIntrospectionRuns } from '../../src/server/operation/introspection-runs.ts';
import { loadTrustedDocuments } from '../../src/server/operation/trusted-documents.ts';
import { createSendBuffers } from '../../src/server/sending/send-buffers.ts';
import { TrackedResponse } from '../../src/server/sending/tracked-response.ts';
import { createWebSocketTransport } from '../../src/server/websocket/websocket.ts';
import { anyBytes, openAdmission } from './admission.ts';

const systemClock = createSystemClock();

export type Line = Readonly<Record<string, unknown>>;

/** An engine with the parts that the transports need. Collects log lines in `lines`. */
export function stubEngine(): { engine: Engine; lines: Line[] } {
  const lines: Line[] = [];
  // The line of the operation itself is not one of a defect.
  const write = (facts: object, message: string): void => {
    if (message !== 'operation') lines.push({ ...facts, message });
  };
  const log = { debug: () => {}, info: () => {}, warn: write, error: write };
  // These tests use neither the store nor the gateway.
  const parts = {
    log,
    clock: systemClock,
    executions: createInFlight(),
    store: {},
    maxAnswerBytes: 1_000_000,
  };
  const engine = { ...parts, acceptedCallers: { has: () => true } } as unknown as Engine;
  return { engine, lines };
}

export const introspections = createIntrospectionRuns({
  ownerGroups: createOwnerGroups(),
  clock: systemClock,
});
const eventTurns = createSlicedTurns({
  lengthMs: sliceMs.events,
  pathOf: (key) => [{ key, limits: noLimits }],
});
export const preparation = createEventPreparation({
  maxBytes: 1_000_000,
  turns: eventTurns,
  clock: systemClock,
});
export const eventWriters = createEventWriters(1_000_000);

const anybody: Callers = { find: async () => undefined, checksTokens: false };

/** GraphQL of a schema over HTTP and WebSocket, without the parts around it. */
export async function startTransports(schema: GraphQLSchema, { callers = anybody } = {}) {
  const { engine, lines } = stubEngine();
  const trusted = loadTrustedDocuments('off', []);
  const documents = createDocuments({ schema, trusted, hasIntrospection: true, clock: systemClock });
  const shared = {
    engine,
    schema,
    documents,
    introspections,
    eventTurns,
    preparation,
    queries: createCompiledQueries(schema),
    eventWriters,
    callers,
    recallCaller: () => undefined,
    admission: openAdmission(),
    addressOf: createAddressOf(),
    receivedBytes: anyBytes(),
    clock: systemClock,
  };
  const graphql = createGraphqlHandler(shared);
  const webSockets = createWebSocketTransport({
    ...shared,
    socketCounts: createSocketCounts({ maxSockets: Infinity, maxPerAddress: Infinity }),
    sendBuffers: createSendBuffers({
      maxBytes: 1_000_000,
      maxGroupBytes: 1_000_000,
      stallTimeoutMs: 60_000,
      clock: systemClock,
      log: engine.log,
    }),
    maxMessageBytes: 1000,
    heartbeatMs: 60_000,
    isDraining: () => false,
  });
  const mediaRangesOf = createMediaRanges();
  const server = createServer({ ServerResponse: TrackedResponse }, (req, res) => {
    res.acceptedRanges = mediaRangesOf(req.headers.accept);
    void graphql(req, res, 'one');
  });
  server.on('upgrade', webSockets.upgrade);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    await webSockets.close();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`; // The address of a TCP server is an AddressInfo.

  return { url, lines, sockets: webSockets };
}
