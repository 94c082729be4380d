import { operationTexts } from '../../../client/operations.generated.ts';
import type { CapabilityOperation } from '../../../graphql/capability.ts';
import { refusedInput } from './refused-input.ts';

export interface GraphiQLTab {
  /** The file name of its operation, without extension. */
  readonly name: string;
  /** The family of its root field. */
  readonly capability: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Comments beside the headers that say where the credential goes. */
  readonly headersNote: readonly string[];
}

/** An operation with its text. */
export interface OperationSource
  extends
    Pick<GraphiQLTab, 'name' | 'capability' | 'query' | 'variables'>,
    Pick<CapabilityOperation, 'credential'> {}

/** The sandbox's credentials, filled in when the gateway is the sandbox. */
export interface TabCredentials {
  readonly apiKey: string;
  readonly systemToken: string;
  readonly userId: string;
}

export interface TabCallers {
  /** @default none: placeholders take their place */
  readonly credentials?: TabCredentials | undefined;
  /** Which credentials callers send. @default 'passthrough' */
  readonly auth?: 'passthrough' | 'jwt' | 'both';
  /** Whether requests without a credential use the key of the server. @default false */
  readonly isKeyForAll?: boolean;
}

/** The tabs at the first visit, in their order: a chat that streams, pictures to their end, all that was made, refusals, voices. */
export const initialNames: readonly string[] = [
  'stream-chat',
  'stream-images',
  'generations',
  refusedInput.name,
  'voices',
];

/** One tab per operation, in the order of the capabilities, with the headers that its caller sends. */
export function graphiqlTabs(
  operations: readonly CapabilityOperation[],
  { credentials, auth = 'passthrough', isKeyForAll = false }: TabCallers = {},
): readonly GraphiQLTab[] {
  const apiKey = credentials?.apiKey ?? (isKeyForAll ? undefined : 'YOUR_API_KEY');
  const key = apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` };
  const system = {
    Authorization: credentials?.systemToken ?? 'YOUR_SYSTEM_TOKEN',
    'new-api-user': credentials?.userId ?? 'YOUR_USER_ID',
  };
  return toSources(operations).map(({ name, capability, query, variables, credential = 'api-key' }) => ({
    name,
    capability,
    query,
    variables,
    headers: auth === 'jwt' ? {} : credential === 'system-token' ? system : key,
    headersNote: headersNotes[auth][credential],
  }));
}

/** With the refused input as the last one of its capability. */
function toSources(operations: readonly CapabilityOperation[]): readonly OperationSource[] {
  const sources: readonly OperationSource[] = operations.map((operation) => ({
    ...operation,
    query: operationTexts[operation.name],
  }));
  const last = sources.findLastIndex(({ capability }) => capability === refusedInput.capability);
  return last === -1 ? sources : sources.toSpliced(last + 1, 0, refusedInput);
}

/**
 * A token is a comment until the user replaces it. With a header that is no token, the server would refuse the query for the
 * schema too, which needs no credential.
 */
const headersNotes = {
  passthrough: { 'api-key': [], 'system-token': [] },
  jwt: {
    'api-key': ['Add a token of your sign-in (a JWT), without //', '"Authorization": "Bearer YOUR_TOKEN"'],
    'system-token': [
      'Add a token of your sign-in (a JWT) with the',
      'scope of this field, without //',
      '"Authorization": "Bearer YOUR_TOKEN"',
    ],
  },
  both: {
    'api-key': ['A key of the gateway, or "Bearer YOUR_TOKEN"', 'with a token of your sign-in (a JWT).'],
    'system-token': [
      'A system token of the gateway, or only',
      '"Authorization": "Bearer YOUR_TOKEN" with a token',
      'of your sign-in (a JWT) with the scope of this field.',
    ],
  },
} as const;
