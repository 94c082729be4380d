import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AwaitGenerationDocument,
  FillImageDocument,
  type FillImageInput,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import {
  decodeImage,
  type ImageOptions,
  inlineImage,
  inlineMask,
  toDataUri,
} from '../support/inline-images.ts';

const path = '/hosta/v1/models/studio/fill-pro/predictions';
const plain: FillImageInput = {
  modelOwner: 'studio',
  modelName: 'fill-pro',
  image: 'https://example.com/room.png',
  prompt: 'a window with a view of the sea',
};

describe('fillImage', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const fill = async (changes: Partial<FillImageInput> = {}) => {
    const { data, errors } = await app.run(FillImageDocument, { input: { ...plain, ...changes } });
    expect(errors).toBeUndefined();
    return data?.fillImage;
  };
  /** Paths of all issues. Also checks that a rejected input sends no request. */
  const problemsOf = async (changes: Partial<FillImageInput>) => {
    const before = app.sandbox.activity.count();
    const refused = await fill(changes);
    expect(app.sandbox.activity.count()).toBe(before);
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    return refused.issues.map((issue) => issue.path.slice(1).join('.'));
  };
  const lastBody = () => app.sandbox.activity.requests(path).at(-1)?.body;

  test('sends every member under its wire name and omits absent members', async () => {
    await fill();
    expect(lastBody()).toEqual({ input: { image: plain.image, prompt: plain.prompt } });
    await fill({
      mask: 'https://example.com/mask.png',
      steps: 30,
      guidanceScale: 12.5,
      outpaint: 'None',
      outputFormat: 'png',
      safetyTolerance: 3,
      promptUpsampling: true,
    });
    expect(lastBody()).toEqual({
      input: {
        image: plain.image,
        prompt: plain.prompt,
        mask: 'https://example.com/mask.png',
        steps: 30,
        guidance: 12.5,
        outpaint: 'None',
        output_format: 'png',
        safety_tolerance: 3,
        prompt_upsampling: true,
      },
    });
  });

  test('adds the members of extra to the input', async () => {
    await fill({ extra: { seed: 7 } });
    expect(lastBody()).toMatchObject({ input: { seed: 7 } });
  });

  test.each([
    ['steps', 14, 15],
    ['steps', 51, 50],
    ['guidanceScale', 1.49, 1.5],
    ['guidanceScale', 100.01, 100],
    ['safetyTolerance', 0, 1],
    ['safetyTolerance', 7, 6],
    ['prompt', '  ', 'x'],
  ] as const)('refuses %s %j and accepts %j', async (member, bad, good) => {
    expect(await problemsOf({ [member]: bad })).toEqual([member]);
    expect(await fill({ [member]: good })).toMatchObject({ __typename: 'Generation' });
  });

  test('reports all problems at once', async () => {
    expect(
      await problemsOf({
        modelOwner: '..',
        modelName: 'a/b',
        image: 'photo.png',
        prompt: '',
        mask: 'https://example.com/mask.pdf',
        steps: 0,
        guidanceScale: 0,
        safetyTolerance: 9,
        extra: { mask: 'x', output_format: 'png', stream: true },
      }),
    ).toEqual([
      'extra.mask',
      'extra.output_format',
      'extra.stream',
      'guidanceScale',
      'image',
      'mask',
      'modelName',
      'modelOwner',
      'prompt',
      'safetyTolerance',
      'steps',
    ]);
  });

  test.each(['', ' ', '.', '..', 'a/b', 'a\\b', 'a\nb', '\u0000', '\uD800', 'x'.repeat(201)])(
    'rejects %j as owner or model name',
    async (segment) => {
      expect(await problemsOf({ modelOwner: segment })).toEqual(['modelOwner']);
      expect(await problemsOf({ modelName: segment })).toEqual(['modelName']);
    },
  );

  test('says which names it refuses, without dots that could be one of them', async () => {
    expect(await fill({ modelName: '..' })).toMatchObject({
      issues: [{ message: expect.stringMatching(/, and not "\." or "\.\."\.$/) }],
    });
  });

  test.each([
    ['fill dev', 'fill%20dev'],
    ['a?b#c', 'a%3Fb%23c'],
    ['%2e%2e', '%252e%252e'],
    ['...', '...'],
    ['模型', '%E6%A8%A1%E5%9E%8B'],
  ])('sends a model name like %j as one segment of the path', async (modelName, segment) => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{"id":"p"}'));
    await using other = await startApp({ gatewayUrl: gateway.url });
    await other.run(FillImageDocument, { input: { ...plain, modelName } });
    expect(gateway.requests).toEqual([`POST /hosta/v1/models/studio/${segment}/predictions`]);
  });

  test('names the model in the generation, and requests the fields of its task', async () => {
    const made = await fill({ mask: 'https://example.com/mask.png' });
    if (made?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
    const query = `query ($id: ID!) { generation(by: { id: $id }) { kind model prompt input
      task { kind status model modelVersion isDataRemoved request gatewayMetrics links { get cancel stream web status } } } }`;
    const { data } = await app.run<{ generation: Record<string, unknown> }, object>(query, { id: made.id });
    expect(data?.generation).toMatchObject({
      kind: 'IMAGE_FILL',
      model: 'studio/fill-pro',
      prompt: plain.prompt,
      task: {
        kind: 'IMAGE_FILL',
        status: 'SUCCEEDED',
        model: 'studio/fill-pro',
        modelVersion: 'hidden',
        isDataRemoved: false,
        request: { image: plain.image, prompt: plain.prompt },
        gatewayMetrics: { predict_time: expect.any(Number) },
        links: { get: expect.stringContaining('/hosta/v1/predictions/'), status: null },
      },
    });
  });
});

describe('the images of a fill', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const fill = async (changes: Partial<FillImageInput>) =>
    (await app.run(FillImageDocument, { input: { ...plain, ...changes } })).data?.fillImage;

  test.each(['png', 'jpeg', 'gif', 'webp'] as const)(
    'of type %s are repaired and returned as valid images',
    async (format) => {
      const made = await fill({ image: await inlineImage({ format }), mask: await inlineMask() });
      if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
      const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id: made.task.id }));
      expect(events.at(-1)?.data?.taskProgress).toMatchObject({ status: 'SUCCEEDED', isTerminal: true });
      const { data } = await app.run(AwaitGenerationDocument, { by: { id: made.id } });
      const [asset] = data?.awaitGeneration?.assets ?? [];
      expect(asset?.kind).toBe('IMAGE');
      expect(await decodeImage(asset?.url ?? '')).toEqual({ format: 'jpeg', width: 64, height: 48 });
    },
  );

  test('are recorded only by size and hash', async () => {
    const image = await inlineImage({ width: 400, height: 300, format: 'jpeg' });
    const made = await fill({ image, outpaint: 'Zoom out 2x' });
    if (made?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
    const { data } = await app.run<{ generation: object }, object>(
      'query ($id: ID!) { generation(by: { id: $id }) { input raw task { request raw } } }',
      { id: made.id },
    );
    const kept = JSON.stringify(data?.generation);
    expect(kept).not.toContain(image.slice(-100));
    expect(kept.match(/data:image\/jpeg;base64: \d+ bytes, sha256 [\da-f]{64}/g)).toHaveLength(4);
  });

  test.each([
    ['a type that is not accepted', async () => inlineImage({ format: 'avif' }), 'image/avif'],
    [
      'a type that is not an image type',
      async () => toDataUri('%PDF-1.7', 'application/pdf'),
      'application/pdf',
    ],
    [
      'bytes of a type that is not accepted',
      async () => inlineImage({ format: 'tiff', mimeType: 'image/png' }),
      'image/png with bytes that are not an image',
    ],
    [
      'AVIF bytes under another type',
      async () => inlineImage({ format: 'avif', mimeType: 'image/webp' }),
      'image/webp with avif bytes',
    ],
    [
      'base64 with a space',
      async () => `${await inlineImage({})} AAAA`,
      'image/png with data that is not base64',
    ],
    [
      'the address of a file of another type',
      async () => 'https://example.com/a.AVIF?x=1.png',
      'a .avif file',
    ],
    ['data that is not base64', async () => 'data:image/png,abc', 'data:image/png,abc'],
    ['neither an address nor a data URI', async () => 'photo.png', 'photo.png'],
    ['another scheme', async () => 'file:///etc/passwd', 'file:///etc/passwd'],
    ['empty text', async () => '', ''],
  ])('are rejected for %s', async (_name, make, received) => {
    const before = app.sandbox.activity.count();
    const wrong = await make();
    const refused = await app.run<{ fillImage: { issues: readonly object[] } }, object>(
      'mutation ($input: FillImageInput!) { fillImage(input: $input) { ... on InvalidInputError { issues { path limit received } } } }',
      { input: { ...plain, image: wrong, mask: wrong } },
    );
    const limit = expect.stringMatching(/^(jpeg, png, gif, webp|http\(s\) address or base64 data URI)$/);
    expect(refused.data?.fillImage.issues).toEqual([
      { path: ['input', 'image'], limit, received },
      { path: ['input', 'mask'], limit, received },
    ]);
    expect(app.sandbox.activity.count()).toBe(before);
  });

  test.each([
    ['a JPEG with the MIME type image/jpg', () => inlineImage({ format: 'jpeg', mimeType: 'image/jpg' })],
    ['a PNG with the MIME type image/jpeg', () => inlineImage({ mimeType: 'image/jpeg' })],
    ['an address without a file extension', async () => 'https://example.com/i/1'],
    ['the address of a script', async () => 'https://example.com/image.php?id=1'],
  ])('may be %s', async (_name, make) => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{"id":"p"}'));
    await using other = await startApp({ gatewayUrl: gateway.url });
    const { data } = await other.run(FillImageDocument, {
      input: { ...plain, image: await make(), mask: plain.image },
    });
    expect(data?.fillImage).toMatchObject({ __typename: 'Generation' });
  });
});

describe('the mask of a fill', () => {
  const sizes = { width: 64, height: 48 };
  const gate = async (changes: Partial<FillImageInput>) => {
    const gateway = await startFakeGateway((_request, response) => void response.end('{"id":"p"}'));
    await using app = await startApp({ gatewayUrl: gateway.url });
    const { data } = await app.run(FillImageDocument, { input: { ...plain, ...changes } });
    const result = data?.fillImage;
    if (result?.__typename !== 'InvalidInputError') return { sent: gateway.requests.length, issues: [] };
    return { sent: gateway.requests.length, issues: result.issues.map(({ path: at }) => at.join('.')) };
  };

  test.each<readonly [string, ImageOptions, ImageOptions]>([
    ['one pixel narrower', sizes, { width: 63, height: 48 }],
    ['one pixel higher', sizes, { width: 64, height: 49 }],
    ['rotated', sizes, { width: 48, height: 64 }],
    ['of another size than its JPEG image', { ...sizes, format: 'jpeg' }, { width: 48, height: 64 }],
    ['of another size than its WebP image', { ...sizes, format: 'webp' }, { width: 32, height: 24 }],
    ['of another size than its GIF image', { ...sizes, format: 'gif' }, { width: 32, height: 24 }],
    [
      'rotated, for an upside-down photo',
      { ...sizes, format: 'jpeg', orientation: 3 },
      { width: 48, height: 64 },
    ],
  ])('that is %s is rejected', async (_name, image, mask) => {
    const result = await gate({ image: await inlineImage(image), mask: await inlineMask(mask) });
    expect(result).toEqual({ sent: 0, issues: ['input.mask'] });
  });

  test.each<readonly [string, ImageOptions, ImageOptions]>([
    ['of the same size', sizes, sizes],
    ['of the stored size of a rotated photo', { ...sizes, format: 'jpeg', orientation: 6 }, sizes],
    [
      'of the displayed size of a rotated photo',
      { ...sizes, format: 'jpeg', orientation: 6 },
      { width: 48, height: 64 },
    ],
  ])('that is %s is sent', async (_name, image, mask) => {
    const result = await gate({ image: await inlineImage(image), mask: await inlineMask(mask) });
    expect(result).toEqual({ sent: 1, issues: [] });
  });

  test.each([
    ['when outpaint is used', 'Zoom out 1.5x', 1],
    ['not when outpaint is None', 'None', 0],
    ['not when outpaint is empty', '', 0],
  ])('may have any size %s', async (_name, outpaint, sent) => {
    const result = await gate({
      image: await inlineImage(),
      mask: await inlineMask({ width: 10, height: 10 }),
      outpaint,
    });
    expect(result.sent).toBe(sent);
  });

  test('is measured only when both images are inline', async () => {
    const mask = await inlineMask({ width: 10, height: 10 });
    expect(await gate({ mask })).toEqual({ sent: 1, issues: [] });
    expect(await gate({ image: await inlineImage(), mask: plain.image })).toEqual({ sent: 1, issues: [] });
  });

  test.each<readonly [string, ImageOptions]>([
    ['a JPEG', { format: 'jpeg' }],
    ['an opaque PNG', {}],
    ['an opaque WebP', { format: 'webp' }],
  ])('is required for %s, which has no alpha mask', async (_name, options) => {
    const image = await inlineImage(options);
    expect(await gate({ image })).toEqual({ sent: 0, issues: ['input.mask'] });
    expect(await gate({ image, outpaint: 'None' })).toEqual({ sent: 0, issues: ['input.mask'] });
    expect(await gate({ image, outpaint: 'Make square' })).toEqual({ sent: 1, issues: [] });
    expect(await gate({ image, mask: await inlineMask() })).toEqual({ sent: 1, issues: [] });
  });

  test.each<readonly [string, ImageOptions]>([
    ['a PNG with alpha', { alpha: 0.5 }],
    ['a PNG with an opaque alpha channel', { alpha: 1 }],
    ['a WebP with alpha', { format: 'webp', alpha: 0.5 }],
    ['a GIF, which may be transparent', { format: 'gif' }],
  ])('may be absent for %s', async (_name, options) => {
    expect(await gate({ image: await inlineImage(options) })).toEqual({ sent: 1, issues: [] });
  });
});

describe('a reply to a fill', () => {
  const answer = async (body: string) => {
    const gateway = await startFakeGateway((_request, response) => void response.end(body));
    const app = await startApp({ gatewayUrl: gateway.url });
    try {
      const { data } = await app.run(FillImageDocument, { input: plain, idempotencyKey: 'k' });
      await app.run(FillImageDocument, { input: plain, idempotencyKey: 'k' });
      return { result: data?.fillImage, requests: gateway.requests.length };
    } finally {
      await app[Symbol.asyncDispose]();
    }
  };

  test.each(['{}', '[]', '{"id":null}', '{"status":"starting"}', '', '<html></html>', '"p1"'])(
    'of %j is an unknown outcome and is not sent again',
    async (body) => {
      const { result, requests } = await answer(body);
      expect(result).toMatchObject({ __typename: 'OutcomeUnknownError' });
      expect(requests).toBe(1);
    },
  );

  test.each([
    ['{"id":7}', 'SUBMITTED', 'NOT_TRACKABLE'],
    ['{"id":7,"error":"no GPU"}', 'FAILED', 'NOT_TRACKABLE'],
    ['{"id":"p","status":"starting","urls":{"get":"nowhere"}}', 'SUBMITTED', 'NOT_TRACKABLE'],
    ['{"id":"p","status":"succeeded","output":"http://x/a.png"}', 'SUCCEEDED', 'NOT_TRACKABLE'],
    ['{"id":"p","status":"failed","error":"no GPU"}', 'FAILED', 'NOT_TRACKABLE'],
  ])('of %s sets the status and tracking', async (body, status, tracking) => {
    const { result } = await answer(body);
    expect(result).toMatchObject({ __typename: 'Generation', status, task: { tracking } });
  });
});
