import { ConversationsDocument } from '@gengraph/client/documents';
import { print } from 'graphql';
import { useEffect, useState } from 'react';
import { titleOf } from '../create/families.ts';
import { gengraph } from '../gengraph.ts';
import { ChatChangedDocument } from '../operations.generated.ts';
import { Problem } from '../problem.tsx';
import { Link } from '../router.tsx';
import { ShowMe } from '../show-me/show-me.tsx';
import { useRead } from '../use-read.ts';
import { prefix } from './conversation.ts';

type ListProps = { readonly shownIds: readonly unknown[]; readonly after?: string | null };

/** The visitor's conversations, newest first, page by page. */
export function ConversationList({ isUnfolded, ...page }: ListProps & { readonly isUnfolded: boolean }) {
  const [isOpen, setIsOpen] = useState(isUnfolded);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{page.after ? 'Older ones' : 'Conversations'}</summary>
      {isOpen && <ListPage {...page} />}
    </details>
  );
}

/** It is read again when a chat has changed since. */
function ListPage({ shownIds, after = null }: ListProps) {
  const [first, setFirst] = useState(20);
  const variables = { first, after, filter: { onlyFirstTurns: true } };
  const { problem, value, retry } = useRead(ConversationsDocument, variables);
  // Very long first messages exceed what one answer may have.
  if (problem?.code === 'LIMIT_EXCEEDED' && first > 4) setFirst(4);
  useEffect(() => {
    if (!value) return undefined;
    const operation = { query: print(ChatChangedDocument), variables: { after: value.feedCursor } };
    const changes = gengraph.client.iterate(operation);
    const onFailure = () => setTimeout(retry, 30_000);
    void changes.next().then(({ done }) => done || retry(), onFailure);
    return () => void changes.return?.();
  }, [value]);
  const threads = value?.edges.flatMap(({ node: { newestTurn: newest, ...turn } }) =>
    newest ? { ...turn, newest } : [],
  );
  // Other answers to a first message begin threads of their own, in the same collection.
  const conversations = Map.groupBy(threads ?? [], ({ id, collection }) =>
    collection?.startsWith(prefix) ? collection : id,
  );
  return (
    <>
      {!after && <Link className="button" to="chat" children="New chat" />}
      {!value && !problem && <progress aria-label="Reading the list" />}
      {problem && <Problem problem={problem} onRetry={retry} />}
      {threads?.length === 0 && <p className="hint">None yet: what you say is kept here.</p>}
      {[...conversations].map(([key, all]) => {
        const { prompt, createdAt, newest } = all.reduce((one, other) =>
          other.newest.createdAt > one.newest.createdAt ? { ...one, newest: other.newest } : one,
        );
        const isShown = all.some((each) => shownIds.includes(each.id) || shownIds.includes(each.newest.id));
        const time = new Date(createdAt).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' });
        return (
          <Link key={key} to={`chat/${newest.id}`} aria-current={isShown ? 'page' : undefined} dir="auto">
            {titleOf({ prompt, kind: 'CHAT' }).replace(/^(.{100}).+/su, '$1…')}
            <br />
            <small className={`hint status ${newest.status}`}>
              {newest.status.toLowerCase()} · {time}
            </small>
          </Link>
        );
      })}
      {value?.pageInfo.hasNextPage && (
        <ConversationList shownIds={shownIds} after={value.pageInfo.endCursor} isUnfolded={false} />
      )}
      {!after && <ShowMe sample={{ query: print(ConversationsDocument), variables }} result={value} />}
    </>
  );
}
