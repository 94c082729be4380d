import { base, settings } from '../settings.ts';

/** One operation of the page. */
export interface Sample {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The same by the hooks or the transport, where there is one. */
  readonly kit?: string;
  readonly useChat?: string;
}

const header = settings.auth === 'jwt' ? 'Bearer YOUR_TOKEN' : `Bearer ${settings.apiKey ?? 'YOUR_API_KEY'}`;

/** The operation in the forms that front ends write it. */
export function writeSamples({ query, variables, kit, useChat }: Sample) {
  const url = new URL('graphql', base).href;
  const body = JSON.stringify({ query: query.replaceAll(/\s+/g, ' ').trim(), variables });
  const isSubscription = /^\s*(#.*\s*)*subscription\b/.test(query);
  const type = isSubscription ? 'text/event-stream' : 'application/json';
  const json = JSON.stringify(variables, null, 2);
  const text = query.trim();
  return {
    GraphQL: `${text}\n\n# Variables\n${json}`,
    curl: `curl -N ${url} \\\n  -H 'Authorization: ${header}' \\\n  -H 'Content-Type: application/json' -H 'Accept: ${type}' \\\n  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
    'graphql-ws': `import { createClient } from 'graphql-ws';

const client = createClient({
  url: '${url.replace(/^http/, 'ws')}',
  connectionParams: { Authorization: '${header}' },
});
for await (const result of client.iterate({
  query: \`${text}\`,
  variables: ${json},
}))
  console.log(result);`,
    Apollo: writeApollo(text, json),
    ...(kit !== undefined && { '@gengraph/client': kit }),
    ...(useChat !== undefined && { useChat }),
  };
}

function writeApollo(text: string, json: string): string {
  const [, type = 'query'] = /^(mutation|subscription)/.exec(text) ?? [];
  const hook = { mutation: 'useMutation', subscription: 'useSubscription', query: 'useQuery' }[type] ?? '';
  const call =
    type === 'mutation'
      ? `const [send, { data, error }] = useMutation(document);\n\nawait send({ variables: ${json} });`
      : `const { data, error } = ${hook}(document, { variables: ${json} });`;
  return `import { gql } from '@apollo/client';\nimport { ${hook} } from '@apollo/client/react';\n\nconst document = gql\`\n${text}\n\`;\n\n${call}`;
}
