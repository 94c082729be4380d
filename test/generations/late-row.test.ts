import { expect, onTestFinished, test } from 'vitest';
import { ask, made, startChat } from '../support/chats.ts';
import { createRecords, engines } from '../support/records.ts';
import { startScripted, words } from '../support/scripted-gateway.ts';

test.each(engines)(
  'a duplicate gets the result of a create that ends before the row of its claim arrives: %s',
  async (engine) => {
    const { env } = await createRecords(engine);
    const read = Promise.withResolvers<void>();
    const arrival = Promise.withResolvers<void>();
    const { app, gateway, ...server } = await startScripted({
      env,
      overrides: {
        wrapStore: (store) => ({
          ...store,
          async claim(...claim) {
            const holder = await store.claim(...claim);
            if (!holder) return undefined;
            read.resolve();
            await arrival.promise;
            return holder;
          },
        }),
      },
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const create = { input: ask('Hello'), idempotencyKey: 'k' };
    const first = startChat(app, create);
    const exchange = await gateway.exchange(0);
    const duplicate = startChat(app, create);
    await read.promise;
    exchange.send(...words('a'));
    const { id } = made(await first);
    arrival.resolve();
    expect(made(await duplicate).id).toBe(id);
    expect(gateway.requests).toHaveLength(1);
  },
);
