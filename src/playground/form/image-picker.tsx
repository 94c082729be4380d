import { CreateUploadDocument } from '@gengraph/client/documents';
import { useState } from 'react';
import { run } from '../gengraph.ts';
import { kept, useKept } from '../kept.ts';
import { go } from '../router.tsx';
import { parseJson, type Schema } from './schema.ts';

/** Forms offer this asset where they take an image, beginning with that of a video. */
export function chooseImage(id: string): void {
  kept.set('image', id);
  go('create/createReferenceVideo');
}

/** Whether the server takes ids in place of addresses. */
export const takesIds = (schema: Schema): boolean => JSON.stringify(schema).includes('upload_');

/** Takes a picture that is dropped or pasted in the field or the message around an element. @returns a function that ends this */
function takeDropped(element: HTMLElement, take: (file: File) => void): () => void {
  const area = element.closest<HTMLElement>('.field, .composer');
  const folded = element.closest('details');
  const receive = (event: Event, data: DataTransfer | null): void => {
    // What is copied from a table is text, with a picture of it.
    if (data?.types.includes('text/plain')) return;
    const file = [...(data?.files ?? [])].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    if (folded) folded.open = true;
    take(file);
  };
  const allow = (event: DragEvent): void => {
    if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
  };
  const ended = new AbortController();
  area?.addEventListener('dragover', allow, ended);
  area?.addEventListener('drop', (event) => receive(event, event.dataTransfer), ended);
  area?.addEventListener('paste', (event) => receive(event, event.clipboardData), ended);
  return () => ended.abort();
}

/** Why the server, or the store itself, has not taken a file. */
async function readReason(reply: Response | undefined): Promise<string> {
  if (!reply) return 'No answer came.';
  const body = parseJson(await reply.text().catch(() => '')) as TopLevelErrors | null; // Checked here.
  return body?.errors?.[0]?.message ?? `The store answered with status ${reply.status}.`;
}

interface TopLevelErrors {
  readonly errors?: readonly { readonly message?: string }[];
}

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
    if (reply?.ok) onPick(value.id);
    const note = reply?.ok ? '' : `This file was not taken. ${await readReason(reply)}`;
    if (!signal.aborted) show({ note });
  };
  const [id] = useKept<string | undefined>('image', undefined);
  return (
    <span
      className="hint"
      ref={(span) => (span ? takeDropped(span, (file) => void upload(file)) : undefined)}
    >
      {id && <button type="button" children="Use the chosen image" onClick={() => onPick(id)} />}
      <input
        type="file"
        accept="image/*"
        aria-label="Upload an image"
        // The same file can be chosen again.
        onClick={({ currentTarget }) => (currentTarget.value = '')}
        onChange={({ target }) => target.files?.[0] && void upload(target.files[0])}
      />
      Or drop or paste a picture. <output>{note}</output>
      {running && <button type="button" children="Cancel the upload" onClick={() => running.abort()} />}
    </span>
  );
}
