import * as graphqlEslint from '@graphql-eslint/eslint-plugin';
import { ESLint, type Linter } from 'eslint';

/** Differences from the recommended and the Relay rules of @graphql-eslint, with reasons. */
const differences: Linter.RulesRecord = {
  // Most lists are values of their parent (messages of a chat, songs of a task), not connections.
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
  // `voices` pages forward only, because the gateway's pages cannot be read from the end.
  '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
  // A description of one line is printed as one.
  '@graphql-eslint/description-style': 'off',
  // Types with an identity implement Node, which has an id. Values, events and errors have no id.
  '@graphql-eslint/strict-id-in-types': 'off',
};

/** Accepted violations. */
export const exceptions: readonly { readonly complaint: string; readonly reason: string }[] = [
  {
    complaint: 'Field "voiceId" starts with the name of the parent type "Voice"',
    reason: 'Requests refer to a voice by the wire name `voice_id`; `id` is the id in this graph.',
  },
];

/** The messages of all rule violations in a schema. */
export async function lintSchema(sdl: string): Promise<readonly string[]> {
  const { parser, configs } = graphqlEslint;
  // The plugin's types belong to another major version of ESLint.
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
