import { describe, expect, test } from 'vitest';
import {
  CancelGenerationDocument,
  CreateReferenceVideoDocument,
  type CreateReferenceVideoInput,
  CreateTransitionVideoDocument,
  type CreateTransitionVideoInput,
  CreateVideoDocument,
  type CreateVideoInput,
  TaskProgressDocument,
} from '../../src/client/documents.generated.ts';
import { collect, subscribe, type TestApp } from '../support/app.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const address = 'https://x/a.png';
const inline = 'data:image/png;base64,AAAA';

type FromImages = NonNullable<CreateVideoInput['fromImages']>;
type WithCharacter = NonNullable<CreateVideoInput['withCharacter']>;

const fromImages: FromImages = {
  images: [address],
  model: 'sora-2',
  orientation: 'PORTRAIT',
  prompt: 'a fox runs',
  size: 'SMALL',
  durationSeconds: 10,
};
const withCharacter: WithCharacter = { model: 'sora-2', prompt: 'a fox runs', size: 'LARGE' };
const afterReference: CreateReferenceVideoInput = {
  model: 'base',
  prompt: 'a fox runs',
  resolution: 'RESOLUTION_480P',
  aspectRatio: 'ASPECT_RATIO_1_1',
  durationSeconds: 1,
};
const transitions: CreateTransitionVideoInput = {
  frames: [{ imageId: 1, durationSeconds: 5 }, { imageId: 2 }],
  model: 'V3_5',
  resolution: 'RESOLUTION_360P',
};

const creates = {
  createVideo: (app: TestApp, input: CreateVideoInput) =>
    app.run(CreateVideoDocument, { input }).then(({ data, errors }) => ({ made: data?.createVideo, errors })),
  createReferenceVideo: (app: TestApp, input: CreateReferenceVideoInput) =>
    app
      .run(CreateReferenceVideoDocument, { input })
      .then(({ data, errors }) => ({ made: data?.createReferenceVideo, errors })),
  createTransitionVideo: (app: TestApp, input: CreateTransitionVideoInput) =>
    app
      .run(CreateTransitionVideoDocument, { input })
      .then(({ data, errors }) => ({ made: data?.createTransitionVideo, errors })),
};

/** Paths of all issues. Empty for an accepted input. */
async function problemsOf(outcome: ReturnType<(typeof creates)[keyof typeof creates]>): Promise<string[]> {
  const { made, errors } = await outcome;
  expect(errors).toBeUndefined();
  if (made?.__typename === 'Generation') return [];
  if (made?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(made));
  return made.issues.map(({ path }) => path.slice(1).join('.'));
}

describe('createVideo', () => {
  test('from images sends every member under its wire name, and the watermark as text', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { id: 'sora-2:t1', status: 'pending', status_update_time: 1 } });
    await creates.createVideo(app, { fromImages });
    await creates.createVideo(app, {
      fromImages: {
        images: [address, inline],
        model: 'sora-2-pro',
        orientation: 'LANDSCAPE',
        prompt: 'x',
        size: 'LARGE',
        durationSeconds: 15,
        allowWatermark: false,
        extra: { seed: 5 },
      },
    });
    expect(gateway.requests.map(({ body }) => body)).toEqual([
      {
        images: [address],
        model: 'sora-2',
        orientation: 'portrait',
        prompt: 'a fox runs',
        size: 'small',
        duration: 10,
        watermark: 'true',
      },
      {
        images: [address, inline],
        model: 'sora-2-pro',
        orientation: 'landscape',
        prompt: 'x',
        size: 'large',
        duration: 15,
        watermark: 'false',
        seed: 5,
      },
    ]);
    expect(gateway.requests[0]).toMatchObject({ method: 'POST', path: '/v1/video/create' });
    expect(gateway.requests[0]?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('with a character sends every member under its wire name and omits absent members', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { id: 'sora-2:t1', status: 'pending' } });
    await creates.createVideo(app, { withCharacter });
    await creates.createVideo(app, {
      withCharacter: {
        images: [address],
        model: 'sora-2-pro',
        orientation: 'LANDSCAPE',
        prompt: 'x',
        durationSeconds: 25,
        characterUrl: 'https://x/v.mp4',
        characterTimestamps: { startSeconds: 0.1 + 0.2, endSeconds: 3 },
        size: 'SMALL',
        extra: { seed: 5 },
      },
    });
    expect(gateway.requests.map(({ body }) => body)).toEqual([
      { model: 'sora-2', prompt: 'a fox runs', size: 'large' },
      {
        images: [address],
        model: 'sora-2-pro',
        orientation: 'landscape',
        prompt: 'x',
        duration: 25,
        character_url: 'https://x/v.mp4',
        character_timestamps: '0.3,3',
        size: 'small',
        seed: 5,
      },
    ]);
    expect(gateway.requests[0]?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('accepts both ends of every limit and rejects values beyond them without a request', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { id: 'sora-2:t1', status: 'pending' } });
    const images = (part: Partial<FromImages>) =>
      problemsOf(creates.createVideo(app, { fromImages: { ...fromImages, ...part } }));
    const character = (part: Partial<WithCharacter>) =>
      problemsOf(creates.createVideo(app, { withCharacter: { ...withCharacter, ...part } }));
    const characterUrl = 'https://x/v.mp4';
    const span = (startSeconds: number, endSeconds: number) =>
      character({ characterUrl, characterTimestamps: { startSeconds, endSeconds } });

    for (const durationSeconds of [10, 15]) expect(await images({ durationSeconds })).toEqual([]);
    for (const durationSeconds of [10, 15]) expect(await character({ durationSeconds })).toEqual([]);
    for (const model of ['sora-2-pro', 'sora-2-anything', 'other'])
      expect(await character({ model, durationSeconds: 25 })).toEqual([]);
    expect(await images({ images: [inline, 'http://x/b'] })).toEqual([]);
    expect(await character({ images: [] })).toEqual([]);
    expect(await character({ characterUrl })).toEqual([]);
    expect(await span(0, 1)).toEqual([]);
    expect(await span(0, 3)).toEqual([]);
    // As binary fractions slightly less than 1 and slightly more than 3.
    expect(await span(4.1, 5.1)).toEqual([]);
    expect(await span(1.1, 4.1)).toEqual([]);
    const sent = gateway.requests.length;

    for (const durationSeconds of [0, 9, 11, 14, 16, 25])
      expect(await images({ durationSeconds })).toEqual(['fromImages.durationSeconds']);
    for (const durationSeconds of [-10, 9, 12, 24, 26])
      expect(await character({ durationSeconds })).toEqual(['withCharacter.durationSeconds']);
    for (const model of ['sora-2', ' sora-2 ', 'Sora-2', 'sora-2-2025-10-06'])
      expect(await character({ model, durationSeconds: 25 })).toEqual(['withCharacter.durationSeconds']);
    expect(await images({ images: [] })).toEqual(['fromImages.images']);
    for (const image of [
      '',
      'a.png',
      'ftp://x/a',
      'data:text/plain;base64,AAAA',
      'data:image/png;base64,',
      'http://',
    ])
      expect(await images({ images: [address, image] })).toEqual(['fromImages.images.1']);
    expect(await images({ prompt: ' ' })).toEqual(['fromImages.prompt']);
    expect(await images({ model: '' })).toEqual(['fromImages.model']);
    expect(await character({ prompt: '' })).toEqual(['withCharacter.prompt']);
    expect(await character({ characterUrl: 'v.mp4' })).toEqual(['withCharacter.characterUrl']);
    for (const absent of [null, undefined])
      expect(
        await character({ characterUrl: absent, characterTimestamps: { startSeconds: 0, endSeconds: 1 } }),
      ).toEqual(['withCharacter.characterUrl']);
    expect(await span(-0.01, 1)).toEqual(['withCharacter.characterTimestamps.startSeconds']);
    for (const [start, end] of [
      [0, 0.99],
      [0, 3.01],
      // Sent as 7.779 and 10.78.
      [7.7795, 10.7796],
      [3, 1],
      [2, 2],
    ] as const)
      expect(await span(start, end)).toEqual(['withCharacter.characterTimestamps.endSeconds']);
    expect(gateway.requests).toHaveLength(sent);
  });

  test('reports all problems of an alternative at once', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    expect(
      await problemsOf(
        creates.createVideo(app, {
          withCharacter: {
            images: ['x'],
            model: ' ',
            prompt: '',
            size: 'SMALL',
            durationSeconds: 7,
            characterUrl: 'x',
            characterTimestamps: { startSeconds: -1, endSeconds: 9 },
            extra: { character_url: 'y', watermark: 'true', stream: true, seed: 5 },
          },
        }),
      ),
    ).toEqual([
      'withCharacter.characterTimestamps.endSeconds',
      'withCharacter.characterTimestamps.startSeconds',
      'withCharacter.characterUrl',
      'withCharacter.durationSeconds',
      'withCharacter.extra.character_url',
      'withCharacter.extra.stream',
      'withCharacter.extra.watermark',
      'withCharacter.images.0',
      'withCharacter.model',
      'withCharacter.prompt',
    ]);
    expect(
      await problemsOf(
        creates.createVideo(app, {
          fromImages: {
            ...fromImages,
            extra: { character_url: 'y', character_timestamps: '0,99', duration: 60, seed: 5 },
          },
        }),
      ),
    ).toEqual([
      'fromImages.extra.character_timestamps',
      'fromImages.extra.character_url',
      'fromImages.extra.duration',
    ]);
    const both = await creates.createVideo(app, { fromImages, withCharacter } as never);
    expect(both.errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
    expect(gateway.requests).toEqual([]);
  });
});

describe('createReferenceVideo', () => {
  test('sends every member under its wire name and omits absent members', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { id: 'r1' } });
    await creates.createReferenceVideo(app, afterReference);
    await creates.createReferenceVideo(app, {
      ...afterReference,
      resolution: 'RESOLUTION_720P',
      aspectRatio: 'ASPECT_RATIO_16_9',
      durationSeconds: 15,
      reference: { image: inline },
      extra: { seed: 5 },
    });
    await creates.createReferenceVideo(app, {
      ...afterReference,
      aspectRatio: 'ASPECT_RATIO_9_16',
      reference: { images: [address, inline] },
    });
    const body = {
      model: 'base',
      prompt: 'a fox runs',
      resolution: '480p',
      aspect_ratio: '1:1',
      duration: 1,
    };
    expect(gateway.requests.map((request) => request.body)).toEqual([
      body,
      {
        ...body,
        resolution: '720p',
        aspect_ratio: '16:9',
        duration: 15,
        image: { url: inline },
        seed: 5,
      },
      { ...body, aspect_ratio: '9:16', reference_images: [{ url: address }, { url: inline }] },
    ]);
    expect(gateway.requests[0]).toMatchObject({ method: 'POST', path: '/v1/videos/generations' });
    expect(gateway.requests[0]?.headers['authorization']).toBe('Bearer sk-sandbox');
  });

  test('rejects all values beyond its limits at once, and an image together with references', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    const problems = (part: Partial<CreateReferenceVideoInput>) =>
      problemsOf(creates.createReferenceVideo(app, { ...afterReference, ...part }));
    for (const durationSeconds of [0, 16, -1])
      expect(await problems({ durationSeconds })).toEqual(['durationSeconds']);
    expect(await problems({ reference: { images: [] } })).toEqual(['reference.images']);
    expect(
      await problems({
        model: '',
        prompt: ' ',
        durationSeconds: 99,
        reference: { images: [address, 'x'] },
        extra: { image: {}, reference_images: [], aspect_ratio: '1:1' },
      }),
    ).toEqual([
      'durationSeconds',
      'extra.aspect_ratio',
      'extra.image',
      'extra.reference_images',
      'model',
      'prompt',
      'reference.images.1',
    ]);
    const both = await creates.createReferenceVideo(app, {
      ...afterReference,
      reference: { image: address, images: [address] } as never,
    });
    expect(both.errors?.[0]?.extensions?.['code']).toBe('BAD_REQUEST');
    expect(gateway.requests).toEqual([]);
  });
});

test('videos are untrackable: a watch yields their recorded state once, and they cannot be canceled', async () => {
  await using recorded = await startRecorded();
  const { app, gateway } = recorded;
  gateway.answer({ body: { id: 'm:t1', status: 'pending', Resp: { video_id: 't1' } } });
  const outcomes = [
    await creates.createVideo(app, { fromImages }),
    await creates.createReferenceVideo(app, afterReference),
    await creates.createTransitionVideo(app, transitions),
  ];
  for (const { made } of outcomes) {
    if (made?.__typename !== 'Generation' || !made.task) throw new Error(JSON.stringify(made));
    expect(made.task.tracking).toBe('NOT_TRACKABLE');
    const events = await collect(subscribe(app.wsClient(), TaskProgressDocument, { id: made.task.id }));
    expect(events.map(({ data }) => data?.taskProgress.status)).toEqual(['SUBMITTED']);
    const canceled = await app.run(CancelGenerationDocument, { by: { id: made.id } });
    expect(canceled.data?.cancelGeneration?.__typename).toBe('NotCancelableError');
  }
  expect(gateway.requests).toHaveLength(3);
});
