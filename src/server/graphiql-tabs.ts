import { operationTexts } from '../client/operations.generated.ts';
import { packId } from '../lib/ids.ts';

export interface GraphiQLTab {
  /** File name in `client/operations`, without extension. */
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** Credentials of the embedded sandbox. */
export interface TabCredentials {
  readonly apiKey: string;
  readonly systemToken: string;
  readonly userId: string;
}

/** Placeholders for ids that an earlier operation returns. */
export const placeholders = {
  generationId: 'generation_put-the-id-here',
  taskId: 'task_put-the-id-here',
} as const;

const story = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Tell me a long story about lighthouses.' } }],
};
const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Say hello in three languages.' } }],
};
const picture = { prompt: 'A lighthouse at dusk, watercolour.', imageSize: 'LANDSCAPE_4_3', numImages: 2 };
const image = {
  setA: { model: 'seedream-4', prompt: 'A lighthouse at dusk, watercolour.', size: { token: 'SIZE_1K' } },
};
const imageGroup = {
  model: 'seedream-4',
  prompt: 'A series of 4 watercolours: a lighthouse at dawn, noon, dusk and night.',
  size: { token: 'SIZE_1K' },
  sequentialImageGeneration: 'AUTO',
};
const summary = {
  modelId: 'gemini-2.5-flash',
  contents: [{ role: 'user', parts: [{ text: 'Sum up https://example.com in one sentence.' }] }],
  urlContext: true,
};
const song = {
  gptDescriptionPrompt: 'A slow sea shanty about a lighthouse, with an accordion.',
  mv: 'SONG_V5',
};
/** A clip that exists in every sandbox. */
const aClipId = '5a0d0000-0000-4000-8000-000000000001';
const cover = { coverClipId: aClipId, makeInstrumental: true, tags: 'piano, calm', title: 'The lamp' };
const animation = {
  version: 'sandbox/animation',
  promptStart: 'a lighthouse by day, oil painting',
  promptEnd: 'a lighthouse by night, oil painting',
};
const [anImage, aMask] = ['https://example.com/lighthouse.png', 'https://example.com/lighthouse-mask.png'];
const fill = {
  owner: 'sandbox',
  modelName: 'fill-pro',
  image: anImage,
  mask: aMask,
  prompt: 'A sailing ship on the horizon.',
  outputFormat: 'png',
};
const inpainting = { imageUrl: anImage, maskUrl: aMask, prompt: 'A stormy sky.', strength: 0.85 };
const speed = { clipId: aClipId, speed: 1.5, keepPitch: true };
const speech = {
  text: 'The lamp is lit.<#0.8#>Good evening, and mind the stairs.',
  voiceSettingVoiceId: 'en-us-ava',
};
const clone = {
  fileId: 1,
  voiceId: 'lighthouse-keeper-1',
  text: 'Mind the stairs.',
  model: 'speech-2.6-hd',
};
const video = {
  images: {
    images: [anImage],
    model: 'sora-2',
    orientation: 'LANDSCAPE',
    prompt: 'The lamp goes on, and ships pass by.',
    size: 'SMALL',
    duration: 10,
  },
};
const referenceVideo = {
  model: 'any-model',
  prompt: 'Waves break on the rocks below.',
  resolution: 'RESOLUTION_720P',
  aspectRatio: 'ASPECT_RATIO_16_9',
  duration: 5,
  reference: { image: { url: anImage } },
};
const transitionVideo = {
  multiTransition: [{ imgId: 1, duration: 5, prompt: 'Night falls.' }, { imgId: 2 }],
  model: 'V5',
  quality: 'QUALITY_540P',
};
const token = { name: 'front-end', quota: { amount: 2.5 }, modelLimits: ['gpt-4o'] };
const aKey = 'my-first-story';
/** The sandbox accepts any id. */
const aHandle = { kind: 'MULTI_IMAGE_VIDEO', upstreamId: 'demo' };
/** A preset voice of the sandbox. */
const aVoiceId = packId('voice', ['preset', 'en-us-ava']);

type Tab = readonly [name: keyof typeof operationTexts, variables: Readonly<Record<string, unknown>>];

/** One predefined tab per root field, in the order in which a new user would try them. */
const tabs: readonly Tab[] = [
  ['chat', { input: story }],
  ['voices', { first: 20 }],
  ['start-chat', { input: story, idempotencyKey: aKey }],
  ['chat-stream', { id: placeholders.generationId }],
  ['cancel-generation', { by: { idempotencyKey: aKey } }],
  ['create-chat-completion', { input: hello }],
  ['create-image', { input: image }],
  ['image-stream', { input: imageGroup, idempotencyKey: 'my-first-pictures' }],
  ['generate-content', { input: summary }],
  ['queue-image', { input: picture }],
  ['queue-inpainting', { input: inpainting }],
  ['create-song', { input: song }],
  ['create-song-cover', { input: cover }],
  ['adjust-song-speed', { input: speed }],
  ['create-animation', { input: animation }],
  ['fill-image', { input: fill }],
  ['create-speech', { input: speech }],
  ['create-video', { input: video }],
  ['create-reference-video', { input: referenceVideo }],
  ['create-transition-video', { input: transitionVideo }],
  ['task-progress', { id: placeholders.taskId }],
  ['tasks-progress', { ids: [placeholders.taskId] }],
  ['task', { id: placeholders.taskId }],
  ['tasks', { ids: [placeholders.taskId] }],
  ['task-by-handle', { handle: aHandle }],
  ['generation', { id: placeholders.generationId }],
  ['await-generation', { id: placeholders.generationId, timeoutSeconds: 30 }],
  ['generations', { first: 10 }],
  ['generation-changed', {}],
  ['forget-generations', { ids: [placeholders.generationId] }],
  ['create-token', { input: token }],
  ['access-tokens', { first: 10 }],
  ['voice', { id: aVoiceId }],
  ['clone-voice', { input: clone, idempotencyKey: 'my-first-voice' }],
  ['node', { id: aVoiceId }],
  ['nodes', { ids: [aVoiceId, placeholders.generationId] }],
];

export function graphiqlTabs(credentials: TabCredentials | undefined): readonly GraphiQLTab[] {
  const bearer = { Authorization: `Bearer ${credentials?.apiKey ?? 'YOUR_API_KEY'}` };
  const system = {
    Authorization: credentials?.systemToken ?? 'YOUR_SYSTEM_TOKEN',
    'new-api-user': credentials?.userId ?? 'YOUR_USER_ID',
  };
  return tabs.map(([name, variables]) => ({
    name,
    variables,
    query: operationTexts[name],
    headers: name === 'create-token' || name === 'access-tokens' ? system : bearer,
  }));
}
