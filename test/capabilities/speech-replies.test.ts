import { describe, expect, test } from 'vitest';
import { decodeSpeech, decodeSpeechAcknowledgement } from '../../src/capabilities/speech/wire.ts';

describe('the reader of speech tasks', () => {
  test.each([
    ['an empty object', {}, 'UNKNOWN', undefined],
    ['null members', { state: null, audio_url: null, duration: null }, 'UNKNOWN', undefined],
    [
      'members of wrong types',
      { state: [], audio_url: 5, seed: {}, credits: 'x', created_at: {} },
      'UNKNOWN',
      undefined,
    ],
    ['an unknown status word', { state: 'simmering' }, 'UNKNOWN', undefined],
    ['success without audio', { state: 'success' }, 'RUNNING', undefined],
    ['audio that is not an address', { state: 'success', audio: '4944330300' }, 'RUNNING', undefined],
    ['audio', { state: 'success', audio_url: 'https://x/a.mp3' }, 'SUCCEEDED', 'https://x/a.mp3'],
    ['audio without a status', { url: 'https://x/a.mp3' }, 'SUCCEEDED', 'https://x/a.mp3'],
    ['output as a list', { state: 'done', output: ['https://x/a.mp3'] }, 'SUCCEEDED', 'https://x/a.mp3'],
    ['an envelope', { code: 0, data: { state: 'done', url: 'https://x/a' } }, 'SUCCEEDED', 'https://x/a'],
    [
      'a nested result',
      { state: 'done', result: { audio: { url: 'https://x/a' } } },
      'SUCCEEDED',
      'https://x/a',
    ],
    ['a failure', { state: 'failed', error: { message: 'no' } }, 'FAILED', undefined],
    ['an error without a status', { error_message: 'no' }, 'FAILED', undefined],
  ])('decodes %s', (_name, reply, status, audioUrl) => {
    const reading = decodeSpeech(reply);
    expect(reading.status).toBe(status);
    expect((reading.output as { audioUrl?: string } | undefined)?.audioUrl).toBe(audioUrl);
  });

  test('decodes the reason of a failure and the members next to an envelope', () => {
    expect(decodeSpeech({ state: 'failed', fail_reason: 'too long' }).error).toMatchObject({
      message: 'too long',
    });
    expect(decodeSpeech({ state: 'done', model: 'm', output: { audio_url: 'https://x/a' } }).output).toEqual({
      type: 'speech-clip',
      audioUrl: 'https://x/a',
      model: 'm',
    });
  });

  test('finds no task in a reply without a task id', () => {
    for (const reply of [{}, [], null, 'x', { task_id: '' }, { code: 0, request_id: 'r', data: null }])
      expect(decodeSpeechAcknowledgement(reply)).toBeUndefined();
    expect(decodeSpeechAcknowledgement({ task_id: 7 })?.upstreamId).toBe('7');
  });
});
