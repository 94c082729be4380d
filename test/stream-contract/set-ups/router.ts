import { readFile } from 'node:fs/promises';
import { composeSupergraph } from '../../support/federation/compose.ts';
import { type HiveOptions, startHiveGateway } from '../../support/federation/hive-gateway.ts';
import type { Exclusion, SetUp } from '../set-up.ts';
import { oneProcess } from './one-process.ts';
import { startTcpGate } from './tcp-gate.ts';

const keyless: Exclusion = {
  pattern:
    /^healing: stream(Chat|Images) |^properties: cuts at any byte|with the same operation id|^faults: .*without a key/,
  reason: 'a router chooses the operation id itself, so a repeated create needs a client key',
};
const merging: Exclusion = {
  pattern: /^order under merging: a WebSocket client that stops reading for 30 words of 100000 /,
  reason: 'the router reads for its slow client and buffers, so events do not merge',
};
const death: Exclusion = {
  pattern: /^faults: a stock client that was watching gets the one ending after a kill$/,
  reason: 'the router ends a subscription with an error when the server dies; its client subscribes again',
};

const fullDisk: Exclusion = {
  pattern:
    /^faults: disk full: watchers of a running chat notice nothing(, also if their connections break| of a create)/,
  reason: 'a new callback subscription must be recorded before its first event',
};

const keyed: Exclusion = {
  pattern: /^detach: |^faults: (a pause longer than the detach time|.*a create on their connection)/,
  reason: 'over server-sent events, a subscription that creates needs a client key',
};

const characters: Exclusion = {
  pattern: /^delta: of 200 KB arrives whole$/,
  reason: 'the router decodes each piece of an event stream by itself, which damages characters between two',
};

const subgraphFile = new URL('../../../deploy/federation/gengraph.subgraph.graphql', import.meta.url);

/** One process behind Hive Gateway, which subscribes in this way. */
function behindRouter(
  name: string,
  subscriptions: NonNullable<HiveOptions['subscriptions']>,
  exclusions: readonly Exclusion[],
): SetUp {
  return {
    name,
    faults: oneProcess.faults,
    exclusions,
    async start({ gatewayUrl, settings }) {
      // The router and the server name each other's addresses.
      const ports: number[] = [];
      const front = await startTcpGate(ports);
      const url = `http://127.0.0.1:${front.port}/graphql`;
      const subgraph = { name: 'gengraph', url, sdl: await readFile(subgraphFile, 'utf8') };
      const gateway = await startHiveGateway(composeSupergraph([subgraph]), { subscriptions });
      const callbackUrl = new URL(gateway.url).origin;
      const endpoint = await oneProcess.start({ gatewayUrl, settings: { ...settings, callbackUrl } });
      ports.push(Number(new URL(endpoint.url).port));
      return {
        ...endpoint,
        url: gateway.url,
        socketUrl: gateway.url.replace('http', 'ws'),
        async close() {
          await gateway[Symbol.asyncDispose]();
          await endpoint.close();
          await front.close();
        },
      };
    },
  };
}

export const router = behindRouter('one process behind Hive Gateway', 'ws', [keyless, merging, death]);
export const routerByCallback = behindRouter('one process behind Hive Gateway by callback', 'callback', [
  keyless,
  merging,
  fullDisk,
]);
export const routerByEvents = behindRouter('one process behind Hive Gateway by server-sent events', 'sse', [
  keyless,
  keyed,
  characters,
  merging,
  death,
]);
