import { useUpload } from '@gengraph/client/react';
import { kept, useKept } from '../kept.ts';
import { go } from '../router.tsx';
import { base } from '../settings.ts';
import type { Schema } from './schema.ts';

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

/** Where the id of an image comes from: from the gallery, or from a file of this device. */
export function ImagePicker({ onPick }: { readonly onPick: (id: string) => void }) {
  // The page may have another host.
  const { upload, cancel, isUploading, problem } = useUpload({ base: base.href });
  const take = (file: File): void => void upload(file).then(({ value }) => value && onPick(value.id));
  const [id] = useKept<string | undefined>('image', undefined);
  return (
    <span className="hint" ref={(span) => (span ? takeDropped(span, take) : undefined)}>
      {id && <button type="button" children="Use the chosen image" onClick={() => onPick(id)} />}
      <input
        type="file"
        accept="image/*"
        aria-label="Upload an image"
        // The same file can be chosen again.
        onClick={({ currentTarget }) => (currentTarget.value = '')}
        onChange={({ target }) => target.files?.[0] && take(target.files[0])}
      />
      Or drop or paste a picture.{' '}
      <output className={problem ? 'problem' : undefined}>
        {isUploading ? 'Uploading…' : problem && `This file was not taken. ${problem.message}`}
      </output>
      {isUploading && <button type="button" children="Cancel the upload" onClick={cancel} />}
    </span>
  );
}
