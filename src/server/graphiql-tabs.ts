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

/** Stands where a generation's id belongs that only an earlier operation can tell. */
export const idToPutIn = 'generation_put-the-id-here';

const story = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Tell me a long story about lighthouses.' } }],
};
const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Say hello in three languages.' } }],
};
const aKey = 'my-first-story';
/** Of the sandbox's catalogue. */
const aVoiceId = packId('voice', ['preset', 'en-us-ava']);

type Tab = readonly [name: keyof typeof operationTexts, variables: Readonly<Record<string, unknown>>];

/** One ready tab per root field, in the order in which a newcomer tries them. */
const tabs: readonly Tab[] = [
  ['chat', { input: story }],
  ['voices', { first: 20 }],
  ['start-chat', { input: story, idempotencyKey: aKey }],
  ['chat-stream', { id: idToPutIn }],
  ['cancel-generation', { by: { idempotencyKey: aKey } }],
  ['create-chat-completion', { input: hello }],
  ['generations', { first: 10 }],
  ['generation', { id: idToPutIn }],
  ['create-token', { input: { name: 'front-end', quota: { amount: 2.5 }, modelLimits: ['gpt-4o'] } }],
  ['voice', { id: aVoiceId }],
  ['node', { id: aVoiceId }],
  ['nodes', { ids: [aVoiceId, idToPutIn] }],
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
    headers: name === 'create-token' ? system : bearer,
  }));
}
