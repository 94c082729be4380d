import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FileRecords } from '../../src/store/file-records.ts';
import type { Store } from '../../src/store/store.ts';
import { type Api, sandboxKey, startApp, type TestApp, type TestAppOptions } from './app.ts';
import { readList } from './feed-client.ts';
import { sendJson } from './fake-gateway.ts';
import { serve, type Served } from './serve.ts';

export interface ShownAsset {
  readonly id: string | null;
  readonly kind: string;
  readonly url: string | null;
  readonly sourceUrl: string | null;
  readonly base64: string | null;
  readonly contentType: string | null;
  readonly expiresAt: string | null;
  readonly storage: 'PENDING' | 'STORED' | 'FAILED' | 'OFF';
  readonly storageFailure: string | null;
}

export const assetFields = '{ id kind url sourceUrl base64 contentType expiresAt storage storageFailure }';

/** Beside the key of the sandbox. */
type Headers = Readonly<Record<string, string>>;

/** A folder that is removed when the test ends. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gengraph-files-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** For `wrapStore`: replaces methods of the records of files. */
export function replaceFileRecords(replace: (records: FileRecords) => Partial<FileRecords>) {
  return (store: Store): Store => ({
    ...store,
    async openFiles() {
      const records = await store.openFiles();
      return { ...records, ...replace(records) };
    },
  });
}

export interface FilesApp extends TestApp {
  /** Of the images of a new generation. */
  createImages(urls: readonly (string | object)[], headers?: Headers): Promise<string>;
}

/** Starts the program with files. Its gateway replies to `createImage` with the images that the test names. */
export async function startFilesApp(options: TestAppOptions = {}): Promise<FilesApp> {
  let images: readonly (string | object)[] = [];
  const gateway = await startMedia((_request, response) => {
    const data = images.map((image) => (typeof image === 'string' ? { url: image } : image));
    sendJson(response, { data });
  });
  const app = await startApp({
    gatewayUrl: gateway.url,
    ...options,
    env: { FILES: 'folder', FILES_DIR: await createFolder(), ...options.env },
  });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return {
    ...app,
    async createImages(urls, headers) {
      images = urls;
      return createImage(app, headers);
    },
  };
}

/** Returns the id of the generation. */
export async function createImage(app: Api, headers: Headers = {}): Promise<string> {
  const { data, errors } = await app.run<{ made: { id: string } }, object>(
    'mutation { made: createImage(input: { byCount: { model: "dall-e-3", prompt: "x" } }) { ... on Generation { id } ... on GengraphError { message } } }',
    {},
    { headers: { ...sandboxKey, ...headers } },
  );
  if (data?.made.id === undefined) throw new Error(JSON.stringify({ data, errors }));
  return data.made.id;
}

export async function findAssets(
  app: Api,
  id: string,
  headers: Headers = {},
): Promise<readonly ShownAsset[]> {
  const { data, errors } = await app.run<{ generation: { assets: readonly ShownAsset[] } }, object>(
    `query ($id: ID!) { generation(by: { id: $id }) { assets ${assetFields} } }`,
    { id },
    { headers: { ...sandboxKey, ...headers } },
  );
  if (!data?.generation) throw new Error(JSON.stringify({ data, errors }));
  return data.generation.assets;
}

/** Waits until no asset of a generation is PENDING. Reads again at each change that the feed reports. */
export async function settledAssets(
  app: Api,
  id: string,
  headers: Headers = {},
): Promise<readonly ShownAsset[]> {
  const client = app.wsClient({ connectionParams: { ...sandboxKey, ...headers } });
  const changes = client.iterate({ query: 'subscription { generationChanged { cursor } }' });
  try {
    for (;;) {
      const assets = await findAssets(app, id, headers);
      if (assets.every(({ storage }) => storage !== 'PENDING')) return assets;
      // The feed may open after the change.
      await Promise.race([changes.next(), new Promise((resolve) => setTimeout(resolve, 200))]);
    }
  } finally {
    await client.dispose();
  }
}

const changes =
  'subscription ($after: String) { generationChanged(after: $after) { ... on GenerationChanged { generationId } } }';

/** Reads the feed from now on. Each call resolves to the id of the next generation that it reports. */
export async function followChanges(app: Api): Promise<() => Promise<string | undefined>> {
  const { feedCursor: after } = await readList(app);
  const events = app
    .wsClient()
    .iterate<{ generationChanged: { generationId: string } }>({ query: changes, variables: { after } });
  return async () => {
    const { done, value } = await events.next();
    if (done) throw new Error('the feed has ended');
    return value.data?.generationChanged.generationId;
  };
}

interface Chatted {
  readonly id?: string;
  readonly message?: string;
  readonly input?: { readonly input_files?: unknown; readonly messages?: unknown };
}

/** Creates a chat about an image. */
export async function chatAbout(app: Api, url: string, more: object = {}, headers = {}): Promise<Chatted> {
  const { data, errors } = await app.run<{ readonly made: Chatted }, object>(
    'mutation ($input: ChatInput!) { made: createChatCompletion(input: $input) { ... on Generation { id input } ... on GengraphError { message } } }',
    {
      input: {
        model: 'm',
        messages: [{ role: 'USER', content: { parts: [{ text: 'What is it?' }, { imageUrl: { url } }] } }],
        ...more,
      },
    },
    { headers: { ...sandboxKey, ...headers } },
  );
  if (!data?.made) throw new Error(JSON.stringify({ data, errors }));
  return data.made;
}

interface Upload {
  readonly id: string;
  readonly url: string;
  readonly message?: string;
}

/** @throws if it is refused */
export async function createUpload(app: Api, input: object, headers: Headers = {}): Promise<Upload> {
  const { data, errors } = await app.run<{ upload: Upload | null }, object>(
    'mutation ($input: CreateUploadInput!) { upload: createUpload(input: $input) { ... on FileUpload { id url } ... on InvalidInputError { message } } }',
    { input },
    { headers: { ...sandboxKey, ...headers } },
  );
  const { upload } = data ?? {};
  if (!upload || upload.message !== undefined) throw new Error(upload?.message ?? errors?.[0]?.message);
  return upload;
}

export interface Media extends Served {
  /** Method and path of every request, in order. */
  readonly requests: readonly string[];
}

/** A server of a provider. Closed when the test ends. */
export async function startMedia(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Media> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  return { ...(await serve(server)), requests };
}
