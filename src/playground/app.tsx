import { GengraphProvider, useConnection } from '@gengraph/client/react';
import { type FormEvent, useRef, useTransition } from 'react';
import { ChatPage } from './chat/chat-page.tsx';
import { CreateView } from './create/create-view.tsx';
import { GalleryView } from './gallery/gallery-view.tsx';
import { GenerationPage } from './gallery/generation-page.tsx';
import { gengraph, signIn, useSession } from './gengraph.ts';
import { Notice } from './problem.tsx';
import { Link, usePlace } from './router.tsx';
import { SandboxNote } from './sandbox-note.tsx';
import { base, settings } from './settings.ts';
import { UsageView } from './usage/usage-view.tsx';

const titles = { chat: 'Chat', create: 'Make', gallery: 'Gallery', usage: 'Usage' };

export function App() {
  const { isSignedIn, owner, refusal } = useSession();
  return (
    <GengraphProvider client={gengraph}>
      {!isSignedIn && <SignIn refusal={refusal} />}
      {/* Chats and forms stay as they are while the page asks for another token of the same user. */}
      {owner !== undefined && (
        <div className="app" hidden={!isSignedIn} key={owner}>
          <Page />
        </div>
      )}
    </GengraphProvider>
  );
}

function Page() {
  const { here, search, view = 'chat', id } = usePlace();
  const title = Object.entries(titles).find(([name]) => name === view)?.[1];
  const isGeneration = view === 'g' && id !== undefined;
  return (
    <>
      {!isGeneration && <title>{`${title ?? 'Not found'} · Gengraph`}</title>}
      <a className="skip" href={`${here}#content`} children="Skip to the content" />
      <header className="top">
        <Link to="" children={<strong>Gengraph</strong>} />
        <nav aria-label="Views">
          {Object.entries(titles).map(([name, text]) => (
            <Link key={name} to={name} aria-current={view === name ? 'page' : undefined} children={text} />
          ))}
          {settings.hasGraphiQL && <a href={new URL('graphql', base).pathname}>GraphiQL</a>}
        </nav>
        <Connection />
      </header>
      <main id="content" tabIndex={-1}>
        {title === undefined && <h1 className="skip" children={isGeneration ? 'Generation' : 'Not found'} />}
        {view === 'chat' && <ChatPage id={id} />}
        {view === 'create' && <CreateView field={id} />}
        {view === 'gallery' && <GalleryView search={search} />}
        {isGeneration && <GenerationPage key={id} id={id} />}
        {view === 'usage' && <UsageView />}
        {title === undefined && !isGeneration && (
          <p className="empty">
            There is nothing at this address. <Link to="gallery" children="Show the gallery" />
          </p>
        )}
      </main>
      {view !== 'chat' && <SandboxNote />}
    </>
  );
}

/** The state of the connection. When the server has ended it for good, only a reload helps. */
function Connection() {
  const { status, problem } = useConnection();
  const text = { connected: 'Live', reconnecting: 'Reconnecting…', closed: 'Offline' }[status as string];
  return (
    <>
      <span className={`connection ${status}`} role="status" children={text} />
      {status === 'closed' && (
        <Notice>
          <p>
            <strong>The server has ended the connection.</strong> {problem?.message}
          </p>
          <p>What you made is kept, and what runs goes on: reload the page to see it.</p>
          <button onClick={() => location.reload()}>Reload the page</button>
        </Notice>
      )}
    </>
  );
}

function SignIn({ refusal }: { readonly refusal: string }) {
  const [isChecking, check] = useTransition();
  const input = useRef<HTMLInputElement>(null);
  const names = {
    passthrough: 'API key of the gateway',
    jwt: 'Token of your sign-in',
    both: 'API key of the gateway, or token of your sign-in',
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const token = input.current?.value.trim() ?? '';
    if (token !== '' && !isChecking) check(() => signIn(token));
  };
  return (
    <main className="sign-in">
      <title>Sign in · Gengraph</title>
      <h1>Gengraph</h1>
      <form onSubmit={send}>
        {refusal && <Notice>{refusal}</Notice>}
        <label>
          {names[settings.auth]}
          <input type="password" autoComplete="off" autoFocus ref={input} />
        </label>
        <p className="hint">It stays in this page&apos;s memory: a reload asks for it again.</p>
        <button className="primary" aria-disabled={isChecking} children="Sign in" /> <Connection />
      </form>
    </main>
  );
}
