import {
  animationInput,
  animationRequest,
  imagesVideoRequest,
  referenceVideoRequest,
  songRequest,
  speechRequest,
  transitionRequest,
  type Acknowledgement,
  type Client,
  type Clip,
  type CredentialForm,
  type MusicReply,
  type Prediction,
  type QueueResult,
  type ReferenceVideo,
  type Speech,
  type TransitionReply,
  type TransitionVideo,
  type VideoTask,
} from './support.ts';

/** The result of a read of a task, in a form that all families share. */
export interface Reading {
  readonly status: string | number | undefined;
  readonly hasResult: boolean;
  readonly reason: string;
}

/** A family whose tasks are created and read. */
export interface Family {
  readonly name: string;
  readonly path: string;
  /** @default 'bearer' */
  readonly form?: CredentialForm;
  readonly toBody: (prompt: string) => object;
  readonly toReadUrl: (reply: unknown) => string;
  readonly words: Readonly<Record<'running' | 'failed' | 'succeeded', string | number>>;
  /** The status while a fault hides it. @default 'simmering' */
  readonly unheard?: string | number;
  read(client: Client, url: string): Promise<Reading>;
}

/** Every family with faults of tasks. */
export const families: readonly Family[] = [
  {
    name: '/hostb',
    path: '/hostb/flux-lora',
    toBody: (prompt: string): object => ({ prompt }),
    toReadUrl: (reply: unknown): string => (reply as Acknowledgement).response_url,
    words: { running: 'IN_PROGRESS', failed: 'FAILED', succeeded: 'COMPLETED' },
    async read(client, url): Promise<Reading> {
      const { status, images, error = '' } = await client.read<QueueResult & Acknowledgement>(url);
      return { status, hasResult: images !== undefined, reason: error };
    },
  },
  {
    name: '/hosta',
    path: '/hosta/v1/predictions',
    toBody: (prompt: string): object => ({
      ...animationRequest,
      input: { ...animationInput, prompt_start: prompt },
    }),
    toReadUrl: (reply: unknown): string => (reply as Prediction).urls.get,
    words: { running: 'processing', failed: 'failed', succeeded: 'succeeded' },
    async read(client, url): Promise<Reading> {
      const { status, output, error } = await client.read<Prediction>(url);
      return { status, hasResult: output !== null, reason: error ?? '' };
    },
  },
  {
    name: '/music',
    path: '/music/submit/music',
    toBody: (prompt: string): object => ({ ...songRequest, gpt_description_prompt: prompt }),
    toReadUrl: (reply: unknown): string => (reply as MusicReply<string>).data,
    words: { running: 'IN_PROGRESS', failed: 'FAILURE', succeeded: 'SUCCESS' },
    async read(client, id): Promise<Reading> {
      const [task] = await client.fetchMusic(id);
      const clipStatus = task?.status === 'SUCCESS' ? 'complete' : 'streaming';
      const isComplete = (clip: Clip): boolean => clip.status === clipStatus && clip.audio_url !== '';
      const hasResult = task !== undefined && task.data.length === 2 && task.data.every(isComplete);
      return { status: task?.status, hasResult, reason: task?.fail_reason ?? '' };
    },
  },
  {
    name: '/ent/v2/audio-tts',
    path: '/ent/v2/audio-tts',
    toBody: (prompt) => ({ ...speechRequest, text: prompt }),
    toReadUrl: (reply) => `/ent/v2/tasks/${(reply as Speech).task_id}`,
    words: { running: 'processing', failed: 'failed', succeeded: 'succeeded' },
    async read(client, url) {
      const { state, audio_url: audio, error = '' } = await client.read<Speech>(url);
      return { status: state, hasResult: audio !== undefined, reason: error };
    },
  },
  {
    name: '/v1/video/create',
    path: '/v1/video/create',
    toBody: (prompt) => ({ ...imagesVideoRequest, prompt }),
    toReadUrl: (reply) => `/v1/video/query?id=${encodeURIComponent((reply as VideoTask).id)}`,
    words: { running: 'processing', failed: 'failed', succeeded: 'completed' },
    async read(client, url) {
      const { status, video_url: video, error } = await client.read<VideoTask>(url);
      return { status, hasResult: typeof video === 'string', reason: error?.message ?? '' };
    },
  },
  {
    name: '/v1/videos/generations',
    path: '/v1/videos/generations',
    toBody: (prompt) => ({ ...referenceVideoRequest, prompt }),
    toReadUrl: (reply) => `/v1/videos/${(reply as ReferenceVideo).id}`,
    words: { running: 'in_progress', failed: 'failed', succeeded: 'completed' },
    async read(client, url) {
      const { status, video_url: video, error } = await client.read<ReferenceVideo>(url);
      return { status, hasResult: video !== undefined, reason: error?.message ?? '' };
    },
  },
  {
    name: '/openapi/v2/video',
    path: '/openapi/v2/video/multi_transition/generate',
    form: 'api-key',
    toBody: (prompt) => ({
      ...transitionRequest,
      multi_transition: [{ img_id: 7, duration: 5, prompt }, { img_id: 8 }],
    }),
    toReadUrl: (reply) => `/openapi/v2/video/result/${(reply as TransitionReply).Resp?.video_id}`,
    words: { running: 5, failed: 8, succeeded: 1 },
    unheard: 42,
    async read(client, url) {
      const { Resp: video } = await client.read<{ Resp: TransitionVideo }>(url);
      return { status: video.status, hasResult: video.url !== '', reason: video.fail_reason };
    },
  },
];
