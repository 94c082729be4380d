import { describe, expect, test } from 'vitest';
import { decodeHandledVideo, decodeTransitionVideo, decodeVideo } from '../../src/capabilities/video/wire.ts';
import type { Json } from '../../src/lib/json.ts';

const url = 'https://x/v.mp4';

describe('the reader of videos', () => {
  test.each<[string, Json]>([
    ['at the top', { status: 'completed', video_url: url }],
    ['by its plain name', { status: 'completed', url }],
    ['as the output', { status: 'succeeded', output: url }],
    ['in a list of outputs', { status: 'succeeded', output: [url] }],
    ['as an object', { status: 'done', video: { url } }],
    ['in a list of videos', { status: 'done', videos: [{ url }] }],
    ['in data', { data: { status: 'SUCCESS', data: { video_url: url } }, code: 'success' }],
    ['in a list of data', { created: 5, data: [{ url }] }],
    ['in a task result', { data: { task_status: 'succeed', task_result: { videos: [{ url }] } } }],
    ['in Resp', { ErrCode: 0, Resp: { url } }],
    ['in metadata', { id: 't', status: 'completed', metadata: { url } }],
    ['in content', { status: 'succeeded', content: { video_url: url } }],
    ['under two names', { status: 'done', video_url: url, url: 'https://x/same.mp4' }],
  ])('finds an address %s', (_name, reply) => {
    const reading = decodeVideo(reply);
    expect(reading.status).toBe('SUCCEEDED');
    expect(reading.output).toMatchObject({ type: 'video', files: [{ kind: 'VIDEO', url }] });
  });

  test.each<[string, Json, string]>([
    ['an empty object', {}, 'UNKNOWN'],
    ['null', null, 'UNKNOWN'],
    ['null members', { status: null, data: null, url: null, task_result: null }, 'UNKNOWN'],
    [
      'members of wrong types',
      { status: {}, video_url: 5, data: 'x', duration: [], progress: {} },
      'UNKNOWN',
    ],
    ['success without a video', { status: 'completed' }, 'RUNNING'],
    ['an empty address', { status: 'completed', url: '' }, 'RUNNING'],
    ['an address of another kind', { status: 'completed', url: 'javascript:alert(1)' }, 'RUNNING'],
    ['only repeated input', { status: 'completed', image: { url }, input: { url } }, 'RUNNING'],
    ['an unknown status word', { status: 'simmering', url }, 'UNKNOWN'],
    ['a video without a status', { url }, 'SUCCEEDED'],
    ['outer success with inner running', { status: 'success', data: { status: 'running' } }, 'RUNNING'],
    ['outer running with an inner result', { status: 'running', data: { status: 'done', url } }, 'SUCCEEDED'],
    ['a failure', { status: 'failed', error: { code: 'x', message: 'no' } }, 'FAILED'],
    ['a cancel', { status: 'cancelled' }, 'CANCELED'],
    ['a numeric state', { status: 1 }, 'UNKNOWN'],
  ])('decodes the status of %s', (_name, reply, status) => {
    expect(decodeVideo(reply).status).toBe(status);
  });

  test('decodes several videos, each with its duration, size and thumbnail', () => {
    const reading = decodeVideo({
      status: 'done',
      model: 'm',
      prompt: 'p',
      seed: 12345678901234567890n,
      progress: '100%',
      videos: [
        { url, duration: 5, width: 10, height: 20, cover_url: 'https://x/c.png' },
        { url: 'https://x/w.mp4', duration: '6.5' },
        { url },
      ],
    });
    expect(reading).toMatchObject({ progress: 1, servedBy: { model: 'm' } });
    expect(reading.output).toMatchObject({
      files: [
        { url, durationSeconds: 5, width: 10, height: 20 },
        { url: 'https://x/w.mp4', durationSeconds: 6.5 },
      ],
      thumbnailUrl: 'https://x/c.png',
      model: 'm',
      prompt: 'p',
      seed: 12345678901234567890n,
    });
  });

  test.each([
    [1, 'RUNNING'],
    [5, 'RUNNING'],
    [7, 'FAILED'],
    [8, 'FAILED'],
    [99, 'UNKNOWN'],
    ['8', 'FAILED'],
    ['6', 'FAILED'],
    ['99', 'UNKNOWN'],
  ])('decodes state number %j of a transition without a video as %s', (state, status) => {
    expect(decodeTransitionVideo({ ErrCode: 0, Resp: { id: 1, status: state, url: '' } }).status).toBe(
      status,
    );
  });

  test('decodes state number 1 of a transition with a video, as a number or as text, as SUCCEEDED', () => {
    for (const status of [1, '1'])
      expect(decodeTransitionVideo({ Resp: { id: 1, status, url } })).toMatchObject({
        status: 'SUCCEEDED',
        rawStatus: '1',
      });
  });

  test('handles a deeply nested reply and invalid times', () => {
    let deep: Json = { url };
    for (let depth = 0; depth < 5000; depth += 1) deep = depth % 2 === 0 ? [deep] : { data: deep };
    expect(decodeVideo(deep).output).toBeUndefined();
    for (const time of [0, -1, 1e300, 'soon', {}, '', null])
      expect(decodeVideo({ id: 't', status_update_time: time as Json }).updatedAt).toBeUndefined();
    expect(decodeVideo({ updated_at: '2026-01-01T00:00:00Z' }).updatedAt).toBe(Date.UTC(2026, 0, 1));
  });

  test('finds no task in a reply without one', () => {
    expect(decodeHandledVideo({})).toBeUndefined();
    expect(decodeHandledVideo({ data: { task_status: 'submitted' } })).toMatchObject({ status: 'QUEUED' });
    expect(decodeHandledVideo({ data: { task_id: 'k' } })).toMatchObject({ status: 'UNKNOWN' });
  });
});
