import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { postJson } from '../support/http.ts';
import { startProgram, waitForStart } from '../support/programs.ts';

/** 3 % more than the start loads. Each file costs about 0.3 ms of processor time. */
const maxFiles = 1800;

/** Only some settings or requests need these. */
const loadedOnFirstUse = [
  /\/node_modules\/(pg|jose|sharp|mediabunny|h264-mp4-encoder)\//,
  /\/node_modules\/@(breezystack|cfworker|eslint-community|opentelemetry\/(?!api\/)|graphql-yoga\/render-graphiql)/,
  /\/src\/(processes\/|bus\/postgres\/|store\/postgres\/postgres-|metrics\/otel|tracing\/otlp)/,
  /\/src\/(webhooks\/|store\/sql\/webhooks\/(apply|create|webhook-))/,
  // Callbacks, files and sign-in are off by default: without their modules, they start no timer and scan no records.
  /\/src\/(outgoing\/|open-files|store\/sql\/files\/|graphql\/stored-files)|\/src\/files\/(?!files\.ts)|\/(@aws-sdk|file-type)\//,
  /\/src\/(server\/callbacks\/|server\/callers\/sign-in\/(?!create-sign-in|looks-like-token|token-expired))/,
  /\/src\/sandbox\/media\/(animation|film|mp3|mux|picture|render-thread|song|speech|video)/,
];

test('a default start and its first answer load no module that they do not need', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gengraph-modules-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'modules');
  const program = startProgram(['node', '--require', './test/support/list-modules.cjs', 'src/start.js'], {
    env: { LOG_LEVEL: 'silent', DATA_DIR: join(folder, 'data'), MODULES_FILE: file },
  });
  const url = await waitForStart(program);
  const query = '{ voices(first: 1) { edges { node { name } } } }';
  const reply = await postJson(`${url}/graphql`, { query }, { authorization: 'Bearer sk-sandbox' });
  expect(reply.json.errors).toBeUndefined();
  program.kill('SIGTERM');
  expect(await program.exited).toEqual({ code: 0, signal: null });

  const addresses = (await readFile(file, 'utf8')).split('\n');
  expect(addresses.filter((address) => loadedOnFirstUse.some((pattern) => pattern.test(address)))).toEqual(
    [],
  );
  expect(addresses.some((address) => address.endsWith('/src/sandbox/voices/preset-voices.ts'))).toBe(true);
  expect(addresses.length).toBeLessThan(maxFiles);
});
