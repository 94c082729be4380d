import { operationTexts } from '../client/operations.generated.ts';
import type { ExampleOperation } from '../graphql/capability.ts';

export interface GraphiQLTab {
  /** The file name of its operation, without extension. */
  readonly name: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The sandbox's credentials, filled in when the gateway is the sandbox. */
export interface TabCredentials {
  readonly apiKey: string;
  readonly systemToken: string;
  readonly userId: string;
}

/** One tab per operation, with a placeholder for the credential unless it is given. */
export function graphiqlTabs(
  operations: readonly ExampleOperation[],
  credentials?: TabCredentials,
): readonly GraphiQLTab[] {
  const bearer = { Authorization: `Bearer ${credentials?.apiKey ?? 'YOUR_API_KEY'}` };
  const system = {
    Authorization: credentials?.systemToken ?? 'YOUR_SYSTEM_TOKEN',
    'new-api-user': credentials?.userId ?? 'YOUR_USER_ID',
  };
  return operations.map(({ name, variables, credential }) => ({
    name,
    variables,
    query: operationTexts[name],
    headers: credential === 'system-token' ? system : bearer,
  }));
}
