import { createGengraph } from '@gengraph/client';
import { GengraphProvider, useChatStream, useCreate, useGeneration } from '@gengraph/client/react';
import { Activity, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });

/** Without an id. */
function Chat() {
  const input = { model: 'gpt-4o', messages: [{ role: 'USER', content: { text: 'count to 9' } }] } as const;
  const { text, status } = useChatStream(input);
  return <article data-status={status}>{text}</article>;
}

function Song() {
  const { create, status, fieldErrors, retry, generation } = useCreate('createSong');
  const watched = useGeneration(generation?.id);
  const [description, setDescription] = useState('');
  const send = () => void create({ description, model: 'SONG_V5' });
  return (
    <section data-status={status} data-retry={retry}>
      <input aria-label="Song" value={description} onChange={(event) => setDescription(event.target.value)} />
      <button onClick={send}>Create</button>
      <p role="alert">{fieldErrors['description']}</p>
      <output data-status={watched.status} data-error={watched.error?.code}>
        {watched.assets.map(({ title }) => title).join()}
      </output>
    </section>
  );
}

function Page() {
  const [isShown, setShown] = useState(true);
  return (
    <>
      <label>
        Shown <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />
      </label>
      {isShown && <Chat />}
      <Activity mode={isShown ? 'visible' : 'hidden'}>
        <Song />
      </Activity>
    </>
  );
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <GengraphProvider client={gengraph}>
        <Page />
      </GengraphProvider>
    </StrictMode>,
  );
