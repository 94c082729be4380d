import { composeSupergraph, readSdl } from '../../support/federation/compose.ts';
import { startHiveGateway } from '../../support/federation/hive-gateway.ts';
import type { SetUp } from '../set-up.ts';
import { oneProcess } from './one-process.ts';

/** One process behind Hive Gateway with the published configuration. */
export const router: SetUp = {
  name: 'one process behind Hive Gateway',
  faults: oneProcess.faults,
  exclusions: [
    {
      pattern:
        /^healing: stream(Chat|Images) |^properties: cuts at any byte|with the same operation id|^faults: .*without a key/,
      reason: 'a router chooses the operation id itself, so a repeated create needs a client key',
    },
    {
      pattern: /^order under merging: a WebSocket client that stops reading for 30 words of 100000 /,
      reason: 'the router reads for its slow client and buffers, so events do not merge',
    },
    {
      pattern: /^faults: a stock client that was watching gets the one ending after a kill$/,
      reason:
        'the router ends a subscription with an error when the server dies; its client subscribes again',
    },
  ],
  async start(options) {
    const endpoint = await oneProcess.start(options);
    const subgraph = { name: 'gengraph', url: endpoint.url, sdl: await readSdl(endpoint.url) };
    const gateway = await startHiveGateway(composeSupergraph([subgraph]));
    return {
      ...endpoint,
      url: gateway.url,
      socketUrl: gateway.url.replace('http', 'ws'),
      async close() {
        await gateway[Symbol.asyncDispose]();
        await endpoint.close();
      },
    };
  },
};
