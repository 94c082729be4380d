import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startApp } from '../../../support/app.ts';
import { createDirectory } from '../../../support/durable-server.ts';
import { sendRequest } from '../../../support/http.ts';
import { secret } from '../../../support/sign-in.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/sign-in.md'), 'utf8');

function codeOf(language: string, index = 0): string {
  const blocks = [...page.matchAll(new RegExp(`^ *\`\`\`${language}\n(.*?)^ *\`\`\`$`, 'gms'))];
  return (blocks[index]?.[1] ?? '').replaceAll(/^ {3}/gm, '');
}

test('the script of the page mints a token, and its requests chat and list, without a key of the gateway', async () => {
  const settings = {
    AUTH: 'jwt',
    AUTH_JWT_SECRET: secret,
    AUTH_ISSUER: 'https://auth.example',
    AUTH_AUDIENCE: 'my-app',
  };
  await using app = await startApp({ env: { ...settings, GATEWAY_API_KEY: 'sk-sandbox' } });
  const script = join(await createDirectory(), 'mint-token.mjs');
  await writeFile(script, codeOf('js'));
  const mintFor = async (user: string): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [script, user], { env: settings });
    return stdout.trim();
  };
  const [chat = '', list = ''] = [codeOf('sh', 1), codeOf('sh', 2)].map(
    (command) => /-d '(.*)'/.exec(command)?.[1] ?? '',
  );
  const post = (body: string, token: string, accept: string) =>
    sendRequest(app.url, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept },
      body: [Buffer.from(body)],
    });
  const ann = await mintFor('ann');
  const { text } = await post(chat, ann, 'text/event-stream');
  expect(text).toContain('"status":"SUCCEEDED"');
  expect((await post(list, ann, 'application/json')).json.data).toMatchObject({
    generations: { edges: [{ node: { prompt: 'Hello' } }] },
  });
  expect((await post(list, await mintFor('bob'), 'application/json')).json.data).toEqual({
    generations: { edges: [] },
  });
});
