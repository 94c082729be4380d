import type { Client } from 'graphql-ws';
import { pageText } from './feed.ts';
import type { FeedPage } from './feed-list.ts';
import { type GenerationFields, type GenerationItem, toGenerationItem } from './generation-view.ts';
import { type Outcome, runNonNull } from './operate.ts';

type Page = FeedPage<GenerationFields>;

const pageSize = 100;

/** All generations that have not ended, newest first: chats, pictures, songs, videos. */
export async function findRunning(
  client: Client,
  collection: string | undefined,
): Promise<Outcome<readonly GenerationItem[]>> {
  const found: GenerationItem[] = [];
  // UNKNOWN: a task whose status word is not known goes on, a create whose reply was lost has ended.
  const filter = { statuses: ['QUEUED', 'RUNNING', 'UNKNOWN'], collection };
  for (let after: string | null = null; ;) {
    const { problem, value }: Outcome<Page> = await runNonNull<Page>(client, {
      query: pageText,
      variables: { first: pageSize, after, filter },
    });
    if (problem) return { problem };
    found.push(...value.edges.map(({ node }) => toGenerationItem(node)).filter(({ isEnded }) => !isEnded));
    if (!value.pageInfo.hasNextPage) return { value: found };
    after = value.pageInfo.endCursor;
  }
}
