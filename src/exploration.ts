import type { Config } from './config.ts';
import { findPlayground } from './server/playground/find-playground.ts';

/** What the server offers to people who explore the API. */
export interface Exploration {
  readonly hasGraphiQL: boolean;
  readonly hasIntrospection: boolean;
  /** Whether the page at `/` is wanted. */
  readonly hasPlayground: boolean;
  /** Its directory. Undefined if it is not wanted or not built. */
  readonly playground: string | undefined;
}

/** On with the sandbox. With a gateway, off unless asked for: who asks for GraphiQL gets the schema that it needs. */
export function explorationOf({
  GATEWAY_URL,
  GRAPHIQL,
  INTROSPECTION,
  PLAYGROUND,
}: Pick<Config, 'GATEWAY_URL' | 'GRAPHIQL' | 'INTROSPECTION' | 'PLAYGROUND'>): Exploration {
  const isSandboxed = GATEWAY_URL === undefined;
  const hasPlayground = PLAYGROUND === undefined ? isSandboxed : PLAYGROUND === 'on';
  return {
    hasPlayground,
    playground: hasPlayground ? findPlayground() : undefined,
    hasGraphiQL: GRAPHIQL === undefined ? isSandboxed : GRAPHIQL === 'on',
    hasIntrospection: INTROSPECTION === undefined ? isSandboxed || GRAPHIQL === 'on' : INTROSPECTION === 'on',
  };
}
