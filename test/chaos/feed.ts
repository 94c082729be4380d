import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { Listed } from './checks.ts';
import type { Site } from './visitors.ts';

/** The list of an owner as a client has it that only follows the feed. */
export interface Feed {
  readonly owner: string;
  /** The statuses by id. */
  readonly statuses: ReadonlyMap<string, string>;
}

interface FeedEvent {
  readonly __typename: string;
  readonly cursor: string;
  readonly generationId?: string;
  readonly generation?: { readonly status: string };
}

const query = `subscription ($after: String) { generationChanged(after: $after) {
  __typename cursor
  ... on GenerationChanged { generationId generation { status } }
  ... on GenerationDeleted { generationId }
} }`;

/** Follows the changes of an owner who has no records yet, from one broken connection to the next. */
export async function followFeed(site: Site, owner: string): Promise<Feed> {
  const statuses = new Map<string, string>();
  let after = await readCursor(site, owner);
  const follow = async (): Promise<void> => {
    const client = createClient({
      url: `${site.origin.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${owner}` },
      retryAttempts: 0,
    });
    const stop = (): void => void client.dispose();
    site.signal.addEventListener('abort', stop, { once: true });
    try {
      const events = client.iterate<{ generationChanged: FeedEvent }>({ query, variables: { after } });
      for await (const { data } of events) {
        if (!data) return;
        const { __typename: type, cursor, generationId = '', generation } = data.generationChanged;
        if (generation) statuses.set(generationId, generation.status);
        // Nobody deletes, and no history is that long: the check finds these.
        else statuses.set(type === 'FeedReset' ? 'reset' : generationId, type);
        after = cursor;
      }
    } finally {
      site.signal.removeEventListener('abort', stop);
      await client.dispose();
    }
  };
  void (async () => {
    while (!site.signal.aborted) {
      await follow().catch(() => {});
      await wait(100 + 400 * site.random());
    }
  })();
  return { owner, statuses };
}

async function readCursor({ origin }: Site, owner: string): Promise<string> {
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${owner}` },
    body: JSON.stringify({ query: '{ generations(first: 1) { feedCursor } }' }),
  });
  const { data } = (await response.json()) as { data: { generations: { feedCursor: string } } };
  return data.generations.feedCursor;
}

/** What a feed shows otherwise than the list. */
export function checkFeed({ owner, statuses }: Feed, listed: readonly Listed[]): readonly string[] {
  const left = new Map(statuses);
  const wrong: string[] = [];
  for (const { id, status } of listed) {
    const seen = left.get(id) ?? 'nothing';
    if (seen !== status) wrong.push(`${owner}: the feed says ${seen} of ${id}, the list ${status}`);
    left.delete(id);
  }
  for (const [id, status] of left)
    wrong.push(`${owner}: the feed says ${status} of ${id}, which is not listed`);
  return wrong;
}
