import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';

/** What the server offers to people who explore the API. */
export interface Exploration {
  readonly hasGraphiQL: boolean;
  readonly hasIntrospection: boolean;
  /** Whether the page at `/` is wanted. */
  readonly hasPlayground: boolean;
  /** Its directory. Undefined if it is not wanted or not built. */
  readonly playground: string | undefined;
}

type Settings = Pick<Config, 'GATEWAY_URL' | 'GRAPHIQL' | 'INTROSPECTION' | 'PLAYGROUND'>;

/** On with the sandbox. With a gateway, off unless asked for: who asks for GraphiQL gets the schema that it needs. */
export function explorationOf(
  { GATEWAY_URL, GRAPHIQL, INTROSPECTION, PLAYGROUND }: Settings,
  builtPlayground?: string,
): Exploration {
  const isSandboxed = GATEWAY_URL === undefined;
  const hasPlayground = PLAYGROUND === undefined ? isSandboxed : PLAYGROUND === 'on';
  return {
    hasPlayground,
    playground: hasPlayground ? (builtPlayground ?? findPlayground()) : undefined,
    hasGraphiQL: GRAPHIQL === undefined ? isSandboxed : GRAPHIQL === 'on',
    hasIntrospection: INTROSPECTION === undefined ? isSandboxed || GRAPHIQL === 'on' : INTROSPECTION === 'on',
  };
}

/** Below `dist`, seen from the bundle or from the sources. Undefined if the page is not built. */
function findPlayground(): string | undefined {
  return (
    ['./playground', '../dist/playground']
      .map((path) => fileURLToPath(new URL(path, import.meta.url)))
      // The sources have a page too, but no built assets.
      .find((directory) => existsSync(`${directory}/playground`))
  );
}
