const kindOfType: ReadonlyMap<string, 'IMAGE' | 'VIDEO' | 'AUDIO'> = new Map([
  ['image', 'IMAGE'],
  ['video', 'VIDEO'],
  ['audio', 'AUDIO'],
]);

/** What kind of file a MIME type names; undefined for what is no image, video or audio. */
export function mediaKindOf(mimeType: string | undefined): 'IMAGE' | 'VIDEO' | 'AUDIO' | undefined {
  return kindOfType.get(mimeType?.split('/')[0]?.toLowerCase() ?? '');
}
