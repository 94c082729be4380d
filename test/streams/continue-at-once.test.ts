import { expect, test } from 'vitest';
import { chatId, userMessage } from '../support/conversations.ts';
import { sendEvents, startFakeGateway } from '../support/fake-gateway.ts';
import { forEachLimited, isLong } from '../support/fleet.ts';
import { startInstances } from '../support/instances.ts';
import { words } from '../support/scripted-gateway.ts';

const threads = isLong ? 40 : 2;
const turns = 25;

interface Ended {
  readonly streamChat: { readonly __typename: string; readonly generationId: string };
}

test(
  `of ${threads * turns} turns on three servers, each sent as soon as the last one ended, all find it`,
  { timeout: isLong ? 600_000 : 60_000 },
  async () => {
    const lengths: number[] = [];
    const gateway = await startFakeGateway((_request, response, body) => {
      lengths.push((JSON.parse(body) as { messages: readonly unknown[] }).messages.length);
      sendEvents(response, [...words('a', 'b'), '[DONE]']);
    });
    const { apps } = await startInstances(3, { gatewayUrl: gateway.url });
    const clients = apps.map((app) => app.wsClient());
    /** Sends a turn to the next server and returns its id when the final event arrives. */
    const stream = async (turn: number, input: object): Promise<string> => {
      const client = clients[turn % clients.length];
      if (!client) throw new Error('three were started');
      const events = client.iterate<Ended>({
        query: `subscription ($input: ChatInput!) {
        streamChat(input: $input) { __typename generationId ... on ChatFailed { error { code message } } }
      }`,
        variables: { input: { model: 'm', messages: [userMessage(`turn ${turn}`)], ...input } },
      });
      for await (const { data, errors } of events) {
        if (data?.streamChat.__typename === 'ChatCompleted') return data.streamChat.generationId;
        if (errors || data?.streamChat.__typename === 'ChatFailed')
          throw new Error(JSON.stringify(errors ?? data));
      }
      throw new Error('the stream has no end');
    };
    const names = Array.from({ length: threads }, (_, index) => index);
    await forEachLimited(names, 4, async (name) => {
      let last = await stream(name, {});
      for (let turn = 1; turn < turns; turn += 1) {
        // Every fifth turn waits for the whole reply instead.
        const app = apps[(name + turn) % apps.length];
        last =
          app && turn % 5 === 0
            ? await chatId(app, { continueFrom: last })
            : await stream(name + turn, { continueFrom: last });
      }
    });
    const expected = names.flatMap(() => Array.from({ length: turns }, (_, turn) => 2 * turn + 1));
    expect(lengths.toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
  },
);
