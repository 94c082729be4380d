import { describe, expect, onTestFinished, test } from 'vitest';
import { advanceUntil } from '../support/advance-until.ts';
import { type Api, startApp, type TestApp } from '../support/app.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';
import { createFolder, createImage, findAssets, settledAssets } from '../support/files.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { pngOf } from '../support/png.ts';
import { createRecords, type Engine, engines, type Records } from '../support/records.ts';

const png = pngOf('inline', 30_000);
const base64 = png.toString('base64');
const uri = `data:image/png;base64,${base64}`;

type Replies = Readonly<Record<string, (body: { readonly messages?: readonly unknown[] }) => object>>;

/** What the gateway answers, by the beginning of the path. */
const replies: Replies = {
  '/v1/images': () => ({ data: [{ b64_json: base64 }, { b64_json: base64 }] }),
  '/v1/chat': () => ({
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Here.', images: [{ image_url: { url: uri } }] },
        finish_reason: 'stop',
      },
    ],
  }),
  '/v1beta': () => ({
    candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: base64 } }] } }],
  }),
  '/hosta': () => ({ id: 'p1', status: 'succeeded', output: [uri], completed_at: '2026-01-01T00:00:00Z' }),
};

async function createDeployment(engine: Engine, image: () => string = () => base64) {
  const records = await createRecords(engine);
  const folder = await createFolder();
  const sent: string[] = [];
  const gateway = await startFakeGateway((request, response, text) => {
    const path = request.url ?? '';
    sent.push(text);
    const reply = Object.entries(replies).find(([start]) => path.startsWith(start))?.[1];
    const body = JSON.stringify(reply?.(JSON.parse(text || '{}')) ?? {}).replaceAll(base64, image());
    sendJson(response, body);
  });
  const start = async (env: Readonly<Record<string, string>> = {}, overrides = {}): Promise<TestApp> => {
    const app = await startApp({
      gatewayUrl: gateway.url,
      env: { ...records.env, FILES: 'folder', FILES_DIR: folder, ...env },
      overrides,
    });
    onTestFinished(() => app[Symbol.asyncDispose]());
    return app;
  };
  return { records, start, sent };
}

/** The bytes of all contents and tasks. */
async function recordedBytes({ query }: Records): Promise<number> {
  const [row] = await query(
    'select (select coalesce(sum(octet_length(body)), 0) from contents) + (select coalesce(sum(octet_length(body)), 0) from tasks) as bytes',
  );
  return Number(row?.['bytes']);
}

async function create(app: Api, mutation: string): Promise<string> {
  const { data, errors } = await app.run<{ made: { id?: string } }, object>(
    `mutation { made: ${mutation} { ... on Generation { id } ... on GengraphError { message } } }`,
  );
  if (data?.made.id === undefined) throw new Error(JSON.stringify({ data, errors }));
  return data.made.id;
}

const creates = {
  images: 'createImage(input: { byCount: { model: "gpt-image", prompt: "x" } })',
  chat: 'createChatCompletion(input: { model: "m", messages: [{ role: USER, content: { text: "Draw." } }] })',
  content: 'generateContent(input: { model: "m", contents: [{ role: "user", parts: [{ text: "Draw." }] }] })',
} as const;

const read = async (app: Api, id: string, output: string): Promise<unknown> => {
  const { data, errors } = await app.run<{ generation: { output: unknown } }, object>(
    `query ($id: ID!) { generation(by: { id: $id }) { output { ${output} } raw } }`,
    { id },
  );
  if (!data?.generation) throw new Error(JSON.stringify(errors));
  return data.generation.output;
};

describe.each(engines)('%s', (engine) => {
  // The tests below show it with SQLite.
  test('inline results leave the records, and are read from the store', async ({ skip }) => {
    skip(engine === 'SQLite' && process.env['FILES_RUNS'] !== 'all', 'runs with FILES_RUNS=all');
    const { records, start } = await createDeployment(engine);
    const app = await start();
    const images = await create(app, creates.images);
    const chat = await create(app, creates.chat);
    const content = await create(app, creates.content);
    for (const id of [images, chat, content])
      for (const asset of await settledAssets(app, id)) {
        expect(asset).toMatchObject({ storage: 'STORED', contentType: 'image/png', sourceUrl: null });
        expect(Buffer.from(await (await fetch(asset.url ?? '')).arrayBuffer()).equals(png)).toBe(true);
      }
    await expect.poll(() => recordedBytes(records), { timeout: 10_000 }).toBeLessThan(6000);
    const [sum] = await records.query('select sum(size_bytes) as bytes from generations');
    expect(Number(sum?.['bytes'])).toBeLessThan(6000);
    // As before for clients that read them inline.
    for (const id of [images, chat, content])
      for (const asset of await findAssets(app, id)) expect(asset.base64).toBe(base64);
    const signed = expect.stringMatching(/^http.*\/files\/file_/);
    expect(await read(app, images, '... on ImageSet { images { base64 url contentType } }')).toEqual({
      images: [0, 1].map(() => ({ base64, url: signed, contentType: 'image/png' })),
    });
    expect(
      await read(
        app,
        content,
        '... on ContentResponse { candidates { content { parts { inlineData { data } asset { url } } } } }',
      ),
    ).toEqual({
      candidates: [{ content: { parts: [{ inlineData: { data: base64 }, asset: { url: signed } }] } }],
    });
    expect(
      await read(
        app,
        chat,
        '... on ChatCompletion { choices { message { parts { ... on ChatImagePart { url } } } } }',
      ),
    ).toEqual({ choices: [{ message: { parts: [{}, { url: signed }] } }] });
  });
});

const engine: Engine = 'SQLite';

test('a chat with an inline image is continued with the image from the store', async () => {
  const { records, start, sent } = await createDeployment(engine);
  const app = await start();
  const id = await create(app, creates.chat);
  await settledAssets(app, id);
  await expect.poll(() => recordedBytes(records)).toBeLessThan(3000);
  const more = `createChatCompletion(input: { model: "m", continueFrom: "${id}", messages: [{ role: USER, content: { text: "Why?" } }] })`;
  await create(app, more);
  expect(sent.at(-1)).toContain(`"url":"${uri}"`);
  await app.app.close();
  const without = await start({ FILES: 'off' });
  await expect(create(without, more)).rejects.toThrow('Inline media of its messages is not recorded');
});

test('the task of a prediction does without inline files too', async () => {
  const { records, start } = await createDeployment(engine);
  const app = await start();
  const id = await create(
    app,
    'createAnimation(input: { modelVersion: "v1", promptStart: "a", promptEnd: "b" })',
  );
  const [asset] = await settledAssets(app, id);
  expect(asset).toMatchObject({ storage: 'STORED', base64 });
  await expect.poll(() => recordedBytes(records)).toBeLessThan(6000);
  const { data } = await app.run<{ generation: { task: { output: { files: readonly object[] } } } }, object>(
    'query ($id: ID!) { generation(by: { id: $id }) { task { output { ... on PredictionOutput { files { base64 url } } } } } }',
    { id },
  );
  expect(data?.generation.task.output.files).toEqual([
    { base64, url: expect.stringContaining('/files/file_') },
  ]);
});

test('an inline result that is not stored stays in its record', async () => {
  const page = Buffer.from('<html>'.padEnd(3000)).toString('base64');
  const { start } = await createDeployment(engine, () => page);
  const app = await start();
  const assets = await settledAssets(app, await createImage(app));
  expect(assets).toMatchObject([
    { storage: 'FAILED', storageFailure: 'WRONG_TYPE', base64: page, url: null },
    { storage: 'FAILED', storageFailure: 'WRONG_TYPE', base64: page, url: null },
  ]);
});

test('inline results move to the store although the records fail once while another one is given up', async () => {
  const page = Buffer.from('<html>'.padEnd(3000)).toString('base64');
  const { start, records } = await createDeployment(engine, () => `${base64}"},{"b64_json":"${page}`);
  const clock = createManualClock(Date.now());
  const app = await start({ FILES_COPIES: '1' }, { clock });
  // The last inline file makes its generation due again.
  await records.query(
    `create trigger cut before update on generations
      when old.finished_at is not null and old.files_due_at is null and new.files_due_at is not null
      begin select raise(abort, 'cut'); end`,
  );
  await createImage(app);
  const settled = async () =>
    (await records.query("select 1 from files where state <> 'PENDING' or attempts > 0")).length;
  await expect.poll(settled).toBe(4);
  await records.query('drop trigger cut');
  await advanceUntil(clock, async () => (await recordedBytes(records)) < 20_000, 5000);
  expect(await records.query('select distinct state from files order by state')).toEqual([
    { state: 'FAILED' },
    { state: 'STORED' },
  ]);
});

test('an inline result that made room for others is gone, and says so', async () => {
  let made = 0;
  const { start, records } = await createDeployment(engine, () =>
    pngOf(`${Math.floor(made++)}`, 30_000).toString('base64'),
  );
  const app = await start({ MAX_FILE_BYTES_PER_OWNER: '40000' });
  const id = await createImage(app);
  await settledAssets(app, id);
  await expect.poll(() => recordedBytes(records)).toBeLessThan(3000);
  await settledAssets(app, await createImage(app));
  expect((await findAssets(app, id))[0]).toMatchObject({
    storage: 'FAILED',
    storageFailure: 'REMOVED',
    url: null,
    base64: null,
  });
});

test('inline results in records of servers without files stay readable, and those in the store wait for it', async () => {
  const { start, records } = await createDeployment(engine);
  const before = await start({ FILES: 'off' });
  const old = await createImage(before);
  await before.app.close();
  const app = await start();
  expect((await findAssets(app, old))[0]).toMatchObject({ storage: 'OFF', base64, url: null });
  const clock = createManualClock(Date.now());
  await app.app.close();
  const next = await start({}, { clock });
  const id = await createImage(next);
  await settledAssets(next, id);
  await expect.poll(() => recordedBytes(records)).toBeLessThan(100_000);
  await next.app.close();
  const off = await start({ FILES: 'off' });
  expect((await findAssets(off, id))[0]).toMatchObject({ storage: 'OFF', base64: null, url: null });
  await off.app.close();
  expect((await findAssets(await start(), id))[0]).toMatchObject({ storage: 'STORED', base64 });
});

test('the events of images that have ended have the addresses of the store', async () => {
  const { start, records } = await createDeployment(engine);
  const app = await start();
  const id = await create(app, creates.images);
  await settledAssets(app, id);
  await expect.poll(() => recordedBytes(records)).toBeLessThan(3000);
  const [event] = await app
    .wsClient()
    .iterate({
      query: 'subscription ($id: ID!) { imageEvents(id: $id) { soFar { images { url base64 } } } }',
      variables: { id },
    })
    .next()
    .then(({ value }) => [value]);
  expect(event).toMatchObject({
    data: {
      imageEvents: {
        soFar: { images: [0, 1].map(() => ({ base64, url: expect.stringContaining('/files/') })) },
      },
    },
  });
});
