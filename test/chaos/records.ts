import { setTimeout as wait } from 'node:timers/promises';
import { type Listed, tokenCounts, type Totals } from './checks.ts';

interface OwnerPage {
  readonly generations: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly edges: readonly { readonly node: Listed }[];
  };
  readonly usageTotals: readonly Totals[];
}

/** What an owner's list shows, and what `usageTotals` says of it. */
export interface OwnerRecords {
  readonly owner: string;
  readonly listed: readonly Listed[];
  readonly totals: Totals | undefined;
}

export async function readOwner(origin: string, owner: string): Promise<OwnerRecords> {
  const query = `query ($after: String) {
    generations(first: 100, after: $after) { pageInfo { hasNextPage endCursor } edges { node {
      id status isTerminal prompt error { code } assets { url } usage { ${tokenCounts.join(' ')} }
      output { ... on ChatCompletion { choices { message { content } } } ... on ContentResponse { text } }
    } } }
    usageTotals { generations succeeded failed canceled unknown ${tokenCounts.join(' ')} }
  }`;
  const listed: Listed[] = [];
  for (let after: string | null = null; ;) {
    const page: { data?: OwnerPage; errors?: unknown } | undefined = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}` },
      body: JSON.stringify({ query, variables: { after } }),
    })
      .then((response) => response.json() as Promise<{ data?: OwnerPage }>)
      .catch(() => undefined);
    if (!page?.data) {
      await wait(500);
      continue;
    }
    const { generations, usageTotals }: OwnerPage = page.data;
    listed.push(...generations.edges.map(({ node }) => node));
    after = generations.pageInfo.endCursor;
    if (!generations.pageInfo.hasNextPage) return { owner, listed, totals: usageTotals[0] };
  }
}
