import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createManualClock } from '../support/manual-clock.ts';
import { chatAbout, createFolder, createUpload, settledAssets, startMedia } from '../support/files.ts';
import { pngOf } from '../support/png.ts';
import { InputSchemaDocument } from '../../src/client/documents.generated.ts';
import { type Api, startApp } from '../support/app.ts';
import { createAjv } from '../support/input-cases.ts';
import { asSchema } from '../support/schema-cases.ts';
import { sendJson, startFakeGateway } from '../support/fake-gateway.ts';

interface Sent {
  readonly path: string;
  readonly body: { readonly messages?: unknown; readonly image_url?: string; readonly mask_url?: string };
}

/** A server whose gateway replies to images and chats, and remembers what it was sent. */
async function startInputs(env: Readonly<Record<string, string>> = {}) {
  const media = await startMedia((_request, response) => response.end(pngOf('made')));
  const sent: Sent[] = [];
  const { url } = await startFakeGateway((request, response, text) => {
    const path = request.url ?? '';
    sent.push({ path, body: JSON.parse(text) });
    const reply = path.includes('images')
      ? { data: [{ url: `${media.url}/a.png` }] }
      : { choices: [{ message: { role: 'assistant', content: 'A pixel.' }, finish_reason: 'stop' }] };
    sendJson(response, reply);
  });
  const clock = createManualClock(Date.now());
  const app = await startApp({
    gatewayUrl: url,
    env: { FILES: 'folder', FILES_DIR: await createFolder(), FILES_ORIGINS: media.url, ...env },
    overrides: { clock },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  const make = async (): Promise<string> => {
    const { data } = await app.run<{ made: { id: string } }, object>(
      'mutation { made: createImage(input: { byCount: { model: "dall-e-3", prompt: "x" } }) { ... on Generation { id } } }',
    );
    return data?.made.id ?? '';
  };
  const imageOf = (index: number): unknown => JSON.stringify(sent[index]?.body.messages);
  return { app, media, sent, clock, make, imageOf };
}

const put = (url: string, body: Buffer) => fetch(url, { method: 'PUT', body: new Uint8Array(body) });

test("an asset is sent by the provider's address while it lives, then inline, and the record says which", async () => {
  const { app, media, clock, make, imageOf } = await startInputs();
  const id = await make();
  await settledAssets(app, id);
  const asset = `${id}.0`;
  const first = await chatAbout(app, asset);
  expect(imageOf(1)).toContain(`"url":"${media.url}/a.png"`);
  expect(first.input).toMatchObject({ input_files: [{ id: asset, sent_as: 'PROVIDER_URL' }] });
  clock.advance(2 * 3_600_000);
  const later = await chatAbout(app, asset);
  expect(imageOf(2)).toContain(`"url":"data:image/png;base64,${pngOf('made').toString('base64')}"`);
  expect(later.input).toMatchObject({ input_files: [{ id: asset, sent_as: 'DATA_URI' }] });
  // The conversation can go on: the record names the file.
  expect(JSON.stringify(later.input)).toContain(`"url":"${asset}"`);
  await chatAbout(app, asset, { continueFrom: later.id });
  expect(String(imageOf(3)).match(/data:image\/png;base64/g)).toHaveLength(2);
});

test('an asset is sent by the address of this server if the gateway can reach it', async () => {
  const { app, clock, make, imageOf } = await startInputs({ PUBLIC_URL: 'https://files.example.com/api' });
  const id = await make();
  await settledAssets(app, id);
  clock.advance(2 * 3_600_000);
  const made = await chatAbout(app, `${id}.0`);
  expect(imageOf(1)).toMatch(
    /"url":"https:\/\/files\.example\.com\/api\/files\/file_[\w-]+\.png\?e=\w+&s=[\w-]+"/,
  );
  expect(made.input).toMatchObject({ input_files: [{ sent_as: 'SIGNED_URL' }] });
});

test('assets of others and unknown ones are refused, before anything is sent', async () => {
  const { app, sent, make } = await startInputs();
  const id = await make();
  await settledAssets(app, id);
  const others = { 'x-end-user': 'other' };
  expect(await chatAbout(app, `${id}.0`, {}, others)).toMatchObject({
    message: `input.messages.0.content.parts.1.imageUrl.url: ${id}.0: There is no such asset.`,
  });
  expect(await chatAbout(app, `${id}.7`)).toMatchObject({
    message: expect.stringContaining('no such asset'),
  });
  expect(sent).toHaveLength(1);
});

test('an upload is checked, used once or often, and kept as long as what uses it', async () => {
  const { app, clock, imageOf } = await startInputs();
  const bytes = pngOf('mine', 3000);
  const { id, url } = await createUpload(app, { contentType: 'image/png', sizeBytes: 3000 });
  expect(await chatAbout(app, id)).toMatchObject({
    message: expect.stringContaining(`: ${id}: The file has not been uploaded yet.`),
  });
  expect((await put(url, pngOf('other', 2999))).status).toBe(400);
  expect((await put(url, pngOf('other', 3001))).status).toBe(400);
  expect((await put(url, Buffer.from('<html>'.padEnd(3000)))).status).toBe(415);
  expect((await put(`${url}x`, bytes)).status).toBe(404);
  expect((await fetch(url)).status).toBe(404);
  expect((await put(url, bytes)).status).toBe(201);
  const again = await put(url, bytes);
  expect(again.status).toBe(404);
  expect(await again.text()).toContain('it is unknown or has expired, has its file, or receives it now.');
  const used = await chatAbout(app, id);
  expect(imageOf(0)).toContain(bytes.toString('base64'));
  const unused = await createUpload(app, { contentType: 'image/png', sizeBytes: 3000 });
  expect((await put(unused.url, pngOf('unused', 3000))).status).toBe(201);
  const isKnown = async (upload: string): Promise<boolean> => {
    clock.advance(5000);
    return (await chatAbout(app, upload)).message === undefined;
  };
  clock.advance(25 * 3_600_000);
  await expect.poll(() => isKnown(unused.id)).toBe(false);
  expect(await isKnown(id)).toBe(true);
  expect((await chatAbout(app, id, { continueFrom: used.id })).message).toBeUndefined();
});

test('what is sent in place of a reference has the limits of its member', async () => {
  const { app, sent } = await startInputs();
  const upload = async (contentType: string, bytes: Buffer): Promise<string> => {
    const { id, url } = await createUpload(app, { contentType, sizeBytes: bytes.length });
    expect((await put(url, bytes)).status).toBe(201);
    return id;
  };
  const image = await upload('image/png', pngOf('image'));
  const wide = pngOf('mask');
  wide.writeUInt32BE(2, 16);
  const mask = await upload('image/png', wide);
  const video = await upload('video/mp4', Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isommp41'));
  const inpainting = { prompt: 'x', image, mask: video };
  const fill = { modelOwner: 'o', modelName: 'm', prompt: 'x', image, mask };
  const withCharacter = { model: 'm', prompt: 'x', size: 'SMALL', characterUrl: video };
  for (const [field, type, input, path, message] of [
    ['queueInpainting', 'QueueInpainting', inpainting, 'mask', 'Must be an image of an accepted type'],
    ['fillImage', 'FillImage', fill, 'mask', 'The mask must have the size of the image.'],
    ['createVideo', 'CreateVideo', { withCharacter }, 'withCharacter.characterUrl', 'Must be an http(s) URL'],
  ] as const) {
    const query = `mutation ($input: ${type}Input!) { made: ${field}(input: $input) { ... on GengraphError { message } } }`;
    const { data } = await app.run<{ made: { message?: string } }, object>(query, { input });
    expect(data?.made.message).toContain(`input.${path}: upload_`);
    expect(data?.made.message).toContain(`, sent as DATA_URI: ${message}`);
  }
  expect(await chatAbout(app, video)).toMatchObject({ message: expect.stringContaining('imageUrl.url') });
  expect(sent).toEqual([]);
});

test('files that are sent inline are limited in all, each as often as it is sent', async () => {
  const { app, sent } = await startInputs();
  const { id, url } = await createUpload(app, { contentType: 'image/png', sizeBytes: 1_000_000 });
  expect((await put(url, pngOf('mine', 1_000_000))).status).toBe(201);
  const create = async (count: number) => {
    const query =
      'mutation ($input: CreateReferenceVideoInput!) { made: createReferenceVideo(input: $input) { ... on GengraphError { message } } }';
    const images = Array.from({ length: count }, () => id);
    const reference = {
      model: 'm',
      prompt: 'x',
      resolution: 'RESOLUTION_480P',
      aspectRatio: 'ASPECT_RATIO_1_1',
    };
    const input = { ...reference, durationSeconds: 1, reference: { images } };
    return (await app.run<{ made: { message: string } }, object>(query, { input })).data?.made.message;
  };
  expect(await create(60)).toContain('input.reference.images.0: ');
  expect(await create(60)).toContain('more than 40 MB');
  expect(sent).toEqual([]);
  await create(3);
  expect(sent).toHaveLength(1);
});

test('nothing is charged if the store of files cannot be read, and the advice says so', async () => {
  const folder = await createFolder();
  const { app, sent } = await startInputs({ FILES_DIR: folder });
  const { id, url } = await createUpload(app, { contentType: 'image/png', sizeBytes: 3000 });
  expect((await put(url, pngOf('mine', 3000))).status).toBe(201);
  const path = join(folder, 'objects', id.slice(-2), id);
  await rm(path);
  // It can be opened, and not read.
  await mkdir(path);
  await expect(chatAbout(app, id)).rejects.toThrow('"code":"RECORDS_UNAVAILABLE","retry":"LATER"');
  expect(sent).toEqual([]);
});

test('uploads have limits, and need a server that keeps files', async () => {
  const { app } = await startInputs({
    MAX_FILE_BYTES: '5000',
    MAX_FILE_BYTES_PER_OWNER: '4000',
    FILES_WHEN_FULL: 'refuse',
  });
  const problem = (input: object) => createUpload(app, input).catch(({ message }: Error) => message);
  expect(await problem({ contentType: 'image/png', sizeBytes: 5001 })).toContain('Must be 1 to 5000.');
  expect(await problem({ contentType: 'text/html', sizeBytes: 10 })).toContain(
    'Must be the type of an image',
  );
  expect(await problem({ contentType: 'image/SVG+xml', sizeBytes: 10 })).toContain('SVG is not accepted.');
  const first = await createUpload(app, { contentType: 'image/png', sizeBytes: 3000 });
  const second = await createUpload(app, { contentType: 'image/png', sizeBytes: 3000 });
  expect((await put(first.url, pngOf('1', 3000))).status).toBe(201);
  const refused = await put(second.url, pngOf('2', 3000));
  // The same request succeeds when there is room.
  expect([refused.status, await refused.json()]).toMatchObject([
    507,
    { errors: [{ extensions: { retry: 'LATER' } }] },
  ]);
  const { app: without } = await startInputs({ FILES: 'off' });
  await expect(createUpload(without, { contentType: 'image/png', sizeBytes: 1 })).rejects.toThrow(
    'This server keeps no files.',
  );
  expect(await chatAbout(without, first.id)).toMatchObject({
    message: expect.stringContaining('Must be an http(s) address or a base64 data URI'),
  });
});

test('the schemas of inputs take ids of assets and uploads where they take images, if the server keeps files', async () => {
  const { app, make } = await startInputs();
  const { app: without } = await startInputs({ FILES: 'off' });
  const id = `${await make()}.0`;
  const accepts = async (server: Api, input: string, value: object): Promise<boolean> => {
    const { data } = await server.run(InputSchemaDocument, { input });
    return createAjv().validate(asSchema(data?.inputSchema), value);
  };
  const chat = (url: string) => ({
    model: 'm',
    messages: [{ role: 'USER', content: { parts: [{ imageUrl: { url } }] } }],
  });
  expect(await accepts(app, 'ChatInput', chat(id))).toBe(true);
  expect(await accepts(app, 'ChatInput', chat('upload_abcdefghijklmnopqrst'))).toBe(true);
  expect(await accepts(app, 'ChatInput', chat('https://example.com/a.png'))).toBe(true);
  expect(await accepts(app, 'ChatInput', chat('upload_short'))).toBe(false);
  expect(await accepts(without, 'ChatInput', chat(id))).toBe(false);
  expect((await chatAbout(app, id)).message).toBeUndefined();
});
