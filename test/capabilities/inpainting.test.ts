import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  QueueInpaintingDocument,
  type QueueInpaintingInput,
  TaskByHandleDocument,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import { collect, startApp, subscribe } from '../support/app.ts';
import { startFakeGateway } from '../support/fake-gateway.ts';
import { decodeImage, inlineImage, inlineMask } from '../support/inline-images.ts';

const path = '/hostb/flux-lora/inpainting';
const plain: QueueInpaintingInput = {
  prompt: 'a cat on the sofa',
  image: 'https://example.com/room.jpg',
  mask: 'https://example.com/mask.png',
};

describe('queueInpainting', () => {
  let app: Awaited<ReturnType<typeof startApp>>;
  beforeAll(async () => {
    app = await startApp({ sandbox: { taskSeconds: 0 } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const queue = async (changes: Partial<QueueInpaintingInput> = {}) => {
    const { data, errors } = await app.run(QueueInpaintingDocument, { input: { ...plain, ...changes } });
    expect(errors).toBeUndefined();
    return data?.queueInpainting;
  };
  /** Paths of all issues. Also checks that a rejected input sends no request. */
  const problemsOf = async (changes: Partial<QueueInpaintingInput>) => {
    const before = app.sandbox.activity.count();
    const refused = await queue(changes);
    expect(app.sandbox.activity.count()).toBe(before);
    if (refused?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(refused));
    return refused.issues.map((issue) => issue.path.slice(1).join('.'));
  };
  const lastBody = () => app.sandbox.activity.requests(path).at(-1)?.body;

  test('sends every member under its wire name and omits absent members', async () => {
    await queue();
    expect(lastBody()).toEqual({
      prompt: plain.prompt,
      image_url: plain.image,
      mask_url: plain.mask,
    });
    await queue({
      strength: 0.85,
      steps: 28,
      guidanceScale: 3.5,
      count: 2,
      enableSafetyChecker: false,
      outputFormat: 'PNG',
    });
    expect(lastBody()).toEqual({
      prompt: plain.prompt,
      image_url: plain.image,
      mask_url: plain.mask,
      strength: 0.85,
      num_inference_steps: 28,
      guidance_scale: 3.5,
      num_images: 2,
      enable_safety_checker: false,
      output_format: 'png',
    });
  });

  test.each([
    ['strength', 0.009, 0.01],
    ['strength', 1.001, 1],
    ['steps', 0, 1],
    ['steps', 51, 50],
    ['guidanceScale', -0.01, 0],
    ['guidanceScale', 35.01, 35],
    ['count', 0, 1],
    ['count', 5, 4],
    ['prompt', '', 'x'],
  ] as const)('refuses %s %j and accepts %j', async (member, bad, good) => {
    expect(await problemsOf({ [member]: bad })).toEqual([member]);
    expect(await queue({ [member]: good })).toMatchObject({ __typename: 'Generation' });
  });

  test('reports all problems at once', async () => {
    expect(
      await problemsOf({
        prompt: ' ',
        image: 'room.jpg',
        mask: 'https://example.com/mask.svg',
        strength: 0,
        steps: 0,
        guidanceScale: 36,
        count: 0,
        extra: { mask_url: 'x', strength: 1, loras: [] },
      }),
    ).toEqual([
      'count',
      'extra.mask_url',
      'extra.strength',
      'guidanceScale',
      'image',
      'mask',
      'prompt',
      'steps',
      'strength',
    ]);
  });

  test.each(['png', 'jpeg', 'gif', 'webp', 'avif'] as const)(
    'returns the requested number of valid images of the same size for type %s',
    async (format) => {
      const image = await inlineImage({ format });
      const made = await queue({ image, mask: await inlineMask(), count: 2, outputFormat: 'PNG' });
      if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
      expect(made.task.tracking).toBe('POLLED');
      const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id: made.task.id }));
      const last = events.at(-1)?.data?.taskProgress;
      expect(last).toMatchObject({ status: 'SUCCEEDED', progress: null });
      const assets = last?.generation?.assets ?? [];
      expect(assets).toHaveLength(2);
      for (const { url } of assets)
        expect(await decodeImage(url ?? '')).toEqual({ format: 'png', width: 64, height: 48 });
    },
  );

  test.each([
    ['inline data of another type', async () => inlineImage({ format: 'tiff' })],
    ['bytes of another type', async () => inlineImage({ format: 'tiff', mimeType: 'image/png' })],
    ['an address of a video', async () => 'https://example.com/a.mp4'],
    ['an address of a document', async () => 'https://example.com/a.pdf#page=1.png'],
    ['a file path', async () => '/etc/passwd'],
    ['nothing', async () => ''],
  ])('rejects %s as image and as mask', async (_name, make) => {
    const wrong = await make();
    expect(await problemsOf({ image: wrong, mask: wrong })).toEqual(['image', 'mask']);
  });

  test.each(['jpg', 'JPEG', 'png', 'webp', 'gif', 'avif', 'php', 'com'])(
    'accepts an address with the file extension %s',
    async (ending) => {
      const made = await queue({
        image: `https://example.com/a.${ending}`,
        mask: `http://example.com/a.${ending}?b=c.pdf`,
      });
      expect(made).toMatchObject({ __typename: 'Generation' });
    },
  );

  test('does not check the size of the mask, for which the gateway documents no rule', async () => {
    const before = app.sandbox.activity.count(path);
    await queue({ image: await inlineImage(), mask: await inlineMask({ width: 10 }) });
    expect(app.sandbox.activity.count(path)).toBe(before + 1);
  });

  test('shows the acknowledgement and the result, and reads a request created by another client', async () => {
    const reply = await fetch(`${app.sandbox.url}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'x', image_url: plain.image, mask_url: plain.mask }),
    });
    const { request_id: upstreamId } = (await reply.json()) as { request_id: string };
    const handle = { kind: 'QUEUED_INPAINTING', upstreamId } as const;
    const adopted = await app.run(TaskByHandleDocument, { handle });
    expect(adopted.data?.taskByHandle).toMatchObject({ upstreamId, status: 'SUCCEEDED', tracking: 'POLLED' });
    const made = await queue();
    if (made?.__typename !== 'Generation') throw new Error(JSON.stringify(made));
    const query = `query ($id: ID!) { generation(by: { id: $id }) { kind prompt
      task { request gatewayMetrics links { get status cancel } model isDataRemoved } } }`;
    const { data } = await app.run<{ generation: object }, object>(query, { id: made.id });
    expect(data?.generation).toMatchObject({
      kind: 'QUEUED_INPAINTING',
      prompt: plain.prompt,
      task: {
        request: { image_url: plain.image },
        gatewayMetrics: {},
        links: {
          get: expect.stringContaining('/hostb/flux-lora/requests/'),
          status: expect.stringMatching(/\/status$/),
          cancel: expect.stringMatching(/\/cancel$/),
        },
        model: null,
        isDataRemoved: null,
      },
    });
  });

  test.each(['{}', '[]', '{"request_id":""}', '{"status":"IN_QUEUE"}', '', 'ok'])(
    'with the reply %j has an unknown outcome and is not sent again',
    async (body) => {
      const gateway = await startFakeGateway((_request, response) => void response.end(body));
      await using other = await startApp({ gatewayUrl: gateway.url });
      for (let round = 0; round < 2; round += 1) {
        const { data } = await other.run(QueueInpaintingDocument, { input: plain, idempotencyKey: 'k' });
        expect(data?.queueInpainting).toMatchObject({ __typename: 'OutcomeUnknownError' });
      }
      expect(gateway.requests).toEqual([`POST ${path}`]);
    },
  );
});
