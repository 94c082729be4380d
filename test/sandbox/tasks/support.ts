import sharp from 'sharp';
import { parseJson } from '../../../src/lib/json.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

/** A clock that a test advances. */
export interface FakeTime {
  readonly clock: () => number;
  advance(seconds: number): void;
}

export const startOfTime = Date.UTC(2026, 0, 2, 3, 4, 5);

export function createTime(): FakeTime {
  let now = startOfTime;
  return {
    clock: () => now,
    advance(seconds) {
      now += seconds * 1000;
    },
  };
}

export interface Acknowledgement {
  status: string;
  request_id: string;
  response_url: string;
  status_url: string;
  cancel_url: string;
  logs: null;
  metrics: Record<string, number>;
  queue_position: number;
  error?: string;
}

export interface QueueResult {
  seed: number;
  images: { url: string; width: number; height: number; content_type: string }[];
  prompt: string;
  request: Record<string, unknown>;
  timings: { inference: number };
  has_nsfw_concepts: boolean[];
  status?: string;
}

export interface Prediction {
  id: string;
  model: string;
  version: string;
  input: Record<string, unknown>;
  logs: string;
  output: string | string[] | null;
  data_removed: boolean;
  error: string | null;
  status: string;
  created_at: string;
  started_at?: string;
  completed_at?: string;
  metrics?: { predict_time: number };
  urls: { cancel: string; get: string; stream: string; web: string };
}

export interface Clip {
  id: string;
  title: string;
  audio_url: string;
  video_url: string;
  image_url: string;
  image_large_url: string;
  status: string;
  model_name: string;
  major_model_version: string;
  metadata: {
    tags: string;
    prompt: string;
    gpt_description_prompt: string;
    duration: number | null;
    type: string;
    error_message: null;
  };
  created_at: string;
  play_count: number;
}

export interface MusicTask {
  task_id: string;
  notify_hook: string;
  action: string;
  status: string;
  fail_reason: string;
  submit_time: number;
  start_time: number;
  finish_time: number;
  progress: string;
  search_item: string;
  data: Clip[];
}

export interface MusicReply<Data> {
  code: string;
  message: string;
  data: Data;
}

/** Calls of one sandbox with one key. */
export interface Client {
  post(path: string, body: unknown): Promise<Response>;
  send(method: string, url: string): Promise<Response>;
  /** The body of a reply that must be 200. Integers beyond 2^53 are bigints. */
  create<Body>(path: string, body: unknown): Promise<Body>;
  read<Body>(url: string): Promise<Body>;
  fetchMusic(...ids: string[]): Promise<MusicTask[]>;
}

export type CredentialForm = 'bearer' | 'api-key';

export function createClient(
  sandbox: Sandbox,
  key = sandbox.apiKey,
  form: CredentialForm = 'bearer',
): Client {
  const credential: Record<string, string> =
    form === 'bearer' ? { authorization: `Bearer ${key}` } : { 'api-key': key };
  const toUrl = (path: string): string => (path.startsWith('http') ? path : sandbox.url + path);
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(toUrl(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...credential },
      body: JSON.stringify(body),
    });
  const send = (method: string, path: string): Promise<Response> =>
    fetch(toUrl(path), { method, headers: credential });
  const create = async <Body>(path: string, body: unknown): Promise<Body> =>
    expectOk<Body>(await post(path, body));
  return {
    post,
    send,
    create,
    read: async <Body>(url: string) => expectOk<Body>(await send('GET', url)),
    async fetchMusic(...ids) {
      const { data } = await create<MusicReply<MusicTask[]>>('/music/fetch', { ids, action: '' });
      return data;
    },
  };
}

async function expectOk<Body>(response: Response): Promise<Body> {
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return parseJson(await response.text()) as Body;
}

export async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

/** A picture of one color as a data URI. */
export async function drawImage(
  size: { readonly width: number; readonly height: number },
  {
    colour = '#ff0000',
    format = 'png',
  }: { colour?: string; format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif' } = {},
): Promise<string> {
  const channels = colour.length > 7 ? 4 : 3;
  const bytes = await sharp({ create: { ...size, channels, background: colour } })
    .toFormat(format)
    .toBuffer();
  return `data:image/${format};base64,${bytes.toString('base64')}`;
}

/** A mask as a data URI: the left half is white, to be repainted. */
export async function drawMask({ width, height }: { width: number; height: number }): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><rect width="50%" height="100%" fill="#fff"/></svg>`;
  const bytes = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

/** The colors of one pixel of an image. */
export async function readPixel(bytes: Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const at = (y * info.width + x) * info.channels;
  return [...data.subarray(at, at + 3)];
}

export interface Speech {
  task_id: string;
  state: string;
  model: string;
  prompt: string;
  duration: number;
  seed: number;
  created_at: string;
  credits: number;
  audio_url?: string;
  error?: string;
}

export interface VideoTask {
  id: string;
  status: string;
  status_update_time: number;
  progress?: number;
  video_url?: string | null;
  error?: { code: string; message: string } | null;
}

export interface CloneReply {
  input_sensitive: boolean;
  input_sensitive_type: number;
  demo_audio: string;
  base_resp: { status_code: number; status_msg: string };
}

export interface TransitionReply {
  ErrCode: number;
  ErrMsg: string;
  Resp: { video_id: bigint } | null;
}

export interface TransitionVideo {
  id: bigint;
  status: number;
  prompt: string;
  url: string;
  outputWidth: number;
  outputHeight: number;
  fail_reason: string;
  create_time: string;
  modify_time: string;
}

export const transitionRequest = {
  multi_transition: [
    { img_id: 7, duration: 5, prompt: 'a forest' },
    { img_id: 8, prompt: 'a city' },
  ],
  model: 'v5',
  quality: '540p',
};

let voiceCount = 0;

/** An unused voice id. */
export function nextVoiceId(): string {
  voiceCount += 1;
  return `test-voice-${voiceCount}`;
}

export interface ReferenceVideo {
  id: string;
  object: string;
  model: string;
  status: string;
  progress: number;
  created_at: number;
  completed_at?: number;
  video_url?: string;
  error?: { code: string; message: string };
}

export const referenceVideoRequest = {
  model: 'imagine',
  prompt: 'a fox',
  resolution: '480p',
  aspect_ratio: '16:9',
  duration: 5,
};
export const imagesVideoRequest = {
  images: ['https://example.com/a.png'],
  model: 'sora-2',
  orientation: 'portrait',
  prompt: 'a fox',
  size: 'small',
  duration: 10,
  watermark: 'true',
};
export const characterVideoRequest = {
  model: 'sora-2-pro',
  prompt: 'a fox',
  size: 'large',
  character_url: 'https://example.com/fox.mp4',
  character_timestamps: '1,3',
};
export const speechRequest = { text: 'Hello there.', voice_setting_voice_id: 'en-us-ava' };
export const animationInput = { prompt_start: 'a quiet forest', prompt_end: 'a city at night' };
export const animationRequest = { version: 'studio/animation:abc123', input: animationInput };
export const songRequest = {
  gpt_description_prompt: 'a jazz song about rain in Paris',
  make_instrumental: false,
  mv: 'song-v5',
};
