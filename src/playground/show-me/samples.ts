import { base, settings } from '../settings.ts';

/** One operation of the page. */
export interface Sample {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The same by the hooks or the transport, where there is one. */
  readonly kit?: string;
}

const header = settings.auth === 'jwt' ? 'Bearer YOUR_TOKEN' : `Bearer ${settings.apiKey ?? 'YOUR_API_KEY'}`;

/** The operation in the forms that front ends write it. */
export function writeSamples({ query, variables, kit }: Sample) {
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
    Apollo: `const document = gql\`
${text}
\`;
const { data, error } = use${isSubscription ? 'Subscription' : text.startsWith('mutation') ? 'Mutation' : 'Query'}(document, {
  variables: ${json},
});`,
    ...(kit !== undefined && { '@gengraph/client': kit }),
  };
}
