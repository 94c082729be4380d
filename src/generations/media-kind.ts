const kindOfType: ReadonlyMap<string, 'IMAGE' | 'VIDEO' | 'AUDIO'> = new Map([
  ['image', 'IMAGE'],
  ['video', 'VIDEO'],
  ['audio', 'AUDIO'],
]);

/** The media kind of a MIME type. Undefined for anything but images, videos and audio. */
export function mediaKindOf(mimeType: string | undefined): 'IMAGE' | 'VIDEO' | 'AUDIO' | undefined {
  return kindOfType.get(mimeType?.split('/')[0]?.toLowerCase() ?? '');
}
