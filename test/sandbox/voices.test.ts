import { describe, expect, test } from 'vitest';
import { readError, readJson, startSandbox } from './support.ts';

const sandbox = await startSandbox();

interface VoiceList {
  code: number;
  message: string;
  request_id: string;
  data: {
    task_id: string;
    task_status: string;
    task_result: { voices: Record<string, string>[] };
    created_at: number;
    updated_at: number;
  }[];
}

describe('preset voices', () => {
  test('have the form of the family, one voice per item', async () => {
    const list = await readJson<VoiceList>(await get('?pageSize=1'));
    expect(list).toMatchObject({ code: 0, message: 'SUCCEED', data: [{ task_status: 'succeed' }] });
    expect(Object.keys(list)).toEqual(['code', 'message', 'request_id', 'data']);
    expect(list.data[0]?.task_result.voices).toEqual([
      {
        voice_id: 'en-us-ava',
        voice_name: 'Ava',
        trial_url: `${sandbox.url}/assets/voices/en-us-ava.wav`,
        owned_by: 'preset',
        language: 'en-US',
        gender: 'female',
        style: expect.any(String),
      },
    ]);
  });

  test('are listed 30 per page, from page 1', async () => {
    const first = await readIds('');
    expect(first).toHaveLength(30);
    expect(await readIds('?pageNum=1&pageSize=30')).toEqual(first);
    expect(await readIds('?pageNum=2')).not.toContain(first[0]);
  });

  test('pages join to the whole catalogue of distinct voices in many languages', async () => {
    const all = await readIds('?pageSize=500');
    expect(all.length).toBeGreaterThanOrEqual(125);
    expect(new Set(all).size).toBe(all.length);
    const joined: string[] = [];
    for (let page = 1; joined.length < all.length; page += 1) {
      joined.push(...(await readIds(`?pageNum=${page}&pageSize=17`)));
    }
    expect(joined).toEqual(all);
    const { data } = await readJson<VoiceList>(await get('?pageSize=500'));
    const languages = data.map((item) => item.task_result.voices[0]?.['language']);
    expect(new Set(languages).size).toBeGreaterThan(30);
    expect(new Set(data.map((item) => item.task_id)).size).toBe(all.length);
  });

  test('a page past the end is empty', async () => {
    expect(await readIds('?pageNum=9999')).toEqual([]);
  });

  test.each([
    'pageNum=0',
    'pageNum=-1',
    'pageSize=0',
    'pageSize=501',
    'pageNum=1.5',
    'pageNum=x',
    'pageSize=',
  ])('%s is 400, and the error names the parameter', async (query) => {
    const error = await readError(await get(`?${query}`));
    expect(error).toMatchObject({ status: 400 });
    expect(error.message).toContain(query.split('=')[0]);
  });

  test('an unknown or repeated parameter is 400', async () => {
    expect(await readError(await get('?page=1'))).toMatchObject({
      status: 400,
      message: 'page: unknown query parameter',
    });
    expect((await get('?pageNum=1&pageNum=2')).status).toBe(400);
  });

  test('the credential is a Bearer key', async () => {
    for (const authorization of ['sk-sandbox', 'Bearer nobody', 'Basic abc', 'Bearer ']) {
      const response = await fetch(`${sandbox.url}/videoa/v1/general/presets-voices`, {
        headers: { authorization },
      });
      expect(await readError(response)).toMatchObject({ status: 401 });
    }
    expect((await fetch(`${sandbox.url}/videoa/v1/general/presets-voices`)).status).toBe(401);
  });
});

describe('a voice sample', () => {
  test('is a WAV of a second that needs no credential', async () => {
    const response = await fetch(`${sandbox.url}/assets/voices/en-us-ava.wav`);
    expect(response.headers.get('content-type')).toBe('audio/wav');
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 16)).toBe('RIFFWAVEfmt ');
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    // PCM, mono, 16 kHz, 16 bits.
    expect([20, 22, 34].map((at) => bytes.readUInt16LE(at))).toEqual([1, 1, 16]);
    expect(bytes.readUInt32LE(24)).toBe(16_000);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    expect((bytes.length - 44) / 2 / 16_000).toBeCloseTo(1);
    const samples = new Int16Array(bytes.buffer, bytes.byteOffset + 44, (bytes.length - 44) / 2);
    expect(Math.max(...samples)).toBeGreaterThan(5000);
  });

  test('differs from voice to voice', async () => {
    const [one, other] = await Promise.all(
      ['en-us-ava', 'ja-jp-ren'].map(async (id) =>
        Buffer.from(await (await fetch(`${sandbox.url}/assets/voices/${id}.wav`)).arrayBuffer()),
      ),
    );
    expect(other && one?.equals(other)).toBe(false);
  });

  test('of an unknown voice is 404', async () => {
    expect(await readError(await fetch(`${sandbox.url}/assets/voices/nobody.wav`))).toMatchObject({
      status: 404,
    });
  });
});

function get(query: string): Promise<Response> {
  return fetch(`${sandbox.url}/videoa/v1/general/presets-voices${query}`, {
    headers: { authorization: `Bearer ${sandbox.apiKey}` },
  });
}

async function readIds(query: string): Promise<string[]> {
  const { data } = await readJson<VoiceList>(await get(query));
  return data.flatMap((item) => item.task_result.voices.map((voice) => voice['voice_id'] ?? ''));
}
