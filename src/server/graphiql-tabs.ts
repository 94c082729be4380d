import { operationTexts } from '../client/operations.generated.ts';
import { packId } from '../lib/ids.ts';

export interface GraphiQLTab {
  /** The operation's file in `client/operations`, without ending. */
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The sandbox's credentials, filled in where the gateway is the sandbox. */
export interface TabCredentials {
  readonly apiKey: string;
  readonly systemToken: string;
  readonly userId: string;
}

/** Stand where something belongs that only an earlier operation can tell. */
export const toPutIn = {
  generationId: 'generation_put-the-id-here',
  taskId: 'task_put-the-id-here',
  upstreamId: 'put-the-raw-id-here',
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
const song = {
  gptDescriptionPrompt: 'A slow sea shanty about a lighthouse, with an accordion.',
  mv: 'SONG_V5',
};
/** A clip that every sandbox has. */
const aClipId = '5a0d0000-0000-4000-8000-000000000001';
const cover = { coverClipId: aClipId, makeInstrumental: true, tags: 'piano, calm', title: 'The lamp' };
const animation = {
  version: 'sandbox/animation',
  promptStart: 'a lighthouse by day, oil painting',
  promptEnd: 'a lighthouse by night, oil painting',
};
const token = { name: 'front-end', quota: { amount: 2.5 }, modelLimits: ['gpt-4o'] };
const aKey = 'my-first-story';
/** Of the sandbox's catalogue. */
const aVoiceId = packId('voice', ['preset', 'en-us-ava']);

type Tab = readonly [name: keyof typeof operationTexts, variables: Readonly<Record<string, unknown>>];

/** One ready tab per root field, in the order in which a newcomer tries them. */
const tabs: readonly Tab[] = [
  ['chat', { input: story }],
  ['voices', { first: 20 }],
  ['start-chat', { input: story, idempotencyKey: aKey }],
  ['chat-stream', { id: toPutIn.generationId }],
  ['cancel-generation', { by: { idempotencyKey: aKey } }],
  ['create-chat-completion', { input: hello }],
  ['queue-image', { input: picture }],
  ['create-song', { input: song }],
  ['create-song-cover', { input: cover }],
  ['create-animation', { input: animation }],
  ['task-progress', { id: toPutIn.taskId }],
  ['tasks-progress', { ids: [toPutIn.taskId] }],
  ['task', { id: toPutIn.taskId }],
  ['tasks', { ids: [toPutIn.taskId] }],
  ['task-by-handle', { handle: { kind: 'SONG', upstreamId: toPutIn.upstreamId } }],
  ['generation', { id: toPutIn.generationId }],
  ['await-generation', { id: toPutIn.generationId, timeoutSeconds: 30 }],
  ['generations', { first: 10 }],
  ['generation-changed', {}],
  ['forget-generations', { ids: [toPutIn.generationId] }],
  ['create-token', { input: token }],
  ['access-tokens', { first: 10 }],
  ['voice', { id: aVoiceId }],
  ['node', { id: aVoiceId }],
  ['nodes', { ids: [aVoiceId, toPutIn.generationId] }],
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
