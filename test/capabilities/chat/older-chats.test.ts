import { expect, test, describe } from 'vitest';
import { chatId, readConversation, sendChat, userMessage } from '../../support/conversations.ts';
import { downgradeStatements } from '../../support/downgrade.ts';
import { createRecords, engines, type Records } from '../../support/records.ts';
import { startRecorded } from '../../support/recording-gateway.ts';

const photo = `data:image/png;base64,${'iVBORw0KGgo'.repeat(200)}`;

async function start({ env }: Records) {
  const server = await startRecorded({ env });
  server.gateway.answer({ body: { choices: [{ message: { content: 'reply' }, finish_reason: 'stop' }] } });
  return server;
}

describe.each(engines)('on %s', (engine) => {
  test('chats of an older version can be continued, unless their messages were not recorded whole', async () => {
    const records = await createRecords(engine);
    const ids = { text: '', image: '', link: '' };
    {
      await using older = await start(records);
      const { app } = older;
      const image = (url: string) => ({ role: 'USER', content: { parts: [{ imageUrl: { url } }] } });
      ids.text = await chatId(app);
      ids.image = await chatId(app, { messages: [image(photo)] });
      ids.link = await chatId(
        app,
        { messages: [image('https://example.com/a.png')] },
        { idempotencyKey: 'old' },
      );
    }
    for (const statement of downgradeStatements(engine)) await records.query(statement);
    await using newer = await start(records);
    const { app, gateway } = newer;
    expect(await readConversation(app, ids.text)).toMatchObject({ canContinue: true, parent: null });
    expect(await readConversation(app, ids.link)).toMatchObject({ canContinue: true });
    expect(await readConversation(app, ids.image)).toMatchObject({
      notContinuableReason: 'MEDIA_NOT_RECORDED',
    });
    expect(await sendChat(app, { continueFrom: ids.image })).toMatchObject({ reason: 'MEDIA_NOT_RECORDED' });
    expect(gateway.requests).toHaveLength(0);
    const child = await chatId(app, { continueFrom: ids.text, messages: [userMessage('on')] });
    expect(gateway.requests[0]?.body).toMatchObject({
      messages: [{ content: 'Hello' }, { content: 'reply' }, { content: 'on' }],
    });

    // A retry of a create of the older version has the same fingerprint.
    const image = { role: 'USER', content: { parts: [{ imageUrl: { url: 'https://example.com/a.png' } }] } };
    expect(await chatId(app, { messages: [image] }, { idempotencyKey: 'old' })).toBe(ids.link);
    expect(gateway.requests).toHaveLength(1);

    // A server of the older version beside this one writes rows without the new columns.
    await records.query(`update generations set input_state = null where id = '${child}'`);
    await chatId(app, { continueFrom: child });
    expect(gateway.requests[1]?.body).toMatchObject({ messages: { length: 5 } });
  });
});
