/** A file in a result that the page can show. */
export interface Media {
  readonly type: 'image' | 'audio' | 'video';
  /** An http(s) or data URI, whatever the gateway returned. */
  readonly source: string;
  readonly label: string;
  /** An image for a video. */
  readonly poster?: string | undefined;
}

/**
 * Finds the files in the JSON of a result. Values come from the gateway, so a URL is only used if it is http(s), and inline
 * files get a MIME type of media. The source text of this function is inlined in the page, so it must be self-contained.
 */
export function findMedia(result: unknown): readonly Media[] {
  type Fields = Readonly<Record<string, unknown>>;
  const [maxMedia, maxValues] = [48, 50_000];
  const found = new Map<string, Media>();
  const typeByKind = new Map<unknown, Media['type']>([
    ['IMAGE', 'image'],
    ['AUDIO', 'audio'],
    ['VIDEO', 'video'],
    ['SpeechClip', 'audio'],
    ['Video', 'video'],
  ]);
  const typeByEnding: readonly (readonly [Media['type'], RegExp])[] = [
    ['image', /\.(png|jpe?g|gif|webp|avif)$/i],
    ['audio', /\.(mp3|wav|ogg|m4a|aac|flac|opus)$/i],
    ['video', /\.(mp4|webm|mov|m4v)$/i],
  ];
  const mimeType = /^(image\/(png|jpeg|gif|webp|avif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;
  const defaultMimeTypes = { image: 'image/png', audio: 'audio/mpeg', video: 'video/mp4' } as const;
  const toAddress = (value: unknown): string | undefined => {
    if (typeof value !== 'string') return undefined;
    const [, inline = ''] = /^data:([^;,]+);base64,/.exec(value) ?? [];
    if (mimeType.test(inline)) return value;
    return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol) ? value : undefined;
  };
  const typeOf = (fields: Fields, address: string | undefined, place: string): Media['type'] | undefined => {
    const named = typeByKind.get(fields['kind']) ?? typeByKind.get(fields['__typename']);
    if (named) return named;
    const contentType = String(fields['contentType']);
    const ofContent = typeByEnding.find(([type]) => contentType.startsWith(`${type}/`))?.[0];
    if (ofContent) return ofContent;
    const path = address === undefined || address.startsWith('data:') ? '' : new URL(address).pathname;
    const byEnding = typeByEnding.find(([, ending]) => ending.test(path))?.[0];
    return byEnding ?? { images: 'image' as const, preview: 'audio' as const }[place];
  };
  const labelOf = (fields: Fields, type: Media['type']): string => {
    const texts = [fields['title'], fields['name']].map((value) => (typeof value === 'string' ? value : ''));
    const { width, height, index } = fields;
    const fallback = { image: 'Image', audio: 'Audio', video: 'Video' }[type];
    const number = typeof index === 'number' ? ` ${index + 1}` : '';
    const size = typeof width === 'number' && typeof height === 'number' ? `, ${width} × ${height}` : '';
    return `${texts.find((text) => text !== '') ?? fallback}${number}${size}`;
  };
  const add = (media: Media): void => {
    if (found.size < maxMedia && !found.has(media.source)) found.set(media.source, media);
  };
  const readFile = (fields: Fields, place: string): void => {
    const address = toAddress(fields['url']);
    const type = typeOf(fields, address, place);
    if (type === undefined) return;
    const label = labelOf(fields, type);
    if (address !== undefined)
      add({ type, source: address, label, poster: toAddress(fields['thumbnailUrl']) });
    const { base64 } = fields;
    if (typeof base64 !== 'string' || base64 === '' || !/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return;
    const declared = String(fields['contentType']);
    const mime = mimeType.test(declared) && declared.startsWith(type) ? declared : defaultMimeTypes[type];
    add({ type, source: `data:${mime};base64,${base64}`, label });
  };
  const readNamed = (fields: Fields): void => {
    const image = toAddress(fields['imageUrl']);
    const video = toAddress(fields['videoUrl']);
    if (video !== undefined)
      add({ type: 'video', source: video, label: labelOf(fields, 'video'), poster: image });
    else if (image !== undefined) add({ type: 'image', source: image, label: labelOf(fields, 'image') });
    for (const audio of [toAddress(fields['audioUrl']), toAddress(fields['previewUrl'])])
      if (audio !== undefined) add({ type: 'audio', source: audio, label: labelOf(fields, 'audio') });
  };
  const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
  // Breadth-first, without recursion: a result can be nested deeply.
  const queue: (readonly [unknown, string])[] = [[result, '']];
  for (let at = 0; at < queue.length && at < maxValues; at += 1) {
    const [value, place] = queue[at] ?? [undefined, ''];
    if (Array.isArray(value)) for (const item of value) queue.push([item, place]);
    else if (isFields(value)) {
      readFile(value, place);
      readNamed(value);
      for (const [name, inner] of Object.entries(value)) if (isFields(inner)) queue.push([inner, name]);
    }
  }
  return [...found.values()];
}
