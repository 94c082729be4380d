import { GengraphProvider, useConnection } from '@gengraph/client/react';
import { type FormEvent, useState } from 'react';
import { ChatPage } from './chat/chat-page.tsx';
import { CreateView } from './create/create-view.tsx';
import { GalleryView } from './gallery/gallery-view.tsx';
import { GenerationPage } from './gallery/generation-page.tsx';
import { gengraph, signIn, useIsSignedIn } from './gengraph.ts';
import { follow, toHref, usePlace } from './router.ts';
import { base, settings } from './settings.ts';
import { UsageView } from './usage/usage-view.tsx';

export function App() {
  const isSignedIn = useIsSignedIn();
  // Chats and forms stay as they are while the page asks for another token.
  const [wasSignedIn, setWasSignedIn] = useState(isSignedIn);
  if (isSignedIn && !wasSignedIn) setWasSignedIn(true);
  return (
    <GengraphProvider client={gengraph}>
      {!isSignedIn && <SignIn isAgain={wasSignedIn} />}
      {wasSignedIn && (
        <div hidden={!isSignedIn}>
          <Page />
        </div>
      )}
    </GengraphProvider>
  );
}

function Page() {
  const [view = 'chat', id] = usePlace();
  const link = (name: string, title: string) => (
    <a href={toHref(name)} aria-current={view === name ? 'page' : undefined} onClick={follow}>
      {title}
    </a>
  );
  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header>
        <a className="brand" href={toHref()} onClick={follow}>
          Gengraph
        </a>
        <nav aria-label="Views">
          {link('chat', 'Chat')}
          {link('create', 'Make')}
          {link('gallery', 'Gallery')}
          {link('usage', 'Usage')}
          {settings.hasGraphiQL && <a href={new URL('graphql', base).pathname}>GraphiQL</a>}
        </nav>
        <Connection />
      </header>
      <main id="content">
        {view === 'chat' && <ChatPage id={id} />}
        {view === 'create' && <CreateView field={id} />}
        {view === 'gallery' && <GalleryView />}
        {view === 'g' && id !== undefined && <GenerationPage key={id} id={id} />}
        {view === 'usage' && <UsageView />}
      </main>
      {settings.hasSandbox && (
        <footer>
          The gateway behind this page is its own sandbox. It answers every family and costs nothing, but no
          result comes from a real model: it draws, plays and writes by rules, in a few styles. Voices are
          cloned and access tokens are made in GraphiQL.
        </footer>
      )}
    </>
  );
}

function Connection() {
  const { status } = useConnection();
  if (status === 'closed')
    return (
      <p className="connection" role="alert">
        The server has ended the connection for good.{' '}
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      </p>
    );
  return (
    <span className="connection" role="status">
      {status === 'reconnecting' && 'Reconnecting…'}
    </span>
  );
}

function SignIn({ isAgain }: { readonly isAgain: boolean }) {
  const [token, setToken] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() !== '') signIn(token.trim());
  };
  return (
    <main className="sign-in">
      <h1>Gengraph</h1>
      <form onSubmit={send}>
        {isAgain && (
          <p className="notice" role="alert">
            The server does not accept this token, or it has expired. Enter another one: the page goes on
            where it was.
          </p>
        )}
        <label>
          {settings.auth === 'passthrough' ? 'API key of the gateway' : 'Token of your sign-in'}
          <input
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <button className="primary">Sign in</button>
        <p className="hint">It stays in this page&apos;s memory: a reload asks for it again.</p>
      </form>
    </main>
  );
}
