import { ChatEventsDocument, StreamChatDocument } from '@gengraph/client/documents';
import { print } from 'graphql';
import { useEffect, useRef } from 'react';
import { Problem } from '../problem.tsx';
import { Link } from '../router.tsx';
import { SandboxNote } from '../sandbox-note.tsx';
import type { Sample } from '../show-me/samples.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { Composer } from './composer.tsx';
import { ConversationList } from './conversation-list.tsx';
import { besidesOf, defaultModel, type Turn } from './conversation.ts';
import { Plug } from './plug.tsx';
import { TurnView } from './turn-view.tsx';
import { type InChat, useConversation } from './use-conversation.ts';

/** All chats, and one of them: what was said above, and a bar at the bottom that stays where it is. On a phone, each folds the list. */
export function ChatPage({ id }: { readonly id: string | undefined }) {
  const chat = useConversation(id);
  const { conversation, path, reply } = chat;
  const last = path.at(-1);
  const end = useEndInView(chat.isKnown ? last?.key : undefined);
  const shownIds = chat.isKnown ? conversation.turns.map((turn) => turn.id) : [id];
  const isWide = !matchMedia('(max-width: 60rem)').matches;
  // Each place keeps its controls, and so the focus, when it shows another branch.
  const view = (turn: Turn, index: number) => <TurnView key={index} chat={chat} turn={turn} />;
  const row = (turn: Turn, index: number) => (
    <div className="side-by-side" key={index} children={besidesOf(conversation, turn).map(view)} />
  );
  const opened = (
    <>
      {last ? <div className="turns" ref={end} children={path.map(row)} /> : <Welcome chat={chat} />}
      <div className="dock">
        {last && <Plug chat={chat} turn={last} />}
        {chat.refusal && <Problem problem={chat.refusal} />}
        <Composer chat={chat} />
        {last && <ShowMe sample={writeChat(last, conversation.collection)} result={reply} />}
      </div>
    </>
  );
  return (
    <>
      <nav className="conversations" aria-label="Conversations">
        <ConversationList key={isWide ? '' : id} isUnfolded={isWide} shownIds={shownIds} />
      </nav>
      <section className="chat" aria-label="Chat">
        {(last ?? id) !== undefined && <h1 className="skip">Chat</h1>}
        {chat.problem && <Problem problem={chat.problem} onRetry={chat.retry} />}
        {chat.isKnown ? opened : !chat.problem && <p aria-busy="true">Reading the conversation…</p>}
      </section>
    </>
  );
}

/** The operation behind a reply. With the same key it is the same reply, so running it again costs nothing. */
function writeChat({ input, id, key, model }: Turn, collection: string): Sample {
  const chat = { id: collection, model };
  return input
    ? { query: print(StreamChatDocument), variables: { input, idempotencyKey: key, collection }, chat }
    : { query: print(ChatEventsDocument), variables: { id }, chat };
}

/** Keeps the end of a growing part of the page in view, unless the visitor has scrolled up. A new part is always shown. */
function useEndInView(part: string | undefined) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!element.current) return undefined;
    const page = document.documentElement;
    let height = 0;
    const observer = new ResizeObserver(() => {
      if (scrollY + innerHeight > height - 50) scrollTo(0, page.scrollHeight);
      height = page.scrollHeight;
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [part]);
  return element;
}

function Welcome({ chat }: Pick<InChat, 'chat'>) {
  const story = { text: 'Tell me a long story about a lighthouse.', images: [], models: [defaultModel] };
  return (
    <div className="welcome">
      <h1>A chat that survives its connection</h1>
      <p>Start it, then pull the plug: the text goes on without a gap, and it is paid for once.</p>
      <div className="actions">
        <button className="primary" onClick={() => chat.send(story)} children="Tell me a story" />
        <Link className="button" to="create/createImage" children="Make a picture" />
        <Link className="button" to="create/createSong" children="Compose a song" />
      </div>
      <SandboxNote />
    </div>
  );
}
