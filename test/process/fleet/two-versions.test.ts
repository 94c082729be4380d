import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Api, apiAt } from '../../support/app.ts';
import { startBuilt } from '../../support/built-program.ts';
import {
  ask,
  chatEvents,
  createChatCompletion,
  findGeneration,
  made,
  nextEvent,
  startChat,
  toEnd,
} from '../../support/chats.ts';
import { foldedText } from '../../support/fold-chat.ts';
import { startProgram, waitForStart } from '../../support/programs.ts';
import { createRecords } from '../../support/records.ts';
import { startScriptedGateway, words } from '../../support/scripted-gateway.ts';

/** Directory of an older version with its node_modules. Its migrations must be those of this version without the last ones. */
const olderCheckout = process.env['OLDER_CHECKOUT'];

describe('an older and this version on PostgreSQL', () => {
  beforeEach(({ skip }) =>
    skip(olderCheckout === undefined, 'needs an older version: set OLDER_CHECKOUT to its directory'),
  );

  test('serve the same records side by side, whichever starts first', { timeout: 180_000 }, async () => {
    const [records, gateway] = [await createRecords('PostgreSQL'), await startScriptedGateway()];
    const start = async (cwd?: string): Promise<Api> => {
      const env = { ...records.env, GATEWAY_URL: gateway.url, LOG_LEVEL: 'warn' };
      const program =
        cwd === undefined ? startBuilt([], { env }) : startProgram(['node', 'src/start.js'], { env, cwd });
      return apiAt(`${await waitForStart(program)}/graphql`);
    };
    const older = await start(olderCheckout);
    const newer = await start();
    const olderThatStartsLater = await start(olderCheckout);
    const servers = [older, newer, olderThatStartsLater];
    let sent = 0;
    for (const producer of servers) {
      const at = sent;
      const starting = startChat(producer, { input: ask(`chat ${at}`), idempotencyKey: `chat ${at}` });
      const exchange = await gateway.exchange(at);
      exchange.send(...words('a'));
      const { id } = made(await starting);
      const watchers = [];
      for (const server of servers) {
        const events = chatEvents(server.wsClient(), { id });
        watchers.push({ events, seen: [await nextEvent(events)] });
      }
      // Longer than the checks of sessions, so that each could end the others.
      await wait(5000);
      exchange.send(...words('b'), '[DONE]');
      for (const { events, seen } of watchers)
        expect(foldedText([...seen, ...(await toEnd(events))])).toBe('ab');
      const create = { input: ask(`create ${at}`), idempotencyKey: `create ${at}` };
      const creating = createChatCompletion(producer, create);
      (await gateway.exchange(at + 1)).reply(200, { choices: [{ message: { content: 'Hi' } }] });
      const whole = made(await creating);
      for (const server of servers) {
        expect(await findGeneration(server, id)).toMatchObject({ status: 'SUCCEEDED' });
        expect(made(await createChatCompletion(server, create)).id).toBe(whole.id);
      }
      sent += 2;
    }
    expect(gateway.requests).toHaveLength(sent);
  });
});
