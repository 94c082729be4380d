import { expect, test } from 'vitest';
import { startApp } from '../../support/app.ts';
import { ask, createChatCompletion, made } from '../../support/chats.ts';
import { sendJson, startFakeGateway } from '../../support/fake-gateway.ts';

const replies = [
  { choices: [{ message: { content: 'a' }, finish_reason: 5, odd: null }], usage: null, fingerprint: null },
  { choices: [{ index: -1, message: { content: 12, tool_calls: [{ id: 5 }], role: 'weird' } }, 'x'] },
  { choices: [{ index: 0, message: { content: 'half \ud83d' } }] },
  {},
  { choices: null },
  { choices: [], note: 'nothing' },
];

test.each(replies.map((reply) => [JSON.stringify(reply), reply] as const))(
  'an unstreamed reply is recorded unchanged: %s',
  async (_text, reply) => {
    const gateway = await startFakeGateway((_request, response) => sendJson(response, reply));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const generation = made(await createChatCompletion(app, { input: ask('Hello') }));
    expect(generation.raw).toEqual(reply);
    const hasChoice = 'choices' in reply && Array.isArray(reply.choices) && reply.choices.length > 0;
    expect(generation).toMatchObject(
      hasChoice
        ? { status: 'SUCCEEDED', error: null }
        : { status: 'FAILED', error: { message: 'The gateway replied without a choice.' } },
    );
  },
);
