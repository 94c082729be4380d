import { readFileSync } from 'node:fs';
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

const story = {
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Tell me a long story about a lighthouse keeper.' } }],
};
const anId = 'generation_put-the-id-here';
const aVoiceId = packId('voice', ['preset', 'genshin_vindi2']);

/** One ready tab per root field: operation file and variables. */
const tabs: readonly (readonly [name: string, variables: Readonly<Record<string, unknown>>])[] = [
  ['chat', { input: story }],
  ['voices', { first: 20 }],
  ['start-chat', { input: story, idempotencyKey: 'my-first-story' }],
  ['chat-stream', { id: anId }],
  [
    'create-chat-completion',
    {
      input: {
        model: 'gpt-4o',
        messages: [{ role: 'USER', content: { text: 'Say hello in three languages.' } }],
      },
    },
  ],
  ['cancel-generation', { by: { idempotencyKey: 'my-first-story' } }],
  ['generations', { first: 10 }],
  ['generation', { id: anId }],
  ['voice', { id: aVoiceId }],
  ['node', { id: aVoiceId }],
  ['nodes', { ids: [aVoiceId, anId] }],
  ['create-token', { input: { name: 'front-end', quota: { amount: 2.5 }, modelLimits: ['gpt-4o'] } }],
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
    query: readFileSync(new URL(`../client/operations/${name}.graphql`, import.meta.url), 'utf8'),
    headers: name === 'create-token' ? system : bearer,
  }));
}
