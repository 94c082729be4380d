import * as graphqlEslint from '@graphql-eslint/eslint-plugin';
import { ESLint, type Linter } from 'eslint';

/** What differs from the recommended and the Relay rules of @graphql-eslint, each with its reason. */
const differences: Linter.RulesRecord = {
  // Most lists are values of their parent (messages of a chat, songs of a task), not pages of a larger list.
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
  // Forward only where the gateway's own pages have no end to begin from: `voices`.
  '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
  // What has an identity implements Node, which asks for its id. Values, events and errors have none.
  '@graphql-eslint/strict-id-in-types': 'off',
};

/** Single places that stay as they are. */
export const exceptions: readonly { readonly complaint: string; readonly reason: string }[] = [
  {
    complaint: 'Field "voiceId" starts with the name of the parent type "Voice"',
    reason: 'The wire name `voice_id`, by which requests name a voice; `id` is the id in this graph.',
  },
];

/** What the rules say of a schema, without the line. */
export async function lintSchema(sdl: string): Promise<readonly string[]> {
  const { parser, configs } = graphqlEslint;
  // Its types are of another major version of ESLint.
  const plugin = { rules: graphqlEslint.rules } as unknown as ESLint.Plugin;
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: {
      files: ['**/*.graphql'],
      languageOptions: { parser, parserOptions: { graphQLConfig: { schema: sdl } } },
      plugins: { '@graphql-eslint': plugin },
      rules: {
        ...configs['flat/schema-recommended'].rules,
        ...configs['flat/schema-relay'].rules,
        ...differences,
      },
    },
  });
  const results = await eslint.lintText(sdl, { filePath: 'schema.graphql' });
  return results.flatMap(({ messages }) => messages.map(({ message }) => message));
}
