import type { Config } from './config.ts';

/** What the server offers to people who explore the API. */
export interface Exploration {
  readonly hasGraphiQL: boolean;
  readonly hasIntrospection: boolean;
}

/** On with the sandbox. With a gateway, off unless asked for: who asks for GraphiQL gets the schema that it needs. */
export function explorationOf({
  GATEWAY_URL,
  GRAPHIQL,
  INTROSPECTION,
}: Pick<Config, 'GATEWAY_URL' | 'GRAPHIQL' | 'INTROSPECTION'>): Exploration {
  const isSandboxed = GATEWAY_URL === undefined;
  return {
    hasGraphiQL: GRAPHIQL === undefined ? isSandboxed : GRAPHIQL === 'on',
    hasIntrospection: INTROSPECTION === undefined ? isSandboxed || GRAPHIQL === 'on' : INTROSPECTION === 'on',
  };
}
