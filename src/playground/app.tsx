import { GengraphProvider, useConnection } from '@gengraph/client/react';
import { type FormEvent, useState } from 'react';
import { ChatPage } from './chat/chat-page.tsx';
import { CreateView } from './create/create-view.tsx';
import { GalleryView } from './gallery/gallery-view.tsx';
import { GenerationPage } from './gallery/generation-page.tsx';
import { gengraph, isSignedIn, signIn } from './gengraph.ts';
import { follow, toHref, usePlace } from './router.ts';
import { base, settings } from './settings.ts';
import { UsageView } from './usage/usage-view.tsx';

export function App() {
  const [hasToken, setHasToken] = useState(isSignedIn);
  return (
    <GengraphProvider client={gengraph}>
      {hasToken ? (
        <Page />
      ) : (
        <SignIn
          onToken={(token) => {
            signIn(token);
            setHasToken(true);
          }}
        />
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
          The gateway behind this page is its own sandbox: every family can be tried, nothing costs anything,
          and no result comes from a real model.
        </footer>
      )}
    </>
  );
}

function Connection() {
  const { status } = useConnection();
  return status === 'connected' || status === 'idle' ? null : (
    <span className="connection" role="status">
      {status}
    </span>
  );
}

function SignIn({ onToken }: { readonly onToken: (token: string) => void }) {
  const [token, setToken] = useState('');
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (token.trim() !== '') onToken(token.trim());
  };
  return (
    <main className="sign-in">
      <h1>Gengraph</h1>
      <form onSubmit={send}>
        <label>
          {settings.auth === 'passthrough' ? 'API key of the gateway' : 'Token of your sign-in'}
          <input
            type="password"
            autoComplete="off"
            value={token}
            onChange={({ target }) => setToken(target.value)}
          />
        </label>
        <button className="primary">Go on</button>
        <p className="hint">It stays in this page&apos;s memory: a reload asks for it again.</p>
      </form>
    </main>
  );
}
