import { describe, expect, test } from 'vitest';
import {
  CreateTransitionVideoDocument,
  type CreateTransitionVideoInput,
} from '../../src/client/documents.generated.ts';
import type { TestApp } from '../support/app.ts';
import { startRecorded } from '../support/recording-gateway.ts';

const transitions: CreateTransitionVideoInput = {
  frames: [{ imageId: 1, durationSeconds: 5 }, { imageId: 2 }],
  model: 'V3_5',
  resolution: 'RESOLUTION_360P',
};

/** Paths of all issues. Empty for an accepted input. */
async function create(app: TestApp, input: CreateTransitionVideoInput): Promise<readonly string[]> {
  const { data, errors } = await app.run(CreateTransitionVideoDocument, { input });
  expect(errors).toBeUndefined();
  const made = data?.createTransitionVideo;
  if (made?.__typename === 'Generation') return [];
  if (made?.__typename !== 'InvalidInputError') throw new Error(JSON.stringify(made));
  return made.issues.map(({ path }) => path.slice(1).join('.'));
}

describe('createTransitionVideo', () => {
  test('sends every member under its wire name with exact wide ids, and the key as API-KEY', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { ErrCode: 0, ErrMsg: 'success', Resp: { video_id: 9 } } });
    await create(app, transitions);
    await create(app, {
      frames: [
        { imageId: '12345678901234567890', durationSeconds: 5, prompt: 'one' },
        { imageId: 2, durationSeconds: 8 },
        { imageId: 3, durationSeconds: 5, prompt: 'three' },
      ],
      model: 'V4_5',
      resolution: 'RESOLUTION_1080P',
      extra: { motion_mode: 'normal' },
    });
    expect(gateway.requests.map(({ body }) => body)).toEqual([
      { multi_transition: [{ img_id: 1, duration: 5 }, { img_id: 2 }], model: 'v3.5', quality: '360p' },
      {
        multi_transition: [
          { img_id: 12345678901234567890n, duration: 5, prompt: 'one' },
          { img_id: 2, duration: 8 },
          { img_id: 3, duration: 5, prompt: 'three' },
        ],
        model: 'v4.5',
        quality: '1080p',
        motion_mode: 'normal',
      },
    ]);
    expect(gateway.requests[0]).toMatchObject({
      method: 'POST',
      path: '/openapi/v2/video/multi_transition/generate',
    });
    expect(gateway.requests[0]?.headers['api-key']).toBe('sk-sandbox');
    expect(gateway.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['V3_5', 'RESOLUTION_360P', 'v3.5', '360p'],
    ['V4', 'RESOLUTION_540P', 'v4', '540p'],
    ['V4_5', 'RESOLUTION_720P', 'v4.5', '720p'],
    ['V5', 'RESOLUTION_1080P', 'v5', '1080p'],
  ] as const)(
    'by model %s in %s goes out as %s in %s',
    async (model, resolution, wireModel, wireResolution) => {
      await using recorded = await startRecorded();
      recorded.gateway.answer({ body: { Resp: { video_id: 9 } } });
      await create(recorded.app, { ...transitions, model, resolution });
      expect(recorded.gateway.requests[0]?.body).toMatchObject({ model: wireModel, quality: wireResolution });
    },
  );

  test('accepts 2 to 7 images, of which only the last may omit its duration', async () => {
    await using recorded = await startRecorded();
    const { app, gateway } = recorded;
    gateway.answer({ body: { Resp: { video_id: 9 } } });
    const problems = (...durations: readonly (number | null)[]) =>
      create(app, {
        ...transitions,
        frames: durations.map((durationSeconds) => ({ imageId: 1, durationSeconds })),
      });
    expect(await problems(5, null)).toEqual([]);
    expect(await problems(5, 5)).toEqual([]);
    expect(await problems(1, 2, 3, 4, 5, 6, null)).toEqual([]);
    const sent = gateway.requests.length;
    expect(await problems()).toEqual(['frames']);
    expect(await problems(null)).toEqual(['frames']);
    expect(await problems(1, 2, 3, 4, 5, 6, 7, 8)).toEqual(['frames']);
    expect(await problems(null, 5, null, null)).toEqual([
      'frames.0.durationSeconds',
      'frames.2.durationSeconds',
    ]);
    expect(await problems(null, 2, 3, 4, 5, 6, null, 8)).toEqual([
      'frames',
      'frames.0.durationSeconds',
      'frames.6.durationSeconds',
    ]);
    expect(await problems(0, -1, 1, null)).toEqual(['frames.0.durationSeconds', 'frames.1.durationSeconds']);
    expect(await problems(1, 0)).toEqual(['frames.1.durationSeconds']);
    const extra = create(app, {
      ...transitions,
      extra: { quality: '4k', model: 'v9' },
    });
    expect(await extra).toEqual(['extra.model', 'extra.quality']);
    expect(await create(app, { ...transitions, extra: { multi_transition: [] } })).toEqual([
      'extra.multi_transition',
    ]);
    expect(gateway.requests).toHaveLength(sent);
  });
});
