import { expect, test } from 'vitest';
import { apiAt } from '../support/app.ts';
import { builtEnv, builtStart } from '../support/built-program.ts';
import { ask, createChatCompletion, made } from '../support/chats.ts';
import { createDirectory } from '../support/durable-server.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { sendRequest } from '../support/http.ts';
import { startProgram, waitForStart } from '../support/programs.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly type: string };
}

test('nothing is sent if the store is unavailable, and the failure is reported and logged once; the server is not ready at once', async () => {
  const gateway = await startFakeGateway((_request, response) =>
    sendJson(response, '{"choices":[{"message":{"content":"Hi!"}}]}'),
  );
  // To SQLite, a file size limit looks like a full disk.
  const program = startProgram(['bash', '-c', 'ulimit -f 1500; exec node "$@"', 'bash', ...builtStart], {
    env: { ...builtEnv, DATA_DIR: await createDirectory(), GATEWAY_URL: gateway.url, LOG_LEVEL: 'warn' },
  });
  const url = await waitForStart(program);
  const api = apiAt(`${url}/graphql`);
  const ready = async () => (await sendRequest(new URL('/health/ready', url).href, { method: 'GET' })).status;
  expect(await ready()).toBe(200);
  expect(made(await createChatCompletion(api, { input: ask('Hello') })).status).toBe('SUCCEEDED');

  const refusal = await api.run('mutation ($input: ChatInput!) { startChat(input: $input) { __typename } }', {
    input: ask('x'.repeat(2_000_000)),
  });
  expect(refusal.errors).toMatchObject([
    {
      message: expect.stringMatching(/^The server cannot read or write its records now\. Nothing was sent/),
      extensions: { code: 'RECORDS_UNAVAILABLE', retry: 'LATER', requestId: expect.any(String) },
    },
  ]);
  expect(await ready()).toBe(503);
  expect(gateway.requests).toHaveLength(1);
  // The log line may arrive after the reply.
  await program.waitForOutput(/^\{.*"level":50.*\}\n/m);
  const lines = program.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line);
  expect(lines.filter(({ msg }) => msg !== 'operation')).toMatchObject([
    {
      level: 50,
      msg: 'operation failed: the records are unavailable',
      err: { type: 'RecordsUnavailableError' },
    },
  ]);
});
