import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Config } from './config.ts';

/** What the server offers to people who explore the API. */
export interface Exploration {
  /** Whether GraphiQL is wanted. */
  readonly hasGraphiQL: boolean;
  /** The directory of its files. Undefined if it is not wanted or not built. */
  readonly graphiql: string | undefined;
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
  const hasGraphiQL = GRAPHIQL === undefined ? isSandboxed : GRAPHIQL === 'on';
  return {
    hasPlayground,
    // The sources have a directory of this name too.
    playground: hasPlayground ? (builtPlayground ?? findBuilt('playground', 'playground')) : undefined,
    hasGraphiQL,
    graphiql: hasGraphiQL ? findBuilt('graphiql', 'index.json') : undefined,
    hasIntrospection: INTROSPECTION === undefined ? isSandboxed || GRAPHIQL === 'on' : INTROSPECTION === 'on',
  };
}

/** Below `dist`, seen from the bundle or from the sources. @param file tells a built directory from another one */
function findBuilt(name: string, file: string): string | undefined {
  return [`./${name}`, `../dist/${name}`]
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((directory) => existsSync(`${directory}/${file}`));
}
