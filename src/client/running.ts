import type { Client } from 'graphql-ws';
import type { GenerationsQuery } from './documents.generated.ts';
import { type Outcome, run } from './operate.ts';
import { generationsText } from './texts.generated.ts';

type Page = NonNullable<GenerationsQuery['generations']>;
export type RunningGeneration = Page['edges'][number]['node'];

const pageSize = 100;

/** All generations that have not ended, newest first: chats, pictures, songs, videos. */
export async function findRunning(
  client: Client,
  collection: string | undefined,
): Promise<Outcome<readonly RunningGeneration[]>> {
  const found: RunningGeneration[] = [];
  const filter = { statuses: ['QUEUED', 'RUNNING'], collection };
  for (let after: string | null = null; ;) {
    const { problem, value }: Outcome<Page> = await run<Page>(client, {
      query: generationsText,
      variables: { first: pageSize, after, filter },
    });
    if (problem) return { problem };
    found.push(...value.edges.map(({ node }) => node));
    if (!value.pageInfo.hasNextPage) return { value: found };
    after = value.pageInfo.endCursor;
  }
}
