import { CreateUploadDocument } from '@gengraph/client/documents';
import { useState } from 'react';
import { run } from '../gengraph.ts';
import { kept, useKept } from '../kept.ts';
import { go } from '../router.tsx';
import type { Schema } from './schema.ts';

/** Forms offer this asset where they take an image, beginning with that of a video. */
export function chooseImage(id: string): void {
  kept.set('image', id);
  go('create/createReferenceVideo');
}

/** Whether the server takes ids in place of addresses. */
export const takesIds = (schema: Schema): boolean => JSON.stringify(schema).includes('upload_');

/** Where the id of an image comes from: from the gallery, or from a file of this device. */
export function ImagePicker({ onPick }: { readonly onPick: (id: string) => void }) {
  const [{ note, running }, show] = useState<{ note: string; running?: AbortController }>({ note: '' });
  const upload = async (file: File): Promise<void> => {
    running?.abort();
    const controller = new AbortController();
    const { signal } = controller;
    signal.addEventListener('abort', () => show({ note: '' }));
    show({ note: 'Uploading…', running: controller });
    const input = { contentType: file.type, sizeBytes: file.size };
    const { value, problem } = await run(CreateUploadDocument, { input });
    if (signal.aborted) return;
    if (value?.__typename !== 'FileUpload') return show({ note: (problem ?? value)?.message ?? '' });
    const url = (value.url ?? '').replace(/.*(?=files\/[\w-]+\?e=)/, ''); // The page may have another host.
    const reply = await fetch(url, { method: 'PUT', body: file, signal }).catch(() => undefined);
    if (signal.aborted) return;
    show({ note: reply?.ok ? '' : 'This file was not taken.' });
    if (reply?.ok) onPick(value.id);
  };
  const [id] = useKept<string | undefined>('image', undefined);
  return (
    <span className="hint">
      {id && <button type="button" children="Use the chosen image" onClick={() => onPick(id)} />}
      <input
        type="file"
        accept="image/*"
        aria-label="Upload an image"
        // The same file can be chosen again.
        onClick={({ currentTarget }) => (currentTarget.value = '')}
        onChange={({ target }) => target.files?.[0] && void upload(target.files[0])}
      />
      <output>{note}</output>
      {running && <button type="button" children="Cancel the upload" onClick={() => running.abort()} />}
    </span>
  );
}
