import { createGengraph } from '@gengraph/client';
import { GengraphProvider, useCreate, useUpload } from '@gengraph/client/react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

const create = () => createGengraph({ url: '/graphql', credential: 'sk-sandbox' });

/** Actions of forms are transitions: React shows what they set when they have ended. */
function Speech() {
  const { create, status } = useCreate('createSpeech');
  const send = async (data: FormData): Promise<void> => {
    const text = data.get('text');
    if (typeof text === 'string') await create({ text, voice: { id: 'en-us-ava' } });
  };
  return (
    <form action={send}>
      <input name="text" aria-label="Text" />
      <button>Create</button>
      <output>{status}</output>
    </form>
  );
}

function File() {
  const { upload, isUploading, problem } = useUpload();
  return (
    <p>
      <button onClick={() => void upload(new Blob(['a'], { type: 'image/png' }))}>Upload</button>
      {isUploading ? 'UPLOADING' : (problem?.code ?? 'NONE')}
    </p>
  );
}

function Page() {
  const [client, setClient] = useState(create);
  return (
    <GengraphProvider client={client}>
      <Speech />
      <File />
      <button onClick={() => setClient(create())}>Sign in</button>
    </GengraphProvider>
  );
}

const root = document.querySelector('#root');
if (root) createRoot(root).render(<Page />);
