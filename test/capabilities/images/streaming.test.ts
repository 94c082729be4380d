import type { Client as SseClient } from 'graphql-sse';
import type { Client } from 'graphql-ws';
import { describe, expect, test } from 'vitest';
import {
  CancelGenerationDocument,
  CreateImageDocument,
  GenerationDocument,
  ImageEventsDocument,
  type ImageByResolutionInput,
  StreamImagesDocument,
  type StreamImagesSubscription,
} from '../../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../../support/app.ts';
import { plainByResolution } from '../../support/images.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { type Exchange, startScripted } from '../../support/scripted-gateway.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';

type ImageEvent = StreamImagesSubscription['streamImages'];

const path = '/v1/images/generations';
const group: ImageByResolutionInput = {
  ...plainByResolution,
  prompt: 'a series of 3 foxes',
  size: { resolution: 'RESOLUTION_1K' },
  imageGroup: 'AUTO',
};

/** All events of a stream. */
async function watch(
  client: Client | SseClient,
  input: ImageByResolutionInput,
  idempotencyKey?: string,
): Promise<readonly ImageEvent[]> {
  const variables = { input, ...(idempotencyKey !== undefined && { idempotencyKey }) };
  const results = await collect(subscribe(client, StreamImagesDocument, variables));
  return results.map(({ data, errors }) => {
    if (errors || !data) throw new Error(JSON.stringify(errors));
    return data.streamImages;
  });
}

const named = (events: readonly ImageEvent[]): readonly string[] =>
  events.map(({ __typename }) => __typename);
const image = (index: number, url = `http://x/${index}.jpg`): object => ({
  type: 'image_generation.partial_succeeded',
  created: 1_763_654_400,
  image_index: index,
  url,
  size: '1024x1024',
});
const completed = { type: 'image_generation.completed', usage: { output_tokens: 9, total_tokens: 9 } };

describe('streamImages at the sandbox', () => {
  test('sends each image when it is done, and the usage at the end', async () => {
    await using app = await startApp({ sandbox: { taskSeconds: 0 } });
    const events = await watch(app.wsClient(), group);
    expect(named(events).at(0)).toBe('ImageSnapshot');
    expect(named(events).at(-1)).toBe('ImageCompleted');
    const last = events.at(-1);
    expect(last?.soFar.images.map(({ index }) => index)).toEqual([0, 1, 2]);
    // The snapshot contains images that arrived before the watcher.
    const reported = events.flatMap((event, index) =>
      index === 0 ? event.soFar.images : event.__typename === 'ImageDelta' ? event.images : [],
    );
    expect(reported.map(({ url }) => url)).toEqual(last?.soFar.images.map(({ url }) => url));
    expect(last?.sequence).toBe(3);
    const first = last?.soFar.images[0];
    const picture = Buffer.from(await (await fetch(first?.url ?? '')).arrayBuffer());
    expect(picture.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(Date.parse(first?.expiresAt ?? '')).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(app.sandbox.activity.requests(path).map(({ body }) => body)).toEqual([
      {
        model: 'seedream-4',
        prompt: 'a series of 3 foxes',
        size: '1K',
        sequential_image_generation: 'auto',
        stream: true,
      },
    ]);
    const id = last?.generationId ?? '';
    const { data } = await app.run(GenerationDocument, { by: { id } });
    expect(data?.generation).toMatchObject({
      kind: 'IMAGE',
      status: 'SUCCEEDED',
      isTerminal: true,
      output: { __typename: 'ImageSet' },
    });
  });

  test.each([
    ['fault:partial', 'ImageCompleted'],
    ['fault:cut-stream', 'STREAM_CUT'],
    ['fault:bare-eof', 'STREAM_UNFINISHED'],
    ['fault:in-band-error', 'GATEWAY_ERROR'],
    ['fault:malformed-event', 'GATEWAY_ERROR'],
    ['fault:refused', 'GATEWAY_ERROR'],
    ['fault:rate-limit', 'RATE_LIMITED'],
    ['fault:empty-401', 'AUTHENTICATION_FAILED'],
  ])('ends %s with %s and keeps the images received so far', async (fault, ending) => {
    await using app = await startApp({ sandbox: { taskSeconds: 0 } });
    const events = await watch(app.wsClient(), { ...group, prompt: `a series of 3 foxes ${fault}` });
    const last = events.at(-1);
    expect(last?.__typename === 'ImageFailed' ? last.error.code : last?.__typename).toBe(ending);
    const isRefused = ['fault:refused', 'fault:rate-limit', 'fault:empty-401'].includes(fault);
    expect(last?.generationId === null).toBe(isRefused);
    expect(last?.soFar.images.length).toBe(isRefused ? 0 : fault === 'fault:partial' ? 2 : 1);
    expect(last?.soFar.failures.map(({ index }) => index)).toEqual(fault === 'fault:partial' ? [1] : []);
  });
});

describe('streamImages', () => {
  const startOne = async (input: ImageByResolutionInput = plainByResolution) => {
    const scripted = await startScripted();
    const watching = watch(scripted.app.wsClient(), input);
    const exchange = await scripted.gateway.exchange(0);
    return { ...scripted, watching, exchange, [Symbol.asyncDispose]: () => scripted[Symbol.asyncDispose]() };
  };

  test.each<[string, (exchange: Exchange) => void, string, number]>([
    ['only the closing event', (one) => one.send(image(0), completed), 'ImageCompleted', 1],
    ['only [DONE]', (one) => one.send(image(0), '[DONE]'), 'ImageCompleted', 1],
    ['no image', (one) => one.send(completed, '[DONE]'), 'ImageFailed', 0],
    [
      'a document in place of a stream',
      (one) => one.reply(200, { created: 1, data: [{ url: 'http://x/1' }, { url: 'http://x/2' }] }),
      'ImageCompleted',
      2,
    ],
    [
      'a document as one event',
      (one) => one.send({ data: [{ url: 'http://x/1' }] }, '[DONE]'),
      'ImageCompleted',
      1,
    ],
    [
      'members of wrong types',
      (one) => one.send({ type: 5, url: {}, image_index: 'x' }, completed),
      'ImageFailed',
      0,
    ],
    [
      'a preview before the image',
      (one) => one.send({ type: 'image_generation.partial_image', b64_json: 'QUJD' }, image(0), '[DONE]'),
      'ImageCompleted',
      1,
    ],
    [
      'an error of one of several images',
      (one) =>
        one.send(
          image(0),
          { type: 'image_generation.partial_failed', image_index: 1, error: { message: 'no', code: 'nope' } },
          completed,
        ),
      'ImageCompleted',
      1,
    ],
  ])('handles %s', async (_name, answer, ending, count) => {
    await using one = await startOne();
    answer(one.exchange);
    const events = await one.watching;
    expect(events.at(-1)?.__typename).toBe(ending);
    expect(events.at(-1)?.soFar.images).toHaveLength(count);
  });

  test('has the time of the first event that reports one', async () => {
    await using one = await startOne();
    one.exchange.send({ ...image(0), created: undefined }, image(1), { ...image(2), created: 9 }, completed);
    const id = (await one.watching).at(-1)?.generationId ?? '';
    const query =
      'query ($id: ID!) { generation(by: { id: $id }) { output { ... on ImageSet { createdAt images { index } } } } }';
    const { data } = await one.app.run<object, object>(query, { id });
    expect(data).toEqual({
      generation: {
        output: {
          createdAt: new Date(1_763_654_400_000).toISOString(),
          images: [{ index: 0 }, { index: 1 }, { index: 2 }],
        },
      },
    });
  });

  test('keeps inline images in the output, and only their size and hash in the recorded reply', async () => {
    await using one = await startOne({ ...plainByResolution, delivery: 'BASE64' });
    const base64 = Buffer.alloc(3000, 7).toString('base64');
    one.exchange.send(
      { type: 'image_generation.partial_succeeded', image_index: 0, b64_json: base64 },
      '[DONE]',
    );
    const id = (await one.watching).at(-1)?.generationId ?? '';
    const { data } = await one.app.run<
      {
        generation: { raw: unknown; assets: readonly { base64: string | null }[] };
      },
      object
    >('query ($id: ID!) { generation(by: { id: $id }) { raw assets { base64 } } }', { id });
    expect(data?.generation.assets).toEqual([{ base64 }]);
    expect(JSON.stringify(data?.generation.raw)).toContain('3000 bytes, sha256');
    expect(JSON.stringify(data?.generation.raw)).not.toContain(base64);
  });

  test('survives broken connections with the stock client and is charged once', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const proxy = await startTcpProxy(app.url);
    const client = app.wsClient({
      url: proxy.url.replace('http', 'ws'),
      retryAttempts: 5,
      retryWait: () => Promise.resolve(),
    });
    const results = subscribe(client, StreamImagesDocument, { input: group });
    const first = results.next();
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const seen = [(await first).value?.data?.streamImages];
    for (const index of [0, 1, 2]) {
      proxy.cut();
      exchange.send(image(index));
      seen.push((await results.next()).value?.data?.streamImages);
    }
    exchange.send(completed, '[DONE]');
    for await (const { data } of results) seen.push(data?.streamImages);
    expect(seen.at(-1)).toMatchObject({ __typename: 'ImageCompleted' });
    expect(seen.at(-1)).toMatchObject({ soFar: { images: [{ index: 0 }, { index: 1 }, { index: 2 }] } });
    expect(gateway.requests).toHaveLength(1);
  });

  test('attaches to the generation of its key, running or finished; createImage with that key is a conflict', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const watching = [1, 2].map(() => watch(app.wsClient(), plainByResolution, 'mine'));
    (await gateway.exchange(0)).send(image(0), completed);
    const [one, other] = await Promise.all(watching);
    expect(other?.at(-1)).toEqual(one?.at(-1));
    const later = await watch(app.sseClient(), plainByResolution, 'mine');
    expect(later.at(-1)).toEqual(one?.at(-1));
    expect(gateway.requests).toHaveLength(1);
    const { data } = await app.run(CreateImageDocument, {
      input: { byResolution: plainByResolution },
      idempotencyKey: 'mine',
    });
    expect(data?.createImage?.__typename).toBe('IdempotencyConflictError');
  });

  test('requires a key over server-sent events, reported together with the problems of the input', async () => {
    await using scripted = await startScripted();
    const bad = {
      ...plainByResolution,
      prompt: ' ',
      size: { pixels: { width: 10, height: 10 } },
      extra: { stream: false },
    };
    const [event, ...rest] = await watch(scripted.app.sseClient(), bad);
    expect(rest).toEqual([]);
    if (event?.__typename !== 'ImageFailed' || event.error.__typename !== 'InvalidInputError')
      throw new Error(JSON.stringify(event));
    expect(event.error.issues.map((issue) => issue.path.join('.'))).toEqual([
      'idempotencyKey',
      'input.extra.stream',
      'input.prompt',
      'input.size.pixels.height',
      'input.size.pixels.width',
    ]);
    expect(scripted.gateway.requests).toEqual([]);
  });

  test('is aborted at the gateway immediately on a cancel and keeps the images received so far', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const results = subscribe(app.wsClient(), StreamImagesDocument, { input: group });
    const first = results.next();
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const id = (await first).value?.data?.streamImages.generationId ?? '';
    exchange.send(image(0));
    await results.next();
    const { data } = await app.run(CancelGenerationDocument, { by: { id } });
    expect(data?.cancelGeneration).toMatchObject({ __typename: 'Generation', status: 'CANCELED' });
    await exchange.closed;
    const rest = await collect(results);
    expect(rest.at(-1)?.data?.streamImages).toMatchObject({
      __typename: 'ImageCanceled',
      soFar: { images: [{ index: 0 }] },
    });
  });

  test('without a client key stops after CHAT_DETACH_SECONDS without watchers', async () => {
    const clock = createManualClock();
    await using scripted = await startScripted({ overrides: { clock } });
    const { app, gateway } = scripted;
    const client = app.wsClient();
    const results = subscribe(client, StreamImagesDocument, { input: plainByResolution });
    const first = results.next();
    const exchange = await gateway.exchange(0);
    exchange.accept();
    const id = (await first).value?.data?.streamImages.generationId ?? '';
    await results.return?.();
    for await (const result of client.iterate({ query: '{ __typename }' }))
      expect(result.errors).toBeUndefined();
    clock.advance(120_000);
    await exchange.closed;
    const { data } = await app.run(GenerationDocument, { by: { id } });
    expect(data?.generation).toMatchObject({ status: 'CANCELED', error: { code: 'DETACHED' } });
  });
});

describe('imageEvents', () => {
  const follow = (client: Client | SseClient, id: string, after?: number) =>
    subscribe(client, ImageEventsDocument, { id, ...(after !== undefined && { after }) });
  const followed = async (client: Client | SseClient, id: string, after?: number) =>
    (await collect(follow(client, id, after))).map(({ data, errors }) => {
      if (errors || !data) throw new Error(JSON.stringify(errors));
      return data.imageEvents;
    });
  /** Starts a stream of three images. The first has arrived, and its creator watches no more. */
  const startThree = async () => {
    const scripted = await startScripted();
    const results = subscribe(scripted.app.wsClient(), StreamImagesDocument, {
      input: group,
      idempotencyKey: 'mine',
    });
    const first = results.next();
    const exchange = await scripted.gateway.exchange(0);
    exchange.accept();
    const id = (await first).value?.data?.streamImages.generationId ?? '';
    exchange.send(image(0));
    expect((await results.next()).value?.data?.streamImages.sequence).toBe(1);
    await results.return?.();
    return { ...scripted, exchange, id, [Symbol.asyncDispose]: () => scripted[Symbol.asyncDispose]() };
  };

  test('gives a late watcher a snapshot, the later images and the end, and sends no request', async () => {
    await using started = await startThree();
    const { app, gateway, exchange, id } = started;
    const results = follow(app.wsClient(), id);
    expect((await results.next()).value?.data?.imageEvents).toMatchObject({
      __typename: 'ImageSnapshot',
      generationId: id,
      sequence: 1,
      soFar: { images: [{ index: 0, url: 'http://x/0.jpg' }], failures: [] },
    });
    exchange.send(image(1), completed);
    const rest = (await collect(results)).map(({ data }) => data?.imageEvents);
    expect(rest).toMatchObject([
      { __typename: 'ImageDelta', fromSequence: 2, sequence: 2, images: [{ index: 1 }] },
      { __typename: 'ImageCompleted', sequence: 2, generation: { status: 'SUCCEEDED' } },
    ]);
    expect(gateway.requests).toHaveLength(1);
  });

  test('gives a watcher of a finished stream a snapshot and the end, and after `after` only the rest', async () => {
    await using started = await startThree();
    const { app, gateway, exchange, id } = started;
    exchange.send(image(1), completed);
    const all = await followed(app.sseClient(), id);
    expect(all).toMatchObject([
      { __typename: 'ImageSnapshot', sequence: 2, soFar: { images: [{ index: 0 }, { index: 1 }] } },
      { __typename: 'ImageCompleted', sequence: 2 },
    ]);
    expect(await followed(app.wsClient(), id, 1)).toMatchObject([
      { __typename: 'ImageDelta', fromSequence: 2, images: [{ index: 1 }] },
      { __typename: 'ImageCompleted' },
    ]);
    expect(await followed(app.wsClient(), id, 2)).toMatchObject([{ __typename: 'ImageCompleted' }]);
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ['of another owner', (id: string) => id, 'sk-other'],
    ['that does not exist', () => 'generation_AAAAAAAAAAAAAAAAAAAA', undefined],
  ])('fails with NOT_FOUND for an id %s', async (_name, toId, authorization) => {
    await using started = await startThree();
    const { app, gateway, id } = started;
    const client = app.wsClient(authorization ? { connectionParams: { authorization } } : {});
    expect(await collect(follow(client, toId(id)))).toMatchObject([
      { errors: [{ path: ['imageEvents'], extensions: { code: 'NOT_FOUND' } }] },
    ]);
    expect(gateway.requests).toHaveLength(1);
  });

  test('gives a snapshot and the end for an image of createImage', async () => {
    await using scripted = await startScripted();
    const { app, gateway } = scripted;
    const creating = app.run(CreateImageDocument, { input: { byResolution: plainByResolution } });
    const exchange = await gateway.exchange(0);
    exchange.reply(200, { created: 1, data: [{ url: 'http://x/0.jpg' }] });
    const created = (await creating).data?.createImage;
    const id = created?.__typename === 'Generation' ? created.id : '';
    expect(await followed(app.wsClient(), id)).toMatchObject([
      { __typename: 'ImageSnapshot', generationId: id, soFar: { images: [{ url: 'http://x/0.jpg' }] } },
      { __typename: 'ImageCompleted', generation: { status: 'SUCCEEDED' } },
    ]);
    expect(gateway.requests).toHaveLength(1);
  });
});
